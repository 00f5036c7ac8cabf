"""The JVM dies: it comes back with everything, or the failure is seen."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from neo4j import AsyncGraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from graphmem.errors import Unavailable
from graphmem.local import neo4j, processes
from graphmem.local.layout import Layout
from graphmem.local.neo4j import ManagedNeo4j, State
from graphmem.local.ready import Neo4jAddress
from graphmem.settings import Settings

pytestmark = pytest.mark.stores

LIMIT_S = 200.0


async def until(condition: Callable[[], bool]) -> None:
    """Returns when the condition holds; fails after LIMIT_S."""
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true in time"
        await asyncio.sleep(0.02)


def managed_on(home: Path, on_restart: Callable[[Neo4jAddress], None] | None = None) -> ManagedNeo4j:
    bolt, http = processes.free_port(), processes.free_port()
    return ManagedNeo4j(home, Settings().cache, bolt_port=bolt, http_port=http, on_restart=on_restart)


def kill(managed: ManagedNeo4j) -> int:
    pid = managed.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    return pid


async def test_a_killed_jvm_comes_back_on_its_ports_with_every_acknowledged_write(tmp_path: Path) -> None:
    told: list[Neo4jAddress] = []
    async with managed_on(tmp_path, told.append) as managed:
        address = managed.address
        login = (address.user, address.password)
        async with AsyncGraphDatabase.driver(address.bolt_url, auth=login) as driver:
            for number in range(20):
                await driver.execute_query("CREATE (:Kept {number: $number})", number=number)
            pid = kill(managed)
            await until(lambda: managed.state is not State.RUNNING)
            await until(lambda: managed.state is State.RUNNING)

            found = await driver.execute_query("MATCH (k:Kept) RETURN k.number AS n ORDER BY n")

        assert [record["n"] for record in found.records] == list(range(20))
        assert managed.address == address
        assert told == [address]
        assert managed.pid not in (None, pid)
        assert managed.failure is None
        assert not psutil.pid_exists(pid)


async def test_one_that_does_not_come_back_is_given_up_visibly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neo4j, "PAUSES_S", (0.0, 0.0))
    managed = managed_on(tmp_path)
    address = await managed.start()
    port = int(address.bolt_url.rsplit(":", 1)[1])
    pid = kill(managed)
    await until(lambda: managed.state is not State.RUNNING)
    with socket.socket() as intruder:
        intruder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        intruder.bind(("127.0.0.1", port))
        intruder.listen()
        await until(lambda: managed.state is State.FAILED)

    assert not psutil.pid_exists(pid)
    assert managed.failure is not None
    assert managed.failure.startswith(f"the bolt port {port} of Neo4j is in use") or (
        managed.failure.startswith("Neo4j did not start: its process ended.")
        and "Address already in use" in managed.failure
    )
    assert managed.pid is None
    await managed.stop()
    processes.home_lock(Layout(tmp_path).folder).release()


async def test_stop_during_a_restart_leaves_nothing(tmp_path: Path) -> None:
    managed = managed_on(tmp_path)
    await managed.start()
    first = kill(managed)
    layout = Layout(tmp_path)
    await until(lambda: managed.state is State.RESTARTING)
    await until(lambda: _recorded_pid(layout) not in (0, first))
    second = _recorded_pid(layout)

    await managed.stop()

    assert not psutil.pid_exists(second)
    assert not layout.record.exists()
    assert managed.state is State.STOPPED


async def test_a_cancelled_start_leaves_nothing(tmp_path: Path) -> None:
    managed = managed_on(tmp_path)
    starting = asyncio.create_task(managed.start())
    layout = Layout(tmp_path)
    await until(lambda: _recorded_pid(layout) != 0)
    pid = _recorded_pid(layout)

    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting

    assert not psutil.pid_exists(pid)
    assert not layout.record.exists()
    processes.home_lock(layout.folder).release()


async def test_a_first_start_that_was_cut_short_is_begun_anew(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    managed = managed_on(tmp_path)
    starting = asyncio.create_task(managed.start())
    half_made = layout.data / "databases" / "neo4j" / "neostore.counts.db"
    await until(half_made.exists)
    os.kill(_recorded_pid(layout), signal.SIGKILL)
    with pytest.raises(Unavailable):
        await starting
    password = layout.password.read_text(encoding="utf-8")
    assert layout.unfinished.exists()

    address = await managed.start()

    assert address.password == password.strip()
    assert not layout.unfinished.exists()
    await managed.stop()


async def test_a_database_that_does_not_open_is_said_at_once_and_left_as_it_is(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    managed = managed_on(tmp_path)
    await managed.start()
    await managed.stop()
    shutil.rmtree(layout.data / "transactions" / "neo4j")
    store = layout.data / "databases" / "neo4j" / "neostore"
    before = store.read_bytes()

    with pytest.raises(Unavailable, match=r"its database does not open, see debug\.log: "):
        await managed.start()

    assert store.read_bytes() == before
    await managed.stop()


async def test_a_database_that_stops_inside_waits_for_room_and_comes_back_with_every_acknowledged_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A limit on the size of its files stands for a full disk; more looks than restarts find no room."""
    monkeypatch.setattr(neo4j, "CHECK_S", 0.2)
    monkeypatch.setattr(neo4j, "ROOM_POLL_S", 0.02)
    looks: list[Path] = []

    def full_ten_times(folder: Path) -> None:
        looks.append(folder)
        if len(looks) <= 10:
            raise Unavailable("the disk is full")

    monkeypatch.setattr(neo4j, "require_room_to_start", full_ten_times)
    async with managed_on(tmp_path) as managed:
        address = managed.address
        login = (address.user, address.password)
        async with AsyncGraphDatabase.driver(address.bolt_url, auth=login) as driver:
            await driver.execute_query("CREATE (:Kept {number: 0})")
            _limit_files(managed.pid, 1)
            with pytest.raises((Neo4jError, DriverError)):
                await driver.execute_query("CREATE (:Kept {number: 1})")
            await until(lambda: managed.failure == "the disk is full")
            assert managed.state is State.RESTARTING
            await until(lambda: managed.state is State.RUNNING)

            await driver.execute_query("CREATE (:Kept {number: 2})")
            found = await driver.execute_query("MATCH (k:Kept) RETURN k.number AS n ORDER BY n")

        assert [record["n"] for record in found.records] in ([0, 2], [0, 1, 2])
        assert looks == [Layout(tmp_path).folder] * 11
        assert managed.failure is None
        assert "Neo4j's database stopped by an error inside it" in caplog.text
        assert caplog.text.count("Neo4j waits for room: the disk is full") == 1


async def test_a_stop_while_it_waits_for_room_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path) -> None:
        raise Unavailable("the disk is full")

    managed = managed_on(tmp_path)
    await managed.start()
    monkeypatch.setattr(neo4j, "require_room_to_start", full)
    pid = kill(managed)
    await until(lambda: managed.failure == "the disk is full")

    await managed.stop()

    assert managed.state is State.STOPPED
    assert not psutil.pid_exists(pid)
    processes.home_lock(Layout(tmp_path).folder).release()


def _limit_files(pid: int | None, size: int) -> None:
    _, hard = psutil.Process(pid).rlimit(psutil.RLIMIT_FSIZE)
    psutil.Process(pid).rlimit(psutil.RLIMIT_FSIZE, (size, hard))


def _recorded_pid(layout: Layout) -> int:
    record = processes.read_record(layout.record)
    return 0 if record is None else record.pid
