"""Starting: the port, the doorway, and how a start in the background is told."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse

from graphmem.cli.doorway import Doorway
from graphmem.cli.listening import FIRST_PORT, address, listen
from graphmem.cli.logs import report_path
from graphmem.cli.reports import Ready, Refused, ReportFile, ReportReader
from graphmem.errors import InvalidInput, Misconfigured
from tests.cli.conftest import Command


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


class Heard:
    """What a progress was told, in order."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int | str]] = []

    def total(self, amount: int) -> None:
        self.calls.append(("total", amount))

    def advance(self, amount: int) -> None:
        self.calls.append(("advance", amount))

    def message(self, text: str) -> None:
        self.calls.append(("message", text))


def test_a_port_that_was_set_and_is_taken_is_refused_with_the_way_out(taken: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        listen("127.0.0.1", taken)

    assert refused.value.field == "GRAPHMEM_PORT"
    assert f"is {taken}" in str(refused.value)
    assert "unset it" in str(refused.value)


def test_serve_with_a_taken_port_is_code_2_and_opens_nothing(
    graphmem: Command, home: Path, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_PORT", str(taken))

    ended = graphmem("serve", "--json")

    assert ended.code == 2
    assert ended.document["error"]["field"] == "GRAPHMEM_PORT"
    assert ended.err.splitlines()[1:] == [f"error: {ended.document['error']['message']}"]
    assert "INVALID_INPUT: GRAPHMEM_PORT" in (home / "logs" / "service.log").read_text()
    assert not (home / "neo4j").exists()
    assert not (home / "service.json").exists()


def test_without_a_port_the_next_free_one_is_taken() -> None:
    with listen("127.0.0.1", None) as one, listen("127.0.0.1", None) as other:
        ports = [one.getsockname()[1], other.getsockname()[1]]

    assert FIRST_PORT <= ports[0] < ports[1]


def test_a_port_that_was_left_a_moment_ago_is_free() -> None:
    with listen("127.0.0.1", None) as listening:
        where = listening.getsockname()
        with socket.create_connection(where) as client:
            accepted, _ = listening.accept()
            # The side that closes first keeps the port for a minute, unless it is asked for in the right way.
            accepted.close()
            client.recv(1)

    with listen("127.0.0.1", where[1]) as again:
        assert again.getsockname() == where


def test_a_host_of_another_machine_is_refused() -> None:
    with pytest.raises(InvalidInput) as refused:
        listen("192.0.2.1", None)

    assert refused.value.field == "GRAPHMEM_HOST"


@pytest.mark.parametrize(
    ("host", "url"), [("127.0.0.1", "http://127.0.0.1:"), ("0.0.0.0", "http://127.0.0.1:")], ids=str
)
def test_the_address_is_one_that_this_machine_reaches(host: str, url: str) -> None:
    with listen(host, None) as listening:
        assert address(listening).startswith(url)


async def test_while_it_opens_the_service_is_alive_and_not_ready() -> None:
    doorway = Doorway()
    transport = httpx.ASGITransport(doorway)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        alive = await client.get("/health")
        ready = await client.get("/ready")
        asked = await client.post("/graphql", json={"query": "{ status { ready } }"})

        assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
        assert (ready.status_code, ready.json()) == (503, {"ready": False, "degraded": False})
        assert (asked.status_code, asked.headers["retry-after"]) == (503, "1")
        assert asked.json()["errors"][0]["extensions"] == {"code": "UNAVAILABLE"}

        doorway.open(PlainTextResponse("inside"))
        assert (await client.get("/ready")).text == "inside"


def test_a_start_is_told_in_order_and_once(tmp_path: Path) -> None:
    heard = Heard()
    told = ReportFile(tmp_path / "start.jsonl")
    reader = ReportReader(tmp_path / "start.jsonl", heard)

    told.message("downloading Neo4j")
    told.total(100)
    told.advance(60)
    assert reader.poll() is None
    told.advance(-10)
    assert reader.poll() is None
    told.ready("http://127.0.0.1:8420/graphql")

    assert reader.poll() == Ready("http://127.0.0.1:8420/graphql")
    assert heard.calls == [
        ("message", "downloading Neo4j"),
        ("total", 100),
        ("advance", 60),
        ("advance", -10),
    ]


def test_a_line_that_is_not_whole_yet_waits(tmp_path: Path) -> None:
    file = tmp_path / "start.jsonl"
    heard = Heard()
    reader = ReportReader(file, heard)
    line = json.dumps({"message": "starting Neo4j"}) + "\n"

    assert reader.poll() is None
    file.write_text(line + line[:10])
    assert reader.poll() is None
    assert heard.calls == [("message", "starting Neo4j")]
    file.write_text(line + line)
    reader.poll()

    assert heard.calls == [("message", "starting Neo4j")] * 2


def test_a_start_that_was_refused_says_why(tmp_path: Path) -> None:
    told = ReportFile(tmp_path / "start.jsonl")

    told.refused(Misconfigured("the store was written by a newer version"))

    end = ReportReader(tmp_path / "start.jsonl", Heard()).poll()
    assert end == Refused("MISCONFIGURED", "the store was written by a newer version")


def test_up_repeats_what_the_service_says_and_leaves_no_process(
    graphmem: Command, home: Path, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_PORT", str(taken))

    ended = graphmem("up", "--json")

    assert ended.code == 2
    assert f"GRAPHMEM_PORT is {taken}" in ended.document["error"]["message"]
    assert not (home / "service.json").exists()


def test_on_a_full_disk_no_service_is_started(
    graphmem: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(9, 9, 2**27 - 1))

    ended = graphmem("up")

    assert ended.code == 2
    assert "the disk of the stores has 127 MiB free, starting needs 128" in ended.err
    assert not report_path(home).exists()


def test_a_home_that_cannot_be_made_is_refused(graphmem: Command, home: Path) -> None:
    home.write_text("a file")

    ended = graphmem("up")

    assert ended.code == 2
    assert f"GRAPHMEM_HOME is {home}" in ended.err
    assert os.path.isfile(home)
