"""The collections in use: what is searched, what index work goes to, and a switch under a search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import pytest
from qdrant_client import models

from graphmem.errors import Unavailable
from graphmem.graph.meta_store import Lease
from graphmem.graph.outbox_store import OutboxStore
from graphmem.service import vector_room
from graphmem.service.clock import Clock
from graphmem.service.indexing import IndexWorker, points_of
from graphmem.service.vector_room import Shelf, VectorRoom
from graphmem.vectors.index import VectorHit
from tests.shelves import Engine, Index, Model, version


class Dropped(Index):
    """A collection that is dropped while it is asked."""

    def __init__(self, engine: Engine, then: Callable[[], object]) -> None:
        super().__init__(engine, "old", 256)
        self._then = then

    async def search(self, vector: object, where: object, limit: int) -> list[VectorHit]:
        self._then()
        raise Unavailable("the collection old is not open")


async def test_a_search_that_a_switch_overtakes_is_answered_by_the_new_collection() -> None:
    engine, model = Engine(), Model()
    new = Shelf(model, await engine.open("new", 256))
    await new.index.upsert(await points_of(new, [version("m1", "ferns")]))
    room = VectorRoom(engine, Shelf(model, Dropped(engine, lambda: room.switch())))
    room.filling = new

    hits = await room.find("ferns", models.Filter(), 5)

    assert [hit.memory_id for hit in hits] == ["m1"]
    assert room.degraded is None


async def test_a_search_that_fails_without_a_switch_is_not_asked_again() -> None:
    asked: list[str] = []
    engine = Engine()
    room = VectorRoom(engine, Shelf(Model(), Dropped(engine, lambda: asked.append("old"))))

    with pytest.raises(Unavailable, match="not open"):
        await room.find("ferns", models.Filter(), 5)

    assert asked == ["old"]
    assert room.degraded == "the collection old is not open"


async def test_index_work_waits_while_there_is_only_a_collection_that_may_be_given_up() -> None:
    class Outbox:
        async def take(self, lease: Lease, now: object, limit: int) -> list[object]:
            raise AssertionError("nothing may be taken off")

    engine, model = Engine(), Model()
    room = VectorRoom(engine, None, embedder=model, absent="no vectors yet")
    room.filling = Shelf(model, await engine.open("new", 256))
    worker = IndexWorker(cast(OutboxStore, Outbox()), room, Clock())

    assert await worker.step(Lease("lease/indexing", "me", 1)) == 0
    room.switch()
    assert [shelf.index.collection for shelf in room.shelves] == ["new"]


async def test_an_engine_that_says_nothing_is_degraded_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vector_room, "CHECK_SECONDS", 0.01)

    class Silent(Engine):
        async def health(self) -> None:
            await asyncio.Event().wait()

    engine = Silent()
    room = VectorRoom(engine, Shelf(Model(), await engine.open("here", 256)))

    await room.check()

    assert room.degraded == "no answer within 0.01 s"
