"""What the server adapter sends over HTTP and how it reads refusals, against a small server of our own."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from qdrant_client.http.exceptions import ResponseHandlingException
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from graphmem.access.predicate import Under
from graphmem.access.qdrant import to_qdrant
from graphmem.errors import Misconfigured, Unavailable
from graphmem.vectors.index import Point, point_id, tombstone
from graphmem.vectors.server import ServerStore
from graphmem.vectors.server_calls import asked
from tests.unit.test_embedder_http import serving

KEY = "a-very-secret-qdrant-key"


@dataclass
class Recorder:
    """Answers as a Qdrant with one collection of width 2 does, and keeps what it was sent."""

    version: str = "1.20.0"
    status: int = 200
    sent: list[tuple[str, str, Any]] = field(default_factory=list)
    keys: set[str | None] = field(default_factory=set)

    async def answer(self, request: Request) -> Response:
        body = await request.body()
        self.sent.append((request.method, request.url.path, json.loads(body) if body else None))
        self.keys.add(request.headers.get("api-key"))
        if self.status != 200:
            return JSONResponse({"status": {"error": f"refused {KEY}"}, "time": 0}, self.status)
        if request.url.path == "/":
            return JSONResponse({"title": "qdrant", "version": self.version})
        return JSONResponse({"result": self._result(request), "status": "ok", "time": 0.0})

    def _result(self, request: Request) -> Any:
        path = request.url.path
        if path.endswith("/exists"):
            return {"exists": True}
        if path.endswith("/points/query"):
            payload = {"memory_id": "m1", "window": 0, "revision": 4}
            return {"points": [{"id": point_id("m1", 0), "version": 1, "score": 0.5, "payload": payload}]}
        if path == "/collections":
            return {"collections": [{"name": "graphmem-one"}, {"name": "somebody-elses"}]}
        if path == "/collections/graphmem-one":
            return COLLECTION
        return {"operation_id": 1, "status": "completed"}


COLLECTION = {
    "status": "green",
    "optimizer_status": "ok",
    "segments_count": 1,
    "config": {
        "params": {"vectors": {"size": 2, "distance": "Cosine"}},
        "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
        "optimizer_config": {
            "deleted_threshold": 0.2,
            "vacuum_min_vector_number": 1000,
            "default_segment_number": 0,
            "flush_interval_sec": 5,
        },
    },
    "payload_schema": {"path": {"data_type": "keyword", "points": 3}},
}


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
async def url(recorder: Recorder) -> AsyncIterator[str]:
    every = Route("/{path:path}", recorder.answer, methods=["GET", "POST", "PUT", "DELETE"])
    async with serving(Starlette(routes=[every])) as address:
        yield address


@pytest.fixture
async def store(url: str) -> AsyncIterator[ServerStore]:
    opened = await ServerStore.connect(url, KEY)
    yield opened
    await opened.close()


async def test_an_upsert_carries_its_condition_by_revision(store: ServerStore, recorder: Recorder) -> None:
    index = await store.open("one", 2)
    payload = {"memory_id": "m1", "window": 0, "revision": 4, "live": True}

    await index.upsert([Point(point_id("m1", 0), [3.0, 4.0], payload), tombstone("m2", 0, 7)])

    method, path, body = recorder.sent[-1]
    assert (method, path) == ("PUT", "/collections/graphmem-one/points")
    assert [(point["id"], point["vector"]) for point in body["points"]] == [
        (point_id("m1", 0), [3.0, 4.0]),
        (point_id("m2", 0), {}),
    ]
    assert [part["must"] for part in body["update_filter"]["should"]] == [
        [{"has_id": [point_id("m1", 0)]}, {"key": "revision", "range": {"lt": 4.0}}],
        [{"has_id": [point_id("m2", 0)]}, {"key": "revision", "range": {"lt": 7.0}}],
    ]
    assert recorder.keys == {KEY}


async def test_only_missing_payload_indexes_are_made(store: ServerStore, recorder: Recorder) -> None:
    await store.open("one", 2)

    asked_for = [body for _, path, body in recorder.sent if path.endswith("/index")]
    made = {body["field_name"]: body["field_schema"] for body in asked_for}
    assert "path" not in made
    assert (made["ancestors"], made["live"], made["created_at"]) == ("keyword", "bool", "datetime")


async def test_a_search_is_exact_and_filtered(store: ServerStore, recorder: Recorder) -> None:
    index = await store.open("one", 2)

    (hit,) = await index.search([1.0, 0.0], to_qdrant(Under("/notes")), 5)

    body = recorder.sent[-1][2]
    assert (hit.memory_id, hit.revision, hit.score) == ("m1", 4, 0.5)
    assert body["params"] == {"exact": True}
    assert body["filter"]["must"] == [{"key": "ancestors", "match": {"any": ["/notes"]}}]
    assert body["with_payload"] == ["memory_id", "window", "revision"]


async def test_collections_of_others_are_not_seen(store: ServerStore) -> None:
    assert await store.collections() == ["one"]


async def test_another_width_is_refused(store: ServerStore) -> None:
    with pytest.raises(Misconfigured, match="stored width 2, the embedder gives 3"):
        await store.open("one", 3)


@pytest.mark.parametrize(("version", "accepted"), [("1.15.9", False), ("1.16.0", True), ("2.0.0-dev", True)])
async def test_a_server_without_conditional_upserts_is_refused(
    url: str, recorder: Recorder, version: str, accepted: bool
) -> None:
    recorder.version = version

    if accepted:
        await (await ServerStore.connect(url)).close()
    else:
        with pytest.raises(Misconfigured, match=r"version 1\.15\.9; GraphMem needs 1\.16 or later"):
            await ServerStore.connect(url)


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_names_the_setting_alone(url: str, recorder: Recorder, status: int) -> None:
    recorder.status = status

    with pytest.raises(Misconfigured, match="set GRAPHMEM_QDRANT_KEY") as refusal:
        await ServerStore.connect(url, KEY)

    assert KEY not in str(refusal.value)


@pytest.mark.parametrize("status", [404, 429, 500, 503])
async def test_a_server_that_cannot_is_unavailable(
    store: ServerStore, recorder: Recorder, status: int
) -> None:
    recorder.status = status

    with pytest.raises(Unavailable) as refusal:
        await store.health()

    assert KEY not in str(refusal.value)


async def test_a_server_that_is_away_is_unavailable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"

    with pytest.raises(Unavailable, match=r"does not answer info \(ConnectError\)"):
        await ServerStore.connect(address)


@pytest.mark.parametrize("address", ["localhost:6333", "grpc://host", "http://", ""])
async def test_an_address_that_is_no_url_is_refused(address: str) -> None:
    with pytest.raises(Misconfigured, match="GRAPHMEM_QDRANT_URL"):
        await ServerStore.connect(address)


class Flaky:
    """A request whose first answers break off."""

    def __init__(self, breaks: int) -> None:
        self.breaks = breaks
        self.tries = 0

    async def __call__(self) -> str:
        self.tries += 1
        if self.tries <= self.breaks:
            raise ResponseHandlingException(httpx.RemoteProtocolError("closed"))
        return "answer"


async def test_a_broken_connection_is_tried_once_more() -> None:
    once, twice = Flaky(1), Flaky(2)

    assert await asked("count", once) == "answer"
    with pytest.raises(Unavailable, match=r"does not answer count \(RemoteProtocolError\)"):
        await asked("count", twice)

    assert (once.tries, twice.tries) == (2, 2)
