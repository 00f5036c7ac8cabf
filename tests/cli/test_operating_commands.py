"""Export, import, status, doctor, reindex: what they ask the service and what they make of the answer."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from graphmem.service.engines import engine_name
from tests.cli.conftest import (
    TOKEN,
    Command,
    ScriptedService,
    hit_answer,
    page_answer,
)

STATUS: dict[str, object] = {
    "version": "0.1.0",
    "ready": True,
    "degraded": [],
    "memories": 7,
    "outboxWaiting": 1,
    "outboxDead": 0,
    "oldestWaitingSeconds": 0.5,
    "changesUnnumbered": 0,
    "embedder": "minilm",
    "vectors": "edge",
    "neo4j": "Neo4j/2026.09.0",
    "collection": "c",
    "deadLetters": [],
}


def test_export_to_a_file_is_whole_and_for_its_owner_only(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    service.exported = [b'{"id":"1"}\n', b'{"id":"2"}\n']
    file = tmp_path / "all.jsonl"

    ended = graphmem("export", str(file), "--json")

    assert file.read_bytes() == b'{"id":"1"}\n{"id":"2"}\n'
    assert ended.document == {"file": str(file), "lines": 2, "bytes": 22}
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(tmp_path.glob("*.jsonl*")) == [file]


def test_export_does_not_replace_a_file_unless_told_to(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    service.exported = [b"{}\n"]
    file = tmp_path / "all.jsonl"
    file.write_text("precious")

    assert graphmem("export", str(file)).code == 2
    assert file.read_text() == "precious"
    assert graphmem("export", str(file), "--force").code == 0
    assert file.read_text() == "{}\n"


def test_export_without_a_file_writes_lines_to_stdout(graphmem: Command, service: ScriptedService) -> None:
    service.exported = [b'{"content":"Z\xc3\xbcrich"}\n']

    assert graphmem("export").out == '{"content":"Zürich"}\n'


def test_import_jsonl_sends_the_file_and_counts_what_every_import_counts(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(b'{"id":"1"}\n' * 20_000)

    ended = graphmem("import", "jsonl", str(file), "--no-wait", "--json")

    assert service.imported == file.read_bytes()
    assert ended.document["stored"] == 20_000
    assert {"superseded", "moved", "unchanged", "vanished", "pruned", "failed"} <= ended.document.keys()


def test_a_file_that_is_not_there_is_named(graphmem: Command, service: ScriptedService) -> None:
    ended = graphmem("import", "jsonl", "/nowhere.jsonl")

    assert (ended.code, ended.err) == (
        2,
        "error: FILE is '/nowhere.jsonl', which cannot be read: No such file or directory\n",
    )


def test_every_request_carries_the_token_and_no_output_does(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("Search", "search", page_answer(hit_answer()))

    ended = graphmem("search", "fading", "--json")

    assert service.tokens == [f"Bearer {TOKEN}"]
    assert TOKEN not in ended.out + ended.err


def test_an_answer_of_another_shape_is_said_to_be_no_graphmem(
    graphmem: Command, service: ScriptedService
) -> None:
    service.answers["Search"] = {"data": {"search": {"surprise": True}}}

    ended = graphmem("search", "fading")

    assert ended.code == 3
    assert "does not answer as GraphMem does" in ended.err


def test_status_of_a_service_elsewhere_shows_what_it_says(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("Status", "status", STATUS)

    ended = graphmem("status", "--json")

    assert ended.code == 0
    assert (ended.document["url"], ended.document["ready"]) == (f"{service.url}/graphql", True)
    assert (ended.document["memories"], ended.document["outbox_waiting"]) == (7, 1)
    assert ended.document["neo4j"] == {"state": "Neo4j/2026.09.0"}


def test_a_service_that_answers_but_not_well_is_code_3_with_the_problem(
    graphmem: Command, service: ScriptedService
) -> None:
    service.refuses("Status", "Neo4j does not answer", code="UNAVAILABLE")

    ended = graphmem("status", "--json")

    assert (ended.code, ended.document["running"], ended.document["ready"]) == (3, True, False)
    assert ended.document["problem"] == "Neo4j does not answer"


def test_doctor_of_a_service_elsewhere_fails_when_a_comparison_does(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("Doctor", "doctor", [{"check": "vectors", "ok": False, "detail": "2 of 7 are missing"}])

    ended = graphmem("doctor", "--json")

    assert ended.code == 1
    finding = {"check": "vectors", "verdict": "failed", "detail": "2 of 7 are missing"}
    assert ended.document == {"healthy": False, "findings": [finding]}


def test_doctor_finds_that_a_service_cannot_compare_its_stores(
    graphmem: Command, service: ScriptedService
) -> None:
    service.refuses("Doctor", "Neo4j does not answer", code="UNAVAILABLE")

    ended = graphmem("doctor", "--json")

    assert ended.code == 1
    finding = {"check": "service", "verdict": "failed", "detail": "Neo4j does not answer"}
    assert ended.document == {"healthy": False, "findings": [finding]}


def test_reindex_prints_what_was_indexed(graphmem: Command, service: ScriptedService) -> None:
    service.says("Reindex", "reindex", {"indexed": 7, "collection": "c2", "seconds": 0.5})

    assert graphmem("reindex", "--json").document == {"indexed": 7, "collection": "c2", "seconds": 0.5}


@pytest.mark.parametrize(
    ("setting", "value", "runs", "named"),
    [
        ("GRAPHMEM_EMBEDDER", "hash", {}, ("embeds with minilm", "GRAPHMEM_EMBEDDER is hash")),
        ("GRAPHMEM_EMBEDDER", "minilm", {"embedder": None}, ("embeds with none", "is minilm")),
        (
            "GRAPHMEM_QDRANT_URL",
            "http://vectors.example.org:6333",
            {},
            ("keeps vectors in embedded", "means Qdrant server vectors.example.org"),
        ),
    ],
    ids=["another embedder", "no embedder", "another engine"],
)
def test_reindex_does_not_ask_a_service_that_runs_with_other_settings(
    graphmem: Command,
    local_service: ScriptedService,
    monkeypatch: pytest.MonkeyPatch,
    setting: str,
    value: str,
    runs: dict[str, object],
    named: tuple[str, str],
) -> None:
    local_service.says("Status", "status", STATUS | {"vectors": engine_name(None)} | runs)
    monkeypatch.setenv(setting, value)

    ended = graphmem("reindex")

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert all(part in ended.err for part in (*named, "run `graphmem down`"))
    assert [name for name, _ in local_service.asked] == ["Status"]


def test_reindex_refuses_without_a_secret_of_the_setting(
    graphmem: Command, local_service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    local_service.says("Status", "status", STATUS | {"vectors": engine_name(None)})
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "openai:m@http://user:secret@example.org")

    assert "(here GRAPHMEM_EMBEDDER is openai:m@…)" in graphmem("reindex").err


@pytest.mark.parametrize(
    ("wanted", "runs"),
    [("minilm", "minilm"), ("openai:m@http://h/v1/", "openai:m@http://h/v1"), ("none", None)],
)
def test_reindex_asks_a_service_that_runs_as_is_set(
    graphmem: Command,
    local_service: ScriptedService,
    monkeypatch: pytest.MonkeyPatch,
    wanted: str,
    runs: str | None,
) -> None:
    local_service.says("Status", "status", STATUS | {"vectors": engine_name(None), "embedder": runs})
    local_service.says("Reindex", "reindex", {"indexed": 7, "collection": "c2", "seconds": 0.5})
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", wanted)

    assert graphmem("reindex", "--json").document["indexed"] == 7


def test_json_output_is_utf8_whatever_the_locale(
    graphmem: Command, service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.says("Search", "search", page_answer(hit_answer(content="Zürich 東京")))
    written = io.BytesIO()
    ascii_stream = io.TextIOWrapper(written, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", ascii_stream)

    graphmem("search", "fading", "--json")

    ascii_stream.flush()
    assert json.loads(written.getvalue().decode("utf-8"))["hits"][0]["content"] == "Zürich 東京"
