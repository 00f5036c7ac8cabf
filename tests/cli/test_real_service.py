"""The command line with a real service in a home of its own: started, used, ended, nothing left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from graphmem.settings import Settings
from tests.cli.conftest import Ended, wait_for

pytestmark = [pytest.mark.stores, pytest.mark.timeout(900)]

ROOT = Path(__file__).resolve().parents[2]

LIMIT_S = 600.0

NOTES = {
    "index.md": "# Index\n\nWhere things are.\n\n## Watering\n\nThe ferns want water on Mondays. [[Tools]]\n",
    "garden/tools.md": "---\naliases: [Tools]\ntags: [garden]\n---\n# Tools\n\nThe spade is in the shed.\n",
}


class Home:
    """One home, and the command as a program of its own."""

    def __init__(self, path: Path, cache: Path) -> None:
        self.path = path
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
        own = {"GRAPHMEM_HOME": str(path), "GRAPHMEM_CACHE": str(cache), "GRAPHMEM_EMBEDDER": "hash"}
        self.environment = kept | own

    def start(self, *arguments: str, **more: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "graphmem", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return subprocess.Popen(command, env=self.environment, text=True, **(pipes | more))

    def run(self, *arguments: str) -> Ended:
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=LIMIT_S)
        return Ended(process.returncode, out, err)

    def ok(self, *arguments: str) -> dict[str, Any]:
        """The document of a command that has to end well."""
        ended = self.run(*arguments, "--json")
        assert ended.code == 0, ended.out + ended.err
        return ended.document

    def processes(self) -> list[psutil.Process]:
        """Whatever on this machine has this home on its command line or in its environment."""
        return [
            process for process in psutil.process_iter() if process.pid != os.getpid() and self._mine(process)
        ]

    def _mine(self, process: psutil.Process) -> bool:
        try:
            return str(self.path) in " ".join((*process.cmdline(), *process.environ().values()))
        except psutil.Error:
            return False


def lines_until(process: subprocess.Popen[str], last: str) -> list[str]:
    """What the process prints up to and with the line ``last``; fails when it ends before."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line == last:
            return lines
    raise AssertionError(f"it ended after {''.join(lines)!r}: {process.communicate()[1]}")


def ended_home(path: Path) -> Iterator[Home]:
    home = Home(path, Settings().cache)
    yield home
    home.run("down")
    left = home.processes()
    for process in left:
        process.kill()
    assert left == [], "processes were left behind"


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
    folder = tmp_path / "notes"
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


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


def test_another_embedder_stops_the_start_with_the_command_that_mends_it(fresh_home: Home) -> None:
    fresh_home.ok("remember", "/garden", "The ferns want water on Mondays.")
    fresh_home.ok("down")
    fresh_home.environment["GRAPHMEM_EMBEDDER"] = "minilm"

    refused = fresh_home.run("up")
    rebuilt = fresh_home.ok("reindex")

    assert refused.code == 2
    assert "`graphmem reindex`" in refused.err
    assert "hash (width 256" in refused.err
    assert rebuilt["indexed"] > 1
    assert fresh_home.ok("status")["embedder"] == "minilm"
    hits = fresh_home.ok("search", "plants need watering", "--mode", "vector")["hits"]
    assert hits[0]["content"] == "The ferns want water on Mondays."


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_service_in_the_foreground_ends_everything_it_started(fresh_home: Home, number: int) -> None:
    with fresh_home.start("serve", "--json") as process:
        assert process.stdout is not None
        wait_for(lambda: (fresh_home.path / "service.json").exists() or process.poll() is not None, LIMIT_S)
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        out, err = process.communicate(timeout=LIMIT_S)

    assert process.returncode == 0, err
    assert json.loads(out)["pid"] == process.pid
    assert len(family) >= 2
    assert fresh_home.processes() == []
    assert not (fresh_home.path / "service.json").exists()


def test_a_start_that_is_given_up_leaves_nothing(fresh_home: Home) -> None:
    with fresh_home.start("up") as process:
        wait_for(lambda: (fresh_home.path / "neo4j" / "process.json").exists(), LIMIT_S)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT_S)

    assert process.returncode == 130
    assert fresh_home.processes() == []


def test_down_ends_the_neo4j_that_a_killed_service_left(fresh_home: Home) -> None:
    pid = fresh_home.ok("up")["pid"]
    psutil.Process(pid).kill()
    wait_for(lambda: fresh_home.run("status").code == 3, LIMIT_S)
    [jvm] = [process for process in fresh_home.processes() if "java" in process.name()]

    stopped = fresh_home.ok("down")

    assert (stopped["stopped"], stopped["pid"], stopped["children"]) == (True, None, [jvm.pid])
    assert fresh_home.processes() == []


def test_make_run_shows_a_search_and_a_line_that_answers_and_ends_with_ctrl_c(
    fresh_home: Home, notes: Path
) -> None:
    # As the tests have set up everything already, make only runs; a terminal signals the whole group.
    make = ["make", "-o", ".venv/.installed", f"BIN={Path(sys.executable).parent}", f"DOCS={notes}", "run"]
    with subprocess.Popen(
        make,
        cwd=ROOT,
        env=fresh_home.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        shown = lines_until(process, "Ctrl-C ends everything.\n")
        [line] = [line for line in shown if line.startswith("curl ")]
        pasted = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60, check=True)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT_S)

    assert "***" not in err
    edges = json.loads(pasted.stdout)["data"]["search"]["edges"]
    assert next(edge["node"]["id"] for edge in edges) in "".join(shown)
    assert re.search(r"\t(keyword|vector) \d\.\d{3}", "".join(shown)), "no hit was explained"
    assert any(line.startswith("Neo4j Browser\thttp://127.0.0.1:") for line in shown)
    assert fresh_home.processes() == []


def test_a_tour_that_is_ended_by_ctrl_c_has_done_well(fresh_home: Home) -> None:
    with fresh_home.start("tour", "--json") as process:
        document = json.loads("".join(lines_until(process, "}\n")))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT_S)

    assert process.returncode == 0
    assert document["search"]["hits"][0]["path"].startswith("/memory")
    assert fresh_home.processes() == []
