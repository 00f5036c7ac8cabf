"""Processes that are known again and ended for certain, and never anybody else's."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graphmem.errors import Misconfigured
from graphmem.local import processes
from graphmem.local.processes import ProcessRecord

WAITS = "import sys, time; print('ready', flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {WAITS}"

Start = Callable[..., Awaitable[psutil.Popen]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts Python with a program and arguments and waits until it says that it is ready, or ends.

    Whatever still runs is ended after the test.
    """
    started: list[psutil.Popen] = []

    async def run(program: str, *arguments: str) -> psutil.Popen:
        log = tmp_path / f"{len(started)}.log"
        command = [sys.executable, "-c", program, *arguments]
        process = processes.spawn(command, log, os.environ)
        started.append(process)
        while "ready" not in said(log) and not await processes.ended(process, processes.POLL_S):
            pass
        return process

    yield run
    for process in started:
        await processes.stop(process, 0)


def said(log: Path) -> str:
    return log.read_text(encoding="utf-8")


def record_of(process: psutil.Process, mark: str) -> ProcessRecord:
    return ProcessRecord(mark, process.pid, process.create_time(), {"bolt": 1})


async def test_a_process_starts_in_a_session_of_its_own_with_its_log(start: Start, tmp_path: Path) -> None:
    process = await start(WAITS)

    assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid


async def test_stop_asks_first(start: Start, tmp_path: Path) -> None:
    process = await start(WAITS)

    assert await processes.stop(process, 30) is True
    assert process.returncode == -signal.SIGTERM
    assert not psutil.pid_exists(process.pid)


async def test_stop_kills_what_does_not_listen(start: Start, tmp_path: Path) -> None:
    process = await start(STUBBORN)

    assert await processes.stop(process, 0.1) is False
    assert process.returncode == -signal.SIGKILL


async def test_stop_of_an_ended_process_does_nothing(start: Start) -> None:
    process = await start("pass")
    assert await processes.ended(process, 30)

    assert await processes.stop(process, 0) is True
    assert process.returncode == 0


async def test_a_process_is_found_by_its_record(start: Start, tmp_path: Path) -> None:
    process = await start(WAITS, "-Dmark=1")
    path = tmp_path / "record.json"
    record_of(process, "-Dmark=1").write(path)

    record = processes.read_record(path)

    assert record == record_of(process, "-Dmark=1")
    assert record is not None
    found = processes.find(record)
    assert found is not None
    assert found.pid == process.pid


async def test_a_pid_that_is_somebody_elses_now_is_not_found(start: Start) -> None:
    process = await start(WAITS, "-Dmark=1")
    mine = record_of(process, "-Dmark=1")

    assert processes.find(replace(mine, mark="-Dmark=2")) is None
    assert processes.find(replace(mine, mark="-Dmark")) is None
    assert processes.find(replace(mine, created=mine.created - 60)) is None


async def test_an_ended_process_is_not_found(start: Start) -> None:
    process = await start(WAITS, "-Dmark=1")
    record = record_of(process, "-Dmark=1")
    await processes.stop(process, 0)

    assert processes.find(record) is None


async def test_a_start_that_was_interrupted_is_found_by_its_mark(start: Start) -> None:
    mark = processes.new_mark()
    process = await start(WAITS, mark)

    found = processes.find(ProcessRecord(mark, 0, 0.0, {}))

    assert found is not None
    assert found.pid == process.pid
    assert processes.find(ProcessRecord(processes.new_mark(), 0, 0.0, {})) is None


async def test_a_zombie_that_is_not_our_child_is_not_alive(start: Start, tmp_path: Path) -> None:
    await start(
        "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'pass']);"
        "print(child.pid, 'ready', flush=True); time.sleep(60)"
    )
    log = tmp_path / "0.log"
    child = psutil.Process(int(said(log).split()[0]))

    assert await processes.ended(child, 30)
    assert child.status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mark": "x"}', "null"])
def test_an_unreadable_record_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(text, encoding="utf-8")

    assert processes.read_record(path) is None
    assert processes.read_record(tmp_path / "missing.json") is None


async def test_a_record_that_was_copied_elsewhere_is_none(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    record_of(await start(WAITS, "-Dmark=1"), "-Dmark=1").write(path)
    copied = tmp_path / "copied.json"
    copied.write_bytes(path.read_bytes())

    assert processes.read_record(path) is not None
    assert processes.read_record(copied) is None


def test_a_held_home_is_refused_and_its_holder_named(tmp_path: Path) -> None:
    with processes.home_lock(tmp_path), pytest.raises(Misconfigured) as refused:
        processes.home_lock(tmp_path)

    assert f"in use by another GraphMem (process {os.getpid()})" in str(refused.value)
    processes.home_lock(tmp_path).release()


def test_a_home_is_the_same_home_through_a_link(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "link").symlink_to(home)

    with processes.home_lock(home), pytest.raises(Misconfigured, match="in use"):
        processes.home_lock(tmp_path / "link")


def test_a_killed_holder_frees_the_home(tmp_path: Path) -> None:
    holder = (
        "import sys, time; from pathlib import Path; from graphmem.local.processes import home_lock;"
        "lock = home_lock(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(Misconfigured, match=rf"\(process {process.pid}\)"):
            processes.home_lock(tmp_path)
        process.kill()

    processes.home_lock(tmp_path).release()


def test_a_taken_port_gives_way_to_a_free_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert not processes.is_free(port)
        other = processes.free_port(port)

    assert other != port
    assert processes.is_free(other)
    assert processes.free_port(other) == other
