"""Class data that are broken, or with which the JVM dies, cost one slow start and nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest
from neo4j import AsyncGraphDatabase

from graphmem.local import class_data, processes
from graphmem.local.jars import ensure_jars
from graphmem.local.java import Program
from graphmem.local.layout import Layout
from graphmem.local.neo4j import ManagedNeo4j
from graphmem.settings import Settings

pytestmark = pytest.mark.stores

LIMIT_S = 100.0


def printed(layout: Layout) -> str:
    return layout.console.read_text(encoding="utf-8") if layout.console.exists() else ""


async def starting_pid(layout: Layout) -> int:
    """The JVM that is being started, as soon as it runs Neo4j."""
    deadline = time.monotonic() + LIMIT_S
    while "Starting..." not in printed(layout):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.005)
    record = processes.read_record(layout.record)
    assert record is not None
    return record.pid


async def test_a_jvm_that_dies_with_its_class_data_is_started_without_them(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "jars").symlink_to(ensure_jars(Settings().cache)[0].parent)
    program = Program(tuple(ensure_jars(cache)))
    archive = class_data.archive_path(cache, program)
    archive.parent.mkdir()
    archive.write_bytes(os.urandom(1_000_000))

    bolt, http = processes.free_port(), processes.free_port()
    managed = ManagedNeo4j(tmp_path / "home", cache, bolt_port=bolt, http_port=http)
    starting = asyncio.create_task(managed.start())
    first = await starting_pid(Layout(tmp_path / "home"))
    os.kill(first, signal.SIGSEGV)
    address = await starting

    assert managed.pid != first
    assert Layout(tmp_path / "home").crash_log(first).exists()
    assert not archive.exists()
    login = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.bolt_url, auth=login) as driver:
        assert (await driver.execute_query("RETURN 1 AS one")).records[0]["one"] == 1
    await managed.stop()
