"""The managed Neo4j as it runs: answers, is private, obeys its settings, and keeps what it was told."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from neo4j import AsyncGraphDatabase

from graphmem.errors import Misconfigured, Unavailable
from graphmem.local import class_data, processes, starting
from graphmem.local.jars import ensure_jars
from graphmem.local.java import Program
from graphmem.local.layout import Layout
from graphmem.local.neo4j import ManagedNeo4j, State
from graphmem.local.ready import Neo4jAddress
from graphmem.settings import Settings

pytestmark = pytest.mark.stores

GUIDE = "http://127.0.0.1:8642/guide.html"


async def rows(address: Neo4jAddress, query: str) -> list[tuple[Any, ...]]:
    login = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.bolt_url, auth=login) as driver:
        found = await driver.execute_query(query, database_="neo4j")
    return [tuple(record.values()) for record in found.records]


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def disk_bytes(folder: Path) -> int:
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose name has everything that a path may have."""
    return tmp_path_factory.mktemp("managed") / "mémoire, #2 ${x} = y"


@pytest.fixture(scope="module")
def taken() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture(scope="module")
async def managed(home: Path, taken: int) -> AsyncIterator[ManagedNeo4j]:
    """One that found its default ports taken."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starting, "BOLT_PORT", taken)
        patch.setattr(starting, "HTTP_PORT", taken)
        running = ManagedNeo4j(home, Settings().cache, guide_url=GUIDE)
        await running.start()
    yield running
    await running.stop()


async def test_it_answers_a_query_as_soon_as_it_is_started(managed: ManagedNeo4j) -> None:
    assert await rows(managed.address, "RETURN 1") == [(1,)]
    assert managed.state is State.RUNNING
    assert managed.failure is None


async def test_its_password_is_private(managed: ManagedNeo4j, home: Path) -> None:
    layout = Layout(home)
    password = layout.password.read_text(encoding="utf-8").strip()

    assert managed.address.password == password
    assert stat.S_IMODE(layout.password.stat().st_mode) == 0o600
    assert stat.S_IMODE(layout.folder.stat().st_mode) == 0o700
    assert password not in repr(managed.address)
    assert password not in layout.console.read_text(encoding="utf-8")
    assert managed.pid is not None
    jvm = psutil.Process(managed.pid)
    assert password not in " ".join(jvm.cmdline())
    assert password not in " ".join(jvm.environ().values())


async def test_it_listens_on_the_loopback_address_only(managed: ManagedNeo4j) -> None:
    assert managed.pid is not None
    connections = psutil.Process(managed.pid).net_connections(kind="inet")
    listening = {each.laddr for each in connections if each.status == psutil.CONN_LISTEN}

    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
    ports = {managed.address.bolt_url.rsplit(":", 1)[1], managed.address.http_url.rsplit(":", 1)[1]}
    assert {str(address.port) for address in listening} == ports


async def test_it_shares_no_process_group_with_us(managed: ManagedNeo4j) -> None:
    assert managed.pid is not None
    assert os.getpgid(managed.pid) == managed.pid
    assert os.getsid(managed.pid) == managed.pid


async def test_it_serves_the_browser_and_no_other_http(managed: ManagedNeo4j) -> None:
    async with httpx.AsyncClient(base_url=managed.address.http_url) as client:
        page = await client.get("/browser/")
        query = await client.post("/db/neo4j/query/v2", json={"statement": "RETURN 1"})

    assert page.status_code == 200
    assert "<title>Neo4j Browser</title>" in page.text
    assert query.status_code == 404


async def test_the_browser_opens_the_guide_and_sends_nothing(managed: ManagedNeo4j) -> None:
    found: dict[str, str] = dict(
        await rows(managed.address, "CALL dbms.clientConfig() YIELD name, value RETURN name, value")
    )

    assert found["browser.post_connect_cmd"] == f"play {GUIDE}"
    assert found["browser.remote_content_hostname_whitelist"] == "127.0.0.1"
    assert found["client.allow_telemetry"] == "false"


async def test_its_memory_and_logs_are_bounded(managed: ManagedNeo4j) -> None:
    names = [
        "db.logs.query.enabled",
        "db.query.default_language",
        "db.tx_log.preallocate",
        "db.tx_log.rotation.retention_policy",
        "db.tx_log.rotation.size",
        "dbms.usage_report.enabled",
        "server.memory.pagecache.size",
    ]
    query = f"SHOW SETTINGS YIELD name, value WHERE name IN {names} RETURN name, value"
    found: dict[str, str] = dict(await rows(managed.address, query))

    assert found == {
        "db.logs.query.enabled": "OFF",
        "db.query.default_language": "CYPHER_25",
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.retention_policy": "2 days 512M",
        "db.tx_log.rotation.size": "32.00MiB",
        "dbms.usage_report.enabled": "false",
        "server.memory.pagecache.size": "128.00MiB",
    }


async def test_it_starts_from_class_data(managed: ManagedNeo4j) -> None:
    assert managed.pid is not None
    flags = [word for word in psutil.Process(managed.pid).cmdline() if word.startswith("-XX:SharedArchive")]

    program = Program(tuple(ensure_jars(Settings().cache)))
    archive = class_data.archive_path(Settings().cache, program)
    assert flags == [f"-XX:SharedArchiveFile={archive}"]
    assert "[cds" not in managed.log_path.read_text(encoding="utf-8")


async def test_everything_it_writes_is_in_its_home(managed: ManagedNeo4j, home: Path) -> None:
    assert files(home.parent) == {home.name}
    assert files(home / "logs" / "neo4j") >= {"console.log", "debug.log", "neo4j.log"}
    assert files(home) == {"logs", "neo4j"}
    assert not Layout(home).unfinished.exists()


async def test_an_empty_store_is_small(managed: ManagedNeo4j, home: Path) -> None:
    used = disk_bytes(home)
    memory = managed.resident_bytes()

    assert used < 16_000_000
    assert memory is not None
    assert 100_000_000 < memory < 1_200_000_000


async def test_a_second_one_on_the_same_home_is_refused_and_harms_nothing(
    managed: ManagedNeo4j, home: Path
) -> None:
    second = ManagedNeo4j(home, Settings().cache, guide_url=GUIDE)

    with pytest.raises(Misconfigured, match="in use by another GraphMem"):
        await second.start()

    assert second.state is State.FAILED
    assert second.pid is None
    await second.stop()
    assert await rows(managed.address, "RETURN 1") == [(1,)]


async def test_a_started_one_is_not_started_twice(managed: ManagedNeo4j) -> None:
    with pytest.raises(RuntimeError, match="running already"):
        await managed.start()


async def test_stop_ends_the_jvm_and_a_new_start_finds_everything(tmp_path: Path) -> None:
    managed = ManagedNeo4j(tmp_path, Settings().cache)
    first = await managed.start()
    await rows(first, "CREATE (:Kept {text: 'still here'})")
    pid = managed.pid
    assert pid is not None

    await managed.stop()
    await managed.stop()

    assert not psutil.pid_exists(pid)
    assert managed.pid is None
    assert managed.resident_bytes() is None
    assert managed.state is State.STOPPED
    assert not Layout(tmp_path).record.exists()
    with pytest.raises(Unavailable, match="the managed Neo4j is stopped"):
        _ = managed.address

    async with managed:
        assert managed.address.password == first.password
        assert await rows(managed.address, "MATCH (k:Kept) RETURN k.text") == [("still here",)]


async def test_a_taken_default_port_gives_way(managed: ManagedNeo4j, taken: int) -> None:
    assert managed.address.bolt_url != f"bolt://127.0.0.1:{taken}"
    assert managed.address.http_url != f"http://127.0.0.1:{taken}"


@pytest.mark.parametrize("name", ["bolt", "http"])
async def test_a_set_port_that_is_taken_is_refused(tmp_path: Path, taken: int, name: str) -> None:
    bolt, http = (taken, None) if name == "bolt" else (None, taken)
    refused = ManagedNeo4j(tmp_path, Settings().cache, bolt_port=bolt, http_port=http)

    with pytest.raises(Misconfigured, match=f"the {name} port {taken} of Neo4j is in use"):
        await refused.start()

    assert refused.state is State.FAILED
    assert not Layout(tmp_path).console.exists()
    await refused.stop()


async def test_a_set_port_is_the_port(tmp_path: Path) -> None:
    bolt, http = processes.free_port(), processes.free_port()

    async with ManagedNeo4j(tmp_path, Settings().cache, bolt_port=bolt, http_port=http) as managed:
        assert managed.address.bolt_url == f"bolt://127.0.0.1:{bolt}"
        assert managed.address.http_url == f"http://127.0.0.1:{http}"


async def test_a_start_that_loses_the_race_for_a_port_takes_another(
    tmp_path: Path, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    offers = iter([taken])
    free_port = processes.free_port
    monkeypatch.setattr(processes, "free_port", lambda wanted=None: next(offers, None) or free_port())

    async with ManagedNeo4j(tmp_path, Settings().cache) as managed:
        assert managed.address.bolt_url != f"bolt://127.0.0.1:{taken}"
        assert await rows(managed.address, "RETURN 1") == [(1,)]


async def test_a_failed_start_shows_the_end_of_the_log_and_leaves_nothing(tmp_path: Path) -> None:
    managed = ManagedNeo4j(tmp_path, Settings().cache, heap="1k")

    with pytest.raises(Unavailable) as failed:
        await managed.start()

    text = str(failed.value)
    assert text.startswith("Neo4j did not start: its process ended.\nThe end of ")
    assert str(managed.log_path) in text
    assert "Too small maximum heap" in text
    assert managed.state is State.FAILED
    assert not Layout(tmp_path).record.exists()
    await managed.stop()


async def test_a_lost_password_is_named_before_anything_starts(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    (layout.folder / "data" / "databases" / "system").mkdir(parents=True)
    managed = ManagedNeo4j(tmp_path, Settings().cache)

    with pytest.raises(Misconfigured, match=r"password is missing.*put the file back from a backup"):
        await managed.start()

    assert not layout.console.exists()
