"""``service.json`` and what is ended through it: one process, known by more than its number."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from graphmem.cli.service_file import (
    ServiceRecord,
    read_record,
    record_path,
    remove_record,
    running,
    this_process,
    write_record,
)
from graphmem.cli.stopping import stop
from tests.cli.conftest import wait_for

URL = "http://127.0.0.1:8420/graphql"

PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def process() -> Iterator[psutil.Process]:
    """A process with a child of its own session, as the service has them; both gone afterwards."""
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == b"ready\n"
        parent = psutil.Process(started.pid)
        family = [*parent.children(recursive=True), parent]
        yield parent
        for member in family:
            if member.is_running():
                member.kill()
        psutil.wait_procs(family, timeout=10)


def record_of(process: psutil.Process) -> ServiceRecord:
    return ServiceRecord(process.pid, process.create_time(), URL, "0.1.0")


def test_what_is_written_is_read_again_and_only_the_owner_may(tmp_path: Path) -> None:
    record = this_process(URL, "0.1.0", {"browser_url": "http://127.0.0.1:7474/browser/"})

    write_record(tmp_path, record)

    assert read_record(tmp_path) == record
    assert running(tmp_path) == record
    assert record_path(tmp_path).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["service.json"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"pid": 1}', '{"pid": "x", "create_time": 0, "url": "", "version": ""}'],
    ids=["empty", "cut off", "a list", "null", "half", "no number"],
)
def test_a_record_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    record_path(tmp_path).write_text(text)

    assert read_record(tmp_path) is None
    assert running(tmp_path) is None


def test_a_number_that_another_process_has_by_now_is_not_the_service(
    tmp_path: Path, process: psutil.Process
) -> None:
    earlier = process.create_time() - 100
    taken = {"pid": process.pid, "create_time": earlier, "url": URL, "version": "0.1.0"}
    record_path(tmp_path).write_text(json.dumps(taken))

    assert running(tmp_path) is None
    assert stop(tmp_path) is None
    assert process.is_running()


def test_a_service_that_ended_does_not_run(tmp_path: Path, process: psutil.Process) -> None:
    write_record(tmp_path, record_of(process))
    process.kill()

    wait_for(lambda: running(tmp_path) is None)


def test_a_record_is_removed_only_by_the_process_that_it_names(
    tmp_path: Path, process: psutil.Process
) -> None:
    write_record(tmp_path, record_of(process))

    remove_record(tmp_path, os.getpid())
    assert read_record(tmp_path) is not None

    remove_record(tmp_path, process.pid)
    assert read_record(tmp_path) is None


def test_ending_a_service_ends_what_it_started_and_nothing_else(
    tmp_path: Path, process: psutil.Process
) -> None:
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    [child] = process.children()
    write_record(tmp_path, record_of(process))

    stopped = stop(tmp_path)

    assert stopped is not None
    assert (stopped.pid, stopped.children, stopped.killed) == (process.pid, (child.pid,), ())
    assert not child.is_running()
    assert not process.is_running()
    assert bystander.poll() is None
    assert read_record(tmp_path) is None
    bystander.kill()
    bystander.wait(10)
