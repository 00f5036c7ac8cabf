"""GraphMem itself is killed: the next start takes over or ends the JVM that is left, and touches no other."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from neo4j import AsyncGraphDatabase

from graphmem.local import processes, server
from graphmem.local.layout import Layout
from graphmem.local.neo4j import ManagedNeo4j, State
from graphmem.local.processes import ProcessRecord
from graphmem.local.ready import Neo4jAddress
from graphmem.settings import Settings

pytestmark = pytest.mark.stores

OWNER = """
import asyncio, sys
from pathlib import Path
from graphmem.local.neo4j import ManagedNeo4j

async def own() -> None:
    ports = {"bolt_port": int(sys.argv[3]), "http_port": int(sys.argv[4])}
    managed = ManagedNeo4j(Path(sys.argv[1]), Path(sys.argv[2]), **ports)
    await managed.start()
    print(managed.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(own())
"""

LIMIT_S = 200.0


def own(home: Path) -> subprocess.Popen[str]:
    """A process that starts a managed Neo4j on this home and waits."""
    ports = [str(processes.free_port()), str(processes.free_port())]
    command = [sys.executable, "-c", OWNER, str(home), str(Settings().cache), *ports]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def abandon(home: Path) -> int:
    """The pid of a JVM whose owner was killed after it had started it."""
    with own(home) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        owner.kill()
    return pid


def alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and processes.is_alive(psutil.Process(pid))


async def one(address: Neo4jAddress) -> object:
    login = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.bolt_url, auth=login) as driver:
        return (await driver.execute_query("RETURN 1 AS one")).records[0]["one"]


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process that is none of ours."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"]) as process:
        yield process
        process.kill()


async def test_the_jvm_of_a_killed_owner_is_taken_over_watched_and_stopped(tmp_path: Path) -> None:
    left = abandon(tmp_path)
    assert alive(left)
    managed = ManagedNeo4j(tmp_path, Settings().cache)

    address = await managed.start()

    assert managed.pid == left
    assert await one(address) == 1
    memory = managed.resident_bytes()
    assert memory is not None
    assert memory > 100_000_000

    os.kill(left, signal.SIGKILL)
    deadline = time.monotonic() + LIMIT_S
    while managed.pid in (None, left):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    assert managed.state is State.RUNNING
    assert await one(address) == 1
    await managed.stop()


async def test_a_jvm_with_other_settings_is_replaced(tmp_path: Path) -> None:
    left = abandon(tmp_path)

    async with ManagedNeo4j(tmp_path, Settings().cache, pagecache="64m") as managed:
        assert managed.pid != left
        assert not alive(left)
        assert await one(managed.address) == 1


async def test_a_jvm_that_does_not_answer_is_ended_and_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ADOPTION_S", 1.0)
    monkeypatch.setattr(server, "STOP_S", 1.0)
    left = abandon(tmp_path)
    os.kill(left, signal.SIGSTOP)

    managed = ManagedNeo4j(tmp_path, Settings().cache)
    await managed.start()
    monkeypatch.undo()

    assert managed.pid != left
    assert not alive(left)
    assert await one(managed.address) == 1
    await managed.stop()


async def test_a_jvm_whose_owner_was_killed_during_the_start_is_not_left_over(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    with own(tmp_path) as owner:
        deadline = time.monotonic() + LIMIT_S
        while (record := processes.read_record(layout.record)) is None or record.pid == 0:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.005)
        owner.kill()
    left = record.pid

    async with ManagedNeo4j(tmp_path, Settings().cache) as managed:
        assert await one(managed.address) == 1
        assert managed.pid == left or not alive(left)


async def test_a_foreign_process_with_the_recorded_pid_is_left_alone(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    layout = Layout(tmp_path)
    layout.folder.mkdir(parents=True)
    created = psutil.Process(sleeper.pid).create_time()
    ProcessRecord(processes.new_mark(), sleeper.pid, created, {"bolt": 1, "http": 2}).write(layout.record)

    async with ManagedNeo4j(tmp_path, Settings().cache) as managed:
        assert managed.pid != sleeper.pid
        assert await one(managed.address) == 1

    assert sleeper.poll() is None


async def test_the_jvm_of_another_home_is_left_alone(tmp_path: Path) -> None:
    async with ManagedNeo4j(tmp_path / "one", Settings().cache) as first:
        copied = Layout(tmp_path / "two")
        copied.folder.mkdir(parents=True)
        shutil.copy(Layout(tmp_path / "one").record, copied.record)

        async with ManagedNeo4j(tmp_path / "two", Settings().cache) as second:
            assert second.pid != first.pid
            assert await one(first.address) == 1
            assert await one(second.address) == 1
