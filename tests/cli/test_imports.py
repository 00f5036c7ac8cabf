"""Importing a folder: which requests are sent, what is reported, and how long is waited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.cli.client import ServiceClient
from graphmem.cli.folder_import import GONE_FILES, requests
from graphmem.cli.waiting import wait_until_searchable
from graphmem.errors import Unavailable
from graphmem.memory.notes import MarkdownFile
from tests.cli.conftest import TOKEN, Command, ScriptedService


def report(**counts: object) -> dict[str, object]:
    numbers = dict.fromkeys(("stored", "superseded", "moved", "unchanged", "pruned"), 0)
    return {**numbers, "vanished": [], "failed": [], "warnings": [], **counts}


def backlog(waiting: int, dead: int = 0, embedder: str | None = "minilm") -> dict[str, object]:
    status = {"outboxWaiting": waiting, "outboxDead": dead, "degraded": [], "embedder": embedder}
    return {"data": {"status": status}}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Two notes, one of them in a folder, and a file that is no UTF-8."""
    folder = tmp_path / "notes"
    (folder / "inner").mkdir(parents=True)
    (folder / "one.md").write_text("# One\n\nText.\n", encoding="utf-8")
    (folder / "inner" / "two.md").write_text("# Two\n", encoding="utf-8")
    (folder / "bad.md").write_bytes(b"caf\xe9")
    return folder


def test_the_import_sends_every_file_and_reports_the_one_that_failed(
    graphmem: Command, service: ScriptedService, notes: Path
) -> None:
    service.says("ImportedFiles", "importedFiles", [])
    service.says("ImportMarkdown", "importMarkdown", report(stored=3, warnings=["two titles"]))
    service.answers["Backlog"] = [backlog(2), backlog(1), backlog(0)]

    ended = graphmem("import", "markdown", str(notes), "--wing", "Notes", "--json")

    assert [name for name, _ in service.asked] == ["ImportedFiles", "ImportMarkdown", *["Backlog"] * 3]
    sent = service.asked[1][1]["input"]
    assert [file["path"] for file in sent["files"]] == ["inner/two.md", "one.md"]
    assert (sent["wing"], sent["prune"], sent["complete"], sent["goneFiles"]) == ("Notes", False, True, [])
    document = ended.document
    assert {name: document[name] for name in ("stored", "unchanged", "vanished", "failed")} == {
        "stored": 3,
        "unchanged": 0,
        "vanished": 0,
        "failed": 1,
    }
    assert [each["path"] for each in document["failed_files"]] == ["bad.md"]
    assert "not UTF-8 at byte 3" in document["failed_files"][0]["reason"]
    assert document["index_failed"] == 0
    assert ended.code == 1


def test_a_file_that_is_gone_is_named_and_one_that_cannot_be_read_is_not_gone(
    graphmem: Command, service: ScriptedService, notes: Path
) -> None:
    service.says("ImportedFiles", "importedFiles", ["bad.md", "gone.md", "one.md"])
    service.says("ImportMarkdown", "importMarkdown", report(vanished=["gone.md#Old"], pruned=1))

    ended = graphmem("import", "markdown", str(notes), "--wing", "Notes", "--prune", "--no-wait", "--json")

    sent = service.asked[1][1]["input"]
    assert (sent["goneFiles"], sent["prune"]) == (["gone.md"], True)
    assert (ended.document["vanished"], ended.document["pruned"]) == (1, 1)
    assert ended.document["vanished_sections"] == ["gone.md#Old"]
    assert "Backlog" not in [name for name, _ in service.asked]


def test_a_folder_that_is_none_is_refused_before_anything_is_asked(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    ended = graphmem("import", "markdown", str(tmp_path / "nowhere"), "--wing", "Notes")

    assert ended.code == 2
    assert "is no folder" in ended.err
    assert service.asked == []


def test_a_request_that_takes_the_service_too_long_is_sent_again_in_halves(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(f"# {name}\n")
    service.says("ImportedFiles", "importedFiles", ["gone.md"])
    service.refuses("ImportMarkdown", "took longer than 10 seconds", code="UNAVAILABLE")
    too_long = service.answers["ImportMarkdown"]
    done = {"data": {"importMarkdown": report(stored=1)}}
    service.answers["ImportMarkdown"] = [too_long, done, too_long, done, done]

    ended = graphmem("import", "markdown", str(tmp_path), "--wing", "Notes", "--no-wait", "--json")

    sent = [variables["input"] for name, variables in service.asked if name == "ImportMarkdown"]
    names = [("".join(file["path"][0] for file in each["files"]), each["complete"]) for each in sent]
    assert names == [("abc", True), ("a", False), ("bc", True), ("b", False), ("c", True)]
    assert all(each["goneFiles"] == ["gone.md"] for each in sent)
    assert (ended.code, ended.document["stored"]) == (0, 3)


def test_one_file_that_takes_the_service_too_long_is_a_failure(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# a\n")
    service.says("ImportedFiles", "importedFiles", [])
    service.refuses("ImportMarkdown", "took longer than 10 seconds", code="UNAVAILABLE")

    assert graphmem("import", "markdown", str(tmp_path), "--wing", "Notes").code == 3


@given(st.integers(0, 4), st.integers(0, 2 * GONE_FILES + 3))
def test_only_the_last_request_for_a_gone_file_is_complete(parts: int, gone: int) -> None:
    files = [[MarkdownFile(f"{number}.md", "text")] for number in range(parts)]
    names = [f"gone-{number}.md" for number in range(gone)]

    sent = list(requests(files, names))

    assert [file for request in sent for file in request.files] == [file for part in files for file in part]
    for name in {names[0], names[-1]} if names else set():
        naming = [request.complete for request in sent if name in request.gone]
        assert naming == [False] * (len(naming) - 1) + [True]
    assert {name for request in sent for name in request.gone} == set(names)
    assert all(len(request.gone) <= GONE_FILES for request in sent)


def test_waiting_ends_when_nothing_waits_and_says_what_failed(service: ScriptedService) -> None:
    service.answers["Backlog"] = [backlog(5), backlog(2, 1), backlog(0, 1)]

    with ServiceClient(service.url, TOKEN) as client:
        assert wait_until_searchable(client) == 1


def test_waiting_is_given_up_when_nothing_moves(service: ScriptedService) -> None:
    service.answers["Backlog"] = backlog(5)

    with ServiceClient(service.url, TOKEN) as client, pytest.raises(Unavailable) as given_up:
        wait_until_searchable(client, still_s=0.3)

    assert "5 memories wait to be indexed" in str(given_up.value)
    assert "everything is stored" in str(given_up.value)


def test_nobody_waits_for_a_service_without_an_embedder(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# a\n")
    service.says("ImportedFiles", "importedFiles", [])
    service.says("ImportMarkdown", "importMarkdown", report(stored=1))
    service.answers["Backlog"] = [backlog(5, embedder=None)]

    ended = graphmem("import", "markdown", str(tmp_path), "--wing", "Notes", "--json")

    assert (ended.code, ended.document["index_failed"]) == (0, 0)
    assert "no embedder" in ended.err


def test_a_large_folder_goes_in_several_requests(
    graphmem: Command, service: ScriptedService, tmp_path: Path
) -> None:
    for number in range(3):
        (tmp_path / f"{number}.md").write_text("x" * 50_000)
    service.says("ImportedFiles", "importedFiles", [])
    service.says("ImportMarkdown", "importMarkdown", report(stored=1))

    ended = graphmem("import", "markdown", str(tmp_path), "--wing", "Notes", "--no-wait", "--json")

    sent = [variables["input"] for name, variables in service.asked if name == "ImportMarkdown"]
    assert [request["complete"] for request in sent] == [False, False, True]
    assert all(len(json.dumps(request)) < 100_000 for request in sent)
    assert ended.document["stored"] == 3
