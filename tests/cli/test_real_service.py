"""The command line used with a real service: stored, found, imported, exported, refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.cli.homes import Home, ended_home, written_notes

pytestmark = [pytest.mark.stores, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A home whose service runs for all tests of this module."""
    for home in ended_home(tmp_path_factory.mktemp("home") / "with a space"):
        home.ok("up")
        yield home


@pytest.fixture
def fresh_home(tmp_path: Path) -> Iterator[Home]:
    """An empty home."""
    yield from ended_home(tmp_path / "home")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return written_notes(tmp_path / "notes")


def test_status_names_the_url_and_the_file_of_a_token_that_works(home: Home) -> None:
    status = home.ok("status")

    assert (status["running"], status["ready"], status["degraded"]) == (True, True, [])
    token = Path(status["token_file"]).read_text().strip()
    answer = httpx.post(
        status["url"], json={"query": "{ status { ready } }"}, headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.json() == {"data": {"status": {"ready": True}}}
    assert sorted(each["kind"] for each in status["processes"]) == ["neo4j", "service", "vector worker"]
    assert Path(status["neo4j"]["password_file"]).stat().st_mode & 0o077 == 0
    assert httpx.get(status["neo4j"]["browser_url"]).status_code == 200


def test_up_of_a_service_that_runs_does_nothing(home: Home) -> None:
    before = home.ok("status")["pid"]

    again = home.ok("up")

    assert (again["started"], again["pid"]) == (False, before)


def test_a_second_service_of_one_home_is_refused_with_the_process_that_has_it(home: Home) -> None:
    pid = home.ok("status")["pid"]

    ended = home.run("serve")

    assert ended.code == 2
    assert f"process {pid}" in ended.err
    assert ended.err.splitlines()[-1].startswith("error: a service already runs")


def test_a_fact_is_stored_found_changed_and_brought_back(home: Home) -> None:
    stored = home.ok(
        "remember", "/projects/embornal", "Signal strength fades with the days.", "--kind", "lesson"
    )
    memory_id = stored["id"]

    hits = home.ok("search", "what fades", "--under", "/projects")["hits"]
    assert (stored["action"], [hit["id"] for hit in hits]) == ("STORED", [memory_id])
    assert sum(part["value"] for part in hits[0]["contributions"]) == pytest.approx(
        hits[0]["score"], abs=1e-9
    )
    assert home.ok("cat", "/projects/embornal")["memories"][0]["kind"] == "LESSON"
    assert "/projects/embornal" in [path["path"] for path in home.ok("tree", "/projects")["paths"]]

    assert home.ok("forget", memory_id)["action"] == "DELETED"
    assert home.ok("search", "what fades", "--under", "/projects")["hits"] == []
    assert home.ok("restore", memory_id)["action"] == "RESTORED"
    assert [each["version"] for each in home.ok("history", memory_id)["versions"]] == [2, 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("remember", "/bad//path", "text"), "path '/bad//path' has an empty segment"),
        (("remember", "/a", ""), "content is empty"),
        (("remember", "/a", "x" * 501), "the limit is 500"),
        (("remember", "/a", "half \udce9"), "character 5"),
        (("history", "nonsense"), "id 'nonsense'"),
        (("history", "019a0000-0000-7000-8000-000000000000"), "no memory"),
        (("cat", "/nowhere"), "no path '/nowhere'"),
        (("search", "x", "--first", "101"), "first is 101, the limit is 100"),
        (("search", "x", "--after", "broken"), "cursor"),
        (("tree", "--depth", "99"), "depth is 99"),
    ],
    ids=[
        "path",
        "empty",
        "too long",
        "half a character",
        "id",
        "unknown id",
        "unknown path",
        "page",
        "cursor",
        "depth",
    ],
)
def test_bad_input_is_one_line_with_the_value_and_code_2(
    home: Home, arguments: tuple[str, ...], said: str
) -> None:
    ended = home.run(*arguments)

    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.count("\n") == 1


def test_notes_are_imported_once_and_found_at_once(home: Home, notes: Path) -> None:
    first = home.ok("import", "markdown", str(notes), "--wing", "My Notes")
    again = home.ok("import", "markdown", str(notes), "--wing", "My Notes")

    assert (first["stored"], first["failed"], first["index_failed"]) == (again["unchanged"], 0, 0)
    assert first["stored"] >= 3
    assert {name: again[name] for name in ("stored", "superseded", "moved", "vanished", "pruned")} == {
        **dict.fromkeys(("stored", "superseded", "moved", "vanished", "pruned"), 0)
    }
    hit = home.ok("search", "when do ferns want water", "--under", "/palace/my-notes")["hits"][0]
    assert (hit["source_file"], hit["label"]) == ("index.md", "Drawer")


def test_a_section_that_vanished_is_named_and_goes_only_with_prune(home: Home, notes: Path) -> None:
    home.ok("import", "markdown", str(notes), "--wing", "Pruned")
    (notes / "garden" / "tools.md").unlink()

    named = home.ok("import", "markdown", str(notes), "--wing", "Pruned")
    pruned = home.ok("import", "markdown", str(notes), "--wing", "Pruned", "--prune")

    assert (named["vanished"], named["pruned"]) == (1, 0)
    assert pruned["pruned"] == 1
    assert home.ok("search", "spade", "--under", "/palace/pruned", "--mode", "keyword")["hits"] == []


def test_doctor_finds_the_stores_in_agreement(home: Home) -> None:
    found = home.ok("doctor")

    assert found["healthy"] is True
    assert {"home", "token", "disk", "vectors"} <= {finding["check"] for finding in found["findings"]}


def test_an_export_imported_elsewhere_gives_the_same_export(
    home: Home, fresh_home: Home, notes: Path, tmp_path: Path
) -> None:
    home.ok("import", "markdown", str(notes), "--wing", "Exported")
    home.ok("export", str(tmp_path / "one.jsonl"))

    fresh_home.ok("import", "jsonl", str(tmp_path / "one.jsonl"))
    fresh_home.ok("export", str(tmp_path / "two.jsonl"))

    one, two = ((tmp_path / name).read_text().splitlines() for name in ("one.jsonl", "two.jsonl"))
    assert sorted(one) == sorted(two)
    assert len(one) > 3
