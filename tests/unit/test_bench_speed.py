"""``bench speed``: how the memories are shared out, and what its document says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.bench.ingest import Ingest
from graphmem.bench.lines import speed_lines
from graphmem.bench.load import Timing
from graphmem.bench.own_service import Service, _environment
from graphmem.bench.plan import Plan, plan
from graphmem.bench.report import Circumstances, speed_document
from graphmem.bench.runs import SearchOptions, run_search, run_speed
from graphmem.bench.speed import Filling, Reads, SpeedResult, Writes
from graphmem.errors import InvalidInput

TIMING = Timing((1.0, 2.0, 3.0, 4.0), wall_s=2.0, client_cpu_s=0.4)


def test_ten_thousand_memories_fill_the_store_and_as_many_come_on_top() -> None:
    assert plan(10_000) == Plan(warm_up=2_500, turns=2_500, filled=5_000, single=2_500, batched=10_000)


def test_a_hundred_thousand_measure_parts_of_the_same_kind_and_fill_the_rest() -> None:
    assert plan(100_000) == Plan(warm_up=3_000, turns=3_000, filled=94_000, single=3_000, batched=10_000)


@given(memories=st.integers(200, 2_000_000))
def test_the_parts_fill_the_store_and_none_is_empty(memories: int) -> None:
    parts = plan(memories)

    assert parts.memories == memories
    measured = (parts.warm_up, parts.turns, parts.filled, parts.single, parts.batched)
    assert all(number > 0 for number in measured)


@pytest.mark.parametrize("memories", [199, 0, -5])
def test_too_few_memories_are_refused_with_the_limit(memories: int) -> None:
    with pytest.raises(InvalidInput, match=f"memories is {memories}, the least is 200"):
        run_speed(memories)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            SearchOptions(Path("c"), Path("q"), modes=()),
            "mode is missing; it is one of hybrid, keyword, vector",
        ),
        (SearchOptions(Path("c"), Path("q"), modes=("hybrid", "both")), "mode is both"),
        (SearchOptions(Path("c"), Path("q"), warm_up=-1), "warm_up is -1"),
        (SearchOptions(Path("c"), Path("q"), url="http://127.0.0.1:1/graphql"), "token is missing"),
        (SearchOptions(Path("no corpus"), Path("q")), "corpus 'no corpus' cannot be read"),
    ],
)
def test_wrong_options_are_refused_before_a_service_is_started(options: SearchOptions, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        run_search(options)


def test_an_own_service_never_gets_the_stores_or_the_address_of_another() -> None:
    given = {
        "PATH": "/bin",
        "GRAPHMEM_HOME": "/data/mine",
        "GRAPHMEM_CACHE": "/data/cache",
        "GRAPHMEM_URL": "http://elsewhere/graphql",
        "GRAPHMEM_TOKEN": "gm_secret",
        "GRAPHMEM_PORT": "8420",
        "GRAPHMEM_NEO4J_URL": "bolt://elsewhere",
        "GRAPHMEM_NEO4J_PASSWORD": "secret",
        "GRAPHMEM_NEO4J_HEAP": "1g",
        "GRAPHMEM_NEO4J_PAGECACHE": "256m",
        "GRAPHMEM_QDRANT_URL": "http://elsewhere",
        "GRAPHMEM_QDRANT_KEY": "secret",
        "GRAPHMEM_EMBEDDER": "hash",
    }

    assert _environment(given, Path("/data/bench")) == {
        "PATH": "/bin",
        "GRAPHMEM_HOME": "/data/bench",
        "GRAPHMEM_CACHE": "/data/cache",
        "GRAPHMEM_NEO4J_HEAP": "1g",
        "GRAPHMEM_NEO4J_PAGECACHE": "256m",
        "GRAPHMEM_EMBEDDER": "hash",
    }


def test_how_long_a_service_took_to_start_is_known_only_of_an_own_one() -> None:
    assert Service("http://h/graphql", "t", 7, 2.5).started_in() == 2.5
    with pytest.raises(ValueError, match="nobody saw"):
        Service("http://h/graphql", "t").started_in()


def test_the_document_has_the_names_that_scripts_rely_on() -> None:
    turns = Ingest({"m1": "r1", "m2": "r2", "m3": "r3"}, 0.5, 2.0)
    result = SpeedResult(
        plan=Plan(warm_up=10, turns=50, filled=160, single=100, batched=500),
        start_s=4.567,
        restart_s=3.0,
        filling=Filling(turns, 321.234),
        reads=Reads(TIMING, TIMING, 0, TIMING, 44),
        writes=Writes(TIMING, 2_345.678),
        resident=None,
        status={"version": "1"},
    )

    document = speed_document(result, Circumstances({"seed": 1}, result.status, [0.0, 0.0, 0.0]))

    assert (document["search_p50_ms"], document["search_p95_ms"]) == (2.0, 4.0)
    assert (document["search8_p50_ms"], document["search8_p95_ms"]) == (2.0, 4.0)
    assert (document["store_fact_per_s"], document["store_facts_per_s"]) == (2.0, 2_345.68)
    assert document["store_fact_client_cpu_ms"] == 100.0
    assert (document["ingest_per_s"], document["fill_per_s"]) == (1.5, 321.23)
    assert (document["tree_p50_ms"], document["tree_paths"]) == (2.0, 44)
    assert (document["start_s"], document["restart_s"], document["rss_mb"]) == (4.57, 3.0, None)
    assert document["memories"] == 220
    assert json.loads(json.dumps(document)) == document
    shown = [name for name, _ in speed_lines(document)]
    assert "resident" not in shown
