"""``bench search`` against a tiny service that answers as GraphMem does, with answers known beforehand."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from graphmem.bench.client import Client, Refused
from graphmem.bench.corpus import Corpus, Query, Row
from graphmem.bench.ingest import ATTEMPTS, ingest
from graphmem.bench.lines import search_lines
from graphmem.bench.machine import Resident
from graphmem.bench.report import Circumstances, search_document
from graphmem.bench.search import bench_search, ranking
from graphmem.errors import GraphMemError, InvalidInput, Misconfigured, Unauthenticated, Unavailable

TOKEN = "gm_right"
BUSY = {"message": "it took longer than 10 s", "extensions": {"code": "UNAVAILABLE"}}


@dataclass(slots=True)
class Tiny:
    """A service over a list: a row is known by its source, a search gives its whole room, newest first."""

    url: str = ""
    drawers: list[dict[str, str]] = field(default_factory=list)
    searches: list[dict[str, Any]] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    dead: int = 0
    busy: int = 0
    error: dict[str, Any] | None = None

    async def answer(self, request: Request) -> Response:
        if request.headers["authorization"] != f"Bearer {TOKEN}":
            return JSONResponse({"errors": [{"message": "no"}]}, 401)
        if self.error is not None:
            return JSONResponse({"data": None, "errors": [self.error]})
        body = json.loads(await request.body())
        if "addDrawers" in body["query"]:
            stored = [self._stored(row) for row in body["variables"]["input"]]
            if self.busy:
                self.busy -= 1
                return JSONResponse({"data": None, "errors": [BUSY]})
            return JSONResponse({"data": {"addDrawers": stored}})
        if "status" in body["query"]:
            waiting = self.waiting.pop(0) if self.waiting else 0
            return JSONResponse({"data": {"status": {"outboxWaiting": waiting, "outboxDead": self.dead}}})
        return JSONResponse({"data": {"search": self._found(body["variables"])}})

    def _stored(self, row: dict[str, str]) -> dict[str, str]:
        for number, other in enumerate(self.drawers):
            if other["sourceFile"] == row["sourceFile"]:
                return {"action": "UNCHANGED", "memoryId": f"m{number}"}
        self.drawers.append(row)
        return {"action": "STORED", "memoryId": f"m{len(self.drawers) - 1}"}

    def _found(self, variables: dict[str, Any]) -> dict[str, Any]:
        self.searches.append(variables)
        room = variables["filter"]["under"].removeprefix("/palace/bench/")
        ids = [f"m{number}" for number, row in enumerate(self.drawers) if row["room"] == room]
        edges = [{"score": 1.0, "node": {"id": memory}} for memory in reversed(ids)]
        return {"edges": edges[: variables["first"]], "degraded": ["vector"] if room == "half" else []}


@pytest.fixture
async def tiny() -> AsyncIterator[Tiny]:
    service = Tiny()
    app = Starlette(
        routes=[
            Route("/graphql", service.answer, methods=["POST"]),
            Route("/plain", _plain, methods=["POST"]),
        ]
    )
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        service.url = f"http://127.0.0.1:{listening.getsockname()[1]}/graphql"
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None, access_log=False))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        yield service
        server.should_exit = True
        await running


async def _plain(request: Request) -> Response:
    return JSONResponse({"hello": "there"}, 404)


ROWS = (
    Row("a1", "a", "one"),
    Row("a2", "a", "two"),
    Row("a3", "a", "one"),
    Row("b1", "half", "one"),
)
QUERIES = (
    Query("q1", "a", "first?", {"a2": 1}, "easy"),
    Query("q2", "a", "second?", {"a1": 2, "a3": 1}, "hard"),
    Query("q3", "half", "third?", {"b1": 1}),
    Query("q4", "a", "fourth?", {}, "easy"),
)


async def test_figures_come_from_the_rankings_inside_each_group(tiny: Tiny) -> None:
    async with Client(tiny.url, TOKEN) as client:
        result = await bench_search(client, Corpus(ROWS, empty=2), QUERIES, ["hybrid", "keyword"], warm_up=5)

    # Room a answers a3, a2, a1.
    found = result.modes["hybrid"]
    assert (result.rows, result.empty, result.queries, result.scored) == (4, 2, 4, 3)
    assert found.quality.r1 == pytest.approx(100 * (0 + 1 / 2 + 1) / 3)
    assert found.quality.r5 == 100.0
    assert found.quality.mrr10 == pytest.approx(100 * (1 / 2 + 1 + 1) / 3)
    assert {name: number for name, (number, _) in found.by_category.items()} == {"easy": 1, "hard": 1}
    assert found.by_category["hard"][1].r1 == 50.0
    assert found.degraded == 1
    assert (len(found.one.times_ms), len(found.many.times_ms)) == (4, 4)


async def test_each_mode_is_asked_with_one_client_then_with_eight_after_warming_up(tiny: Tiny) -> None:
    async with Client(tiny.url, TOKEN) as client:
        await bench_search(client, Corpus(ROWS, 0), QUERIES, ["vector"], warm_up=7)

    warm, timed = tiny.searches[:7], tiny.searches[7:]
    texts = [query.text for query in QUERIES]
    assert [search["query"] for search in timed[:4]] == texts
    assert sorted(search["query"] for search in timed[4:]) == sorted(texts)
    assert not {search["query"] for search in warm} & set(texts)
    assert {search["mode"] for search in tiny.searches} == {"VECTOR"}
    assert {search["first"] for search in tiny.searches} == {20}
    assert timed[2]["filter"] == {"under": "/palace/bench/half"}


async def test_every_row_is_a_memory_of_its_own_and_other_memories_do_not_rank(tiny: Tiny) -> None:
    async with Client(tiny.url, TOKEN) as client:
        stored = await ingest(client, ROWS, lambda amount: None)

    assert stored.row_of == {"m0": "a1", "m1": "a2", "m2": "a3", "m3": "b1"}
    answer = {"search": {"edges": [{"node": {"id": memory}} for memory in ("m1", "unknown", "m0")]}}
    assert ranking(answer, stored.row_of) == ["a2", "a1"]


async def test_storing_ends_when_nothing_waits_any_more(tiny: Tiny) -> None:
    tiny.waiting = [4, 2, 1]
    async with Client(tiny.url, TOKEN) as client:
        stored = await ingest(client, ROWS, lambda amount: None)

    assert tiny.waiting == []
    assert stored.acknowledged_s < stored.searchable_s
    assert stored.per_s == pytest.approx(4 / stored.searchable_s)


async def test_a_batch_that_the_service_gave_up_on_is_sent_again_and_counts_once(tiny: Tiny) -> None:
    tiny.busy = 2
    async with Client(tiny.url, TOKEN) as client:
        stored = await ingest(client, ROWS, lambda amount: None)

    assert stored.row_of == {"m0": "a1", "m1": "a2", "m2": "a3", "m3": "b1"}


async def test_a_service_that_is_busy_for_too_long_ends_the_benchmark(tiny: Tiny) -> None:
    tiny.busy = ATTEMPTS
    async with Client(tiny.url, TOKEN) as client:
        with pytest.raises(Refused, match="took longer") as refused:
            await ingest(client, ROWS, lambda amount: None)

    assert refused.value.code == "UNAVAILABLE"


async def test_an_index_that_gave_up_on_memories_ends_the_benchmark(tiny: Tiny) -> None:
    tiny.dead = 3
    async with Client(tiny.url, TOKEN) as client:
        with pytest.raises(Unavailable, match="gave up on 3 memories"):
            await ingest(client, ROWS, lambda amount: None)


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ([Query("q1", "c", "t", {"a1": 1})], "'q1' asks inside 'c', which has no rows"),
        ([Query("q1", "a", "t", {})], "no query with a relevant row"),
        ([], "no query with a relevant row"),
        ([Query("q1", "a", "t", {"a1": 1}), Query("q1", "a", "u", {"a1": 1})], "repeat the id 'q1'"),
    ],
)
async def test_queries_that_cannot_be_scored_are_refused_before_anything_is_stored(
    tiny: Tiny, queries: list[Query], message: str
) -> None:
    async with Client(tiny.url, TOKEN) as client:
        with pytest.raises(InvalidInput, match=message):
            await bench_search(client, Corpus(ROWS, 0), queries, ["hybrid"], warm_up=0)

    assert tiny.drawers == []


async def test_a_wrong_token_and_a_wrong_address_are_told_apart(tiny: Tiny) -> None:
    async with Client(tiny.url, "gm_wrong") as client:
        with pytest.raises(Unauthenticated, match="GRAPHMEM_TOKEN"):
            await client.run("query { status }", {})
    async with Client(tiny.url.replace("/graphql", "/plain"), TOKEN) as client:
        with pytest.raises(Misconfigured, match="ends in /graphql"):
            await client.run("query { status }", {})
    async with Client("http://127.0.0.1:1/graphql", TOKEN) as client:
        with pytest.raises(Unavailable, match="does not answer"):
            await client.run("query { status }", {})


async def test_what_the_service_refuses_keeps_its_code(tiny: Tiny) -> None:
    tiny.error = {"message": "input[0].content is empty", "extensions": {"code": "INVALID_INPUT"}}
    async with Client(tiny.url, TOKEN) as client:
        with pytest.raises(Refused, match=r"input\[0\].content is empty") as refused:
            await ingest(client, ROWS, lambda amount: None)

    assert isinstance(refused.value, GraphMemError)
    assert refused.value.code == "INVALID_INPUT"


async def test_the_document_has_the_names_that_scripts_rely_on(tiny: Tiny) -> None:
    async with Client(tiny.url, TOKEN) as client:
        result = await bench_search(client, Corpus(ROWS, 1), QUERIES, ["hybrid", "keyword"], warm_up=0)
    status = {"version": "1", "embedder": "minilm", "memories": 3}
    around = Circumstances({"warm_up_searches": 0}, status, [0.1, 0.2, 0.3])

    document = search_document(result, Resident(1.0, 2.0, 3.0, 0.5), around)

    names = ["r1", "r5", "r10", "r20", "ndcg10", "mrr10", "hit10", "search_p50_ms", "search_p95_ms"]
    names += ["search8_p50_ms", "search8_p95_ms", "ingest_per_s", "rss_mb"]
    assert all(isinstance(document[name], float) for name in names)
    assert document["rss_mb"] == 6.5
    assert document["rss"] == {"service_mb": 1.0, "jvm_mb": 2.0, "vector_worker_mb": 3.0, "other_mb": 0.5}
    assert document["r1"] == 50.0
    assert (document["rows"], document["rows_empty"]) == (4, 1)
    assert "rows_merged" not in document
    assert list(document["modes"]) == ["hybrid", "keyword"]  # type: ignore[call-overload]
    assert document["service"] == {
        "version": "1",
        "neo4j": None,
        "embedder": "minilm",
        "vectors": None,
        "collection": None,
    }
    assert json.loads(json.dumps(document)) == document
    shown = dict(search_lines(document))
    assert shown["hybrid"].split() == ["50.0", "100.0", "100.0", "100.0", "79.7", "83.3", "100.0"]
    assert shown["resident"].startswith("6.5 MiB")
