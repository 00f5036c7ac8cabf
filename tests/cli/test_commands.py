"""What each command about memories asks the service, and what it makes of the answer."""

from __future__ import annotations

import io
import sys

import pytest

from tests.cli.conftest import (
    MEMORY_ID,
    Command,
    ScriptedService,
    hit_answer,
    memory_answer,
    page_answer,
    receipt_answer,
)


def test_remember_sends_what_was_said_and_nothing_else(graphmem: Command, service: ScriptedService) -> None:
    service.says("Remember", "storeFact", receipt_answer("STORED"))

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
    assert (ended.document["action"], ended.document["id"]) == ("STORED", MEMORY_ID)
    assert ended.document["memory"]["path"] == "/projects/embornal"


def test_a_receipt_in_a_pipe_is_names_and_values(graphmem: Command, service: ScriptedService) -> None:
    service.says("Remember", "storeFact", receipt_answer("MERGED"))

    ended = graphmem("remember", "/projects/embornal", "Signal strength fades.")

    assert ended.out.splitlines() == [
        "action\tMERGED",
        f"id\t{MEMORY_ID}",
        "path\t/projects/embornal",
        "version\t1",
        "searchable by meaning\tnot yet",
        "warning\tclose to another one",
    ]


def test_remember_reads_standard_input_as_it_is(
    graphmem: Command, service: ScriptedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.says("Remember", "storeFact", receipt_answer("STORED"))
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
    service.says("Search", "search", page_answer(hit_answer()))

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
    service.says(
        "Search", "search", page_answer(hit_answer(title="Fading"), more=True, degraded=("vectors are away",))
    )

    ended = graphmem("search", "fading", "--json")

    found = ended.document["hits"][0]
    assert (found["id"], found["path"], found["score"]) == (MEMORY_ID, "/projects/embornal", 0.75)
    assert (found["content"], found["title"], found["label"]) == ("Signal strength fades.", "Fading", "Fact")
    assert [each["value"] for each in found["contributions"]] == [0.5, 0.25]
    assert found["why"] == "both words, near in meaning"
    assert ended.document["degraded"] == ["vectors are away"]
    assert (ended.document["has_next_page"], ended.document["end_cursor"]) == (True, "c1")


def test_search_in_a_pipe_is_a_line_a_hit_with_its_channels(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("Search", "search", page_answer(hit_answer(), more=True))

    ended = graphmem("search", "fading", "--explain")

    row = [
        "0.750",
        "/projects/embornal",
        "FACT",
        "keyword 0.500 + vector 0.250",
        "Signal strength fades.",
        MEMORY_ID,
    ]
    assert ended.out == "\t".join(row) + "\n"
    assert ended.err == "more: --after c1\n"


def test_a_heading_that_says_the_title_again_is_shown_once(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says(
        "Search", "search", page_answer(hit_answer(title="Fading", content="## Fading\n\nStrength fades."))
    )

    assert graphmem("search", "fading").out.split("\t")[3] == "Fading: Strength fades."


def test_a_search_without_hits_is_no_failure(graphmem: Command, service: ScriptedService) -> None:
    service.says("Search", "search", page_answer())

    ended = graphmem("search", "nothing like it")

    assert (ended.code, ended.out, ended.err) == (0, "", "nothing found\n")


def test_why_not_asks_for_the_step_at_which_a_memory_fell_out(
    graphmem: Command, service: ScriptedService
) -> None:
    service.says("WhyNot", "whyNot", {"found": False, "step": "filter", "detail": "its kind is RUN"})

    ended = graphmem("search", "fading", "--kind", "fact", "--why-not", MEMORY_ID, "--json")

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

    ended = graphmem("cat", MEMORY_ID)

    assert "source\ta.md:3-9" in ended.out
    assert ended.out.endswith("line one\nline two\n")


def test_history_shows_every_version_with_its_state(graphmem: Command, service: ScriptedService) -> None:
    older = memory_answer(version=1, live=False, content="Old.")
    service.says("History", "memory", {"id": MEMORY_ID, "history": [memory_answer(version=2), older]})

    ended = graphmem("history", MEMORY_ID)

    assert [line.split("\t")[0:4:3] for line in ended.out.splitlines()] == [
        ["v2", "live"],
        ["v1", "superseded"],
    ]


def test_forget_is_soft_unless_purge_is_said(graphmem: Command, service: ScriptedService) -> None:
    service.says("Forget", "forgetMemory", receipt_answer("DELETED"))

    graphmem("forget", MEMORY_ID, "--reason", "wrong")

    assert service.asked == [("Forget", {"input": {"id": MEMORY_ID, "purge": False, "reason": "wrong"}})]


def test_purging_needs_a_yes_where_nobody_can_be_asked(graphmem: Command, service: ScriptedService) -> None:
    service.says("Forget", "forgetMemory", receipt_answer("PURGED"))

    refused = graphmem("forget", MEMORY_ID, "--purge")

    assert refused.code == 2
    assert "--yes" in refused.err
    assert service.asked == []
    assert graphmem("forget", MEMORY_ID, "--purge", "--yes", "--json").document["action"] == "PURGED"


def test_restore_prints_its_receipt(graphmem: Command, service: ScriptedService) -> None:
    service.says("Restore", "restoreMemory", receipt_answer("RESTORED", version=3))

    assert graphmem("restore", MEMORY_ID, "--json").document["memory"]["version"] == 3
