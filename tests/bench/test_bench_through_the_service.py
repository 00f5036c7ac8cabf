"""The benchmarks as a person runs them: a service of their own, real stores, nothing left behind."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import psutil
import pytest

from graphmem.bench import speed
from graphmem.cli.main import run

pytestmark = pytest.mark.stores

ROWS = [
    {
        "id": "t1",
        "group": "Talk A",
        "speaker": "Ines",
        "time": "May",
        "text": "The kettle in the kitchen is blue.",
    },
    {"id": "t2", "group": "Talk A", "speaker": "Tom", "text": "We sold the old boat in June."},
    {"id": "t3", "group": "Talk A", "text": ""},
    {"id": "t4", "group": "Talk B", "text": "The kettle was sold.", "title": "Market"},
    {"id": "t5", "group": "Talk B", "text": "A violin stands in the cellar.", "caption": "a violin"},
]
QUERIES = [
    {
        "id": "q1",
        "group": "Talk A",
        "text": "what colour has the kettle",
        "relevant": {"t1": 1},
        "category": "one",
    },
    {"id": "q2", "group": "Talk B", "text": "violin in the cellar", "relevant": {"t5": 2}, "category": "two"},
    {"id": "q3", "group": "Talk B", "text": "anything", "relevant": {}},
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A corpus and its queries; homes of own services lie beside them, and texts are only hashed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "hash")
    corpus, queries = tmp_path / "corpus.jsonl", tmp_path / "queries.jsonl"
    for path, lines in ((corpus, ROWS), (queries, QUERIES)):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(corpus), str(queries)


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What the command wrote to stdout, once it ended well."""
    code = run(["bench", *arguments, "--json"])
    written = capsys.readouterr()
    assert code == 0, written.err
    found: dict[str, Any] = json.loads(written.out)
    return found


def homes_left(folder: Path) -> list[Path]:
    return list(folder.glob("graphmem-bench-*"))


def processes_left(folder: Path) -> list[str]:
    """Command lines of this machine's processes that name a home in the folder."""
    lines = []
    for process in psutil.process_iter(["cmdline", "cwd"]):
        line = " ".join(process.info["cmdline"] or [])
        if str(folder) in line or str(folder) in (process.info["cwd"] or ""):
            lines.append(line)
    return lines


def test_search_finds_what_is_relevant_and_leaves_nothing_behind(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, queries = files
    options = [
        "--corpus",
        corpus,
        "--queries",
        queries,
        "--mode",
        "keyword",
        "--mode",
        "hybrid",
        "--warm-up",
        "5",
    ]

    found = document(capsys, "search", *options)

    assert (found["r1"], found["r5"], found["ndcg10"], found["mrr10"], found["hit10"]) == (
        100,
        100,
        100,
        100,
        100,
    )
    assert list(found["modes"]) == ["keyword", "hybrid"]
    assert found["modes"]["hybrid"]["r5"] == 100
    assert found["modes"]["keyword"]["by_category"]["two"]["queries"] == 1
    assert (found["rows"], found["rows_empty"], found["queries"], found["queries_scored"]) == (4, 1, 3, 2)
    assert 0 < found["search_p50_ms"] <= found["search_p95_ms"]
    assert found["ingest_per_s"] > 0
    assert min(found["rss"][name] for name in ("service_mb", "jvm_mb", "vector_worker_mb")) > 10
    assert found["rss_mb"] == pytest.approx(sum(found["rss"].values()), abs=0.3)
    assert found["service"]["embedder"].startswith("hash")
    assert found["degraded"] == 0
    assert homes_left(tmp_path) == []
    assert processes_left(tmp_path) == []


def test_speed_measures_every_part_and_leaves_nothing_behind(
    files: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, number in (("WARM_UP_SEARCHES", 10), ("TIMED_SEARCHES", 20), ("TREES", 5)):
        monkeypatch.setattr(speed, name, number)

    found = document(capsys, "speed", "--memories", "400")

    parts = {"warm_up": 100, "turns": 100, "filled": 200, "single": 100, "batched": 400}
    assert (found["memories"], found["parts"]) == (400, parts)
    figures = ("search_p50_ms", "search8_p95_ms", "tree_p50_ms", "store_fact_per_s", "store_facts_per_s")
    others = ("ingest_per_s", "fill_per_s", "start_s", "restart_s", "rss_mb")
    assert all(found[name] > 0 for name in (*figures, *others))
    assert found["search_empty"] == 0
    assert found["tree_paths"] > 40
    assert homes_left(tmp_path) == []
    assert processes_left(tmp_path) == []


def test_a_corpus_that_is_not_there_is_one_line_and_exit_code_2(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["bench", "search", "--corpus", "no such file", "--queries", files[1]])

    assert code == 2
    assert "corpus 'no such file' cannot be read" in capsys.readouterr().err
