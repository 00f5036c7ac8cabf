"""What each command asks the service, and what it makes of the answer."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import TOKEN, Command, ScriptedService, memory_answer

ID = "019a0000-0000-7000-8000-000000000001"


def receipt(action: str, **memory: object) -> dict[str, object]:
    shown = memory_answer(**memory)
    return {
        "action": action,
        "memoryId": ID,
        "memory": shown,
        "reason": None,
        "indexed": False,
        "warnings": ["close to another one"],
    }


def hit(**changes: object) -> dict[str, object]:
    return {
        "cursor": "c1",
        "score": 0.75,
        "why": "both words, near in meaning",
        "contributions": [
            {"channel": "KEYWORD", "score": 1.0, "weight": 0.5, "value": 0.5},
            {"channel": "VECTOR", "score": 0.5, "weight": 0.5, "value": 0.25},
        ],
        "node": memory_answer(**changes),
    }


def page(*hits: dict[str, object], more: bool = False, degraded: tuple[str, ...] = ()) -> dict[str, object]:
    info = {"hasNextPage": more, "endCursor": "c1" if hits else None}
    return {"edges": list(hits), "pageInfo": info, "degraded": list(degraded), "termsDropped": 0}


def test_remember_sends_what_was_said_and_nothing_else(graphmem: Command, service: ScriptedService) -> None:
    service.says("Remember", "storeFact", receipt("STORED"))

    ended = graphmem(
        *("remember", "/projects/embornal", "Signal strength fades.", "--kind", "lesson", "--tag", "a=1"),
        *("--tag", "b=2", "--keyword", "fading", "--importance", "0.5", "--key", "k1", "--json"),
    )

    assert ended.code == 0
    assert service.asked == [
        (
            "Remember",
            {
                "input": {
                    "path": "/projects/embornal",
                    "content": "Signal strength fades.",
                    "kind": "LESSON",
                    "tags": ["a=1", "b=2"],
                    "keywords": ["fading"],
                    "importance": 0.5,
                    "idempotencyKey": "k1",
                }
            },
        )
    ]
    assert (ended.document["action"], ended.document["id"]) == ("STORED", ID)
    assert ended.document["memory"]["path"] == "/projects/embornal"


def test_a_receipt_in_a_pipe_is_names_and_values(graphmem: Command, service: ScriptedService) -> None:
    service.says("Remember", "storeFact", receipt("MERGED"))

    ended = graphmem("remember", "/projects/embornal", "Signal strength fades.")

    assert ended.out.splitlines() == [
        "action\tMERGED",
        f"id\t{ID}",
        "path\t/projects/embornal",
        "version\t1",
        "searchable by meaning\tnot yet",
        "warning\tclose to another one",
    ]


def test_remember_reads_standard_input_as_it_is(
    graphmem: Command, service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.says("Remember", "storeFact", receipt("STORED"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("  Zürich\n".encode())))

    graphmem("remember", "/a", "-")

    assert service.asked[0][1]["input"]["content"] == "  Zürich\n"


def test_standard_input_that_is_not_utf8_is_refused_and_nothing_is_sent(
    graphmem: Command, service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9")))

    ended = graphmem("remember", "/a", "-")

    assert (ended.code, ended.err) == (2, "error: standard input is not UTF-8 at byte 3\n")
    assert service.asked == []


def test_half_a_character_reaches_the_service_which_refuses_it(
    graphmem: Command, service: ScriptedService
) -> None:
    service.refuses("Remember", "content has half a character at 3", code="INVALID_INPUT", field="content")

    ended = graphmem("remember", "/a", "caf\udce9")

    assert ended.code == 2
    assert service.asked[0][1]["input"]["content"] == "caf\udce9"


def test_search_narrows_by_every_option(graphmem: Command, service: ScriptedService) -> None:
    service.says("Search", "search", page(hit()))

    graphmem(
        *("search", "fading", "--first", "3", "--after", "c0", "--mode", "keyword", "--under", "/projects"),
        *("--label", "fact", "--kind", "lesson", "--kind", "pin", "--keyword", "k", "--tag", "a=1"),
        *("--source", "notes.md", "--created-after", "2026-01-01T00:00:00Z"),
        *("--created-before", "2026-02-01T00:00:00Z"),
    )

    assert service.asked == [
        (
            "Search",
            {
                "query": "fading",
                "first": 3,
                "after": "c0",
                "mode": "KEYWORD",
                "filter": {
                    "under": "/projects",
                    "labels": ["FACT"],
                    "kinds": ["LESSON", "PIN"],
                    "keywords": ["k"],
                    "tags": ["a=1"],
                    "source": "notes.md",
                    "createdAfter": "2026-01-01T00:00:00Z",
                    "createdBefore": "2026-02-01T00:00:00Z",
                },
            },
        )
    ]


def test_search_json_holds_hits_with_id_path_content_score_and_what_explains_them(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("Search", "search", page(hit(title="Fading"), more=True, degraded=("vectors are away",)))

    ended = graphmem("search", "fading", "--json")

    found = ended.document["hits"][0]
    assert (found["id"], found["path"], found["score"]) == (ID, "/projects/embornal", 0.75)
    assert (found["content"], found["title"], found["label"]) == ("Signal strength fades.", "Fading", "Fact")
    assert [each["value"] for each in found["contributions"]] == [0.5, 0.25]
    assert found["why"] == "both words, near in meaning"
    assert ended.document["degraded"] == ["vectors are away"]
    assert (ended.document["has_next_page"], ended.document["end_cursor"]) == (True, "c1")


def test_search_in_a_pipe_is_a_line_a_hit_with_its_channels(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("Search", "search", page(hit(), more=True))

    ended = graphmem("search", "fading", "--explain")

    row = [
        "0.750",
        "/projects/embornal",
        "FACT",
        "keyword 0.500 + vector 0.250",
        "Signal strength fades.",
        ID,
    ]
    assert ended.out == "\t".join(row) + "\n"
    assert ended.err == "more: --after c1\n"


def test_a_heading_that_says_the_title_again_is_shown_once(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("Search", "search", page(hit(title="Fading", content="## Fading\n\nStrength fades.")))

    assert graphmem("search", "fading").out.split("\t")[3] == "Fading: Strength fades."


def test_a_search_without_hits_is_no_failure(graphmem: Command, service: ScriptedService) -> None:
    service.says("Search", "search", page())

    ended = graphmem("search", "nothing like it")

    assert (ended.code, ended.out, ended.err) == (0, "", "nothing found\n")


def test_why_not_asks_for_the_step_at_which_a_memory_fell_out(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("WhyNot", "whyNot", {"found": False, "step": "filter", "detail": "its kind is RUN"})

    ended = graphmem("search", "fading", "--kind", "fact", "--why-not", ID, "--json")

    assert ended.document == {"found": False, "step": "filter", "detail": "its kind is RUN"}
    assert service.asked[0][1]["filter"] == {"kinds": ["FACT"]}


def test_tree_in_a_pipe_is_whole_paths(graphmem: Command, service: ScriptedService) -> None:
    def path(at: str, here: int, below: int) -> dict[str, object]:
        known: dict[str, object] = {"path": at, "segment": at.rpartition("/")[2], "displayName": None}
        return known | {"labels": ["Path"], "memoryCount": here, "memoryCountBelow": below, "childCount": 1}

    service.says("Tree", "tree", [path("/projects", 0, 3), path("/projects/embornal", 3, 3)])

    ended = graphmem("tree", "/projects", "--depth", "1")

    assert ended.out == "/projects\t0\t3\tPath\n/projects/embornal\t3\t3\tPath\n"
    assert service.asked == [("Tree", {"root": "/projects", "depth": 1})]


def test_cat_of_a_path_lists_its_memories(graphmem: Command, service: ScriptedService) -> None:
    info = {"hasNextPage": False, "endCursor": None}
    memories = {"nodes": [memory_answer(title="Fading")], "pageInfo": info}
    place = {"path": "/projects/embornal", "displayName": None, "memoryCount": 1, "memories": memories}
    service.says("CatPath", "path", place)

    ended = graphmem("cat", "/projects/embornal", "--json")

    assert ended.document["path"] == "/projects/embornal"
    assert [each["content"] for each in ended.document["memories"]] == ["Signal strength fades."]


def test_cat_of_an_id_shows_one_memory_whole(graphmem: Command, service: ScriptedService) -> None:
    drawer = {"kind": None, "__typename": "Drawer", "sourceFile": "a.md", "lineStart": 3, "lineEnd": 9}
    service.says("CatMemory", "memory", memory_answer(content="line one\nline two", **drawer))

    ended = graphmem("cat", ID)

    assert "source\ta.md:3-9" in ended.out
    assert ended.out.endswith("line one\nline two\n")


def test_history_shows_every_version_with_its_state(graphmem: Command, service: ScriptedService) -> None:
    older = memory_answer(version=1, live=False, content="Old.")
    service.says("History", "memory", {"id": ID, "history": [memory_answer(version=2), older]})

    ended = graphmem("history", ID)

    assert [line.split("\t")[0:4:3] for line in ended.out.splitlines()] == [
        ["v2", "live"],
        ["v1", "superseded"],
    ]


def test_forget_is_soft_unless_purge_is_said(graphmem: Command, service: ScriptedService) -> None:
    service.says("Forget", "forgetMemory", receipt("DELETED"))

    graphmem("forget", ID, "--reason", "wrong")

    assert service.asked == [("Forget", {"input": {"id": ID, "purge": False, "reason": "wrong"}})]


def test_purging_needs_a_yes_where_nobody_can_be_asked(graphmem: Command, service: ScriptedService) -> None:
    service.says("Forget", "forgetMemory", receipt("PURGED"))

    refused = graphmem("forget", ID, "--purge")

    assert refused.code == 2
    assert "--yes" in refused.err
    assert service.asked == []
    assert graphmem("forget", ID, "--purge", "--yes", "--json").document["action"] == "PURGED"


def test_restore_prints_its_receipt(graphmem: Command, service: ScriptedService) -> None:
    service.says("Restore", "restoreMemory", receipt("RESTORED", version=3))

    assert graphmem("restore", ID, "--json").document["memory"]["version"] == 3


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
    service.says("Search", "search", page(hit()))

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
    service.says(
        "Status",
        "status",
        {
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
        },
    )

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


def test_reindex_prints_what_was_indexed(graphmem: Command, service: ScriptedService) -> None:
    service.says("Reindex", "reindex", {"indexed": 7, "collection": "c2", "seconds": 0.5})

    assert graphmem("reindex", "--json").document == {"indexed": 7, "collection": "c2", "seconds": 0.5}


def test_json_output_is_utf8_whatever_the_locale(
    graphmem: Command, service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.says("Search", "search", page(hit(content="Zürich 東京")))
    written = io.BytesIO()
    ascii_stream = io.TextIOWrapper(written, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", ascii_stream)

    graphmem("search", "fading", "--json")

    ascii_stream.flush()
    assert json.loads(written.getvalue().decode("utf-8"))["hits"][0]["content"] == "Zürich 東京"
