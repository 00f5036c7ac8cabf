"""A real service started, ended and killed by the command line: nothing is left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.cli.conftest import wait_for
from tests.cli.homes import LIMIT_S, Home, ended_home, lines_until, written_notes
from tests.homes import hear_ctrl_c

pytestmark = [pytest.mark.stores, pytest.mark.timeout(900)]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def fresh_home(tmp_path: Path) -> Iterator[Home]:
    """An empty home."""
    yield from ended_home(tmp_path / "home")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return written_notes(tmp_path / "notes")


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
        preexec_fn=hear_ctrl_c,
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
