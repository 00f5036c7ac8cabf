"""Collections and what the store remembers of them, on the real stores."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from qdrant_client import models

from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.graph.meta_store import Lease
from graphmem.memory.commands import ForgetMemory, NewFact
from graphmem.service.clock import Clock
from graphmem.service.platform import Caller, Platform
from graphmem.service.reindexing import reindex
from graphmem.service.shelving import COLLECTION, described, open_room
from graphmem.service.sweeping import OURS, Sweeper
from graphmem.service.vector_room import VectorRoom
from graphmem.service.writing import write
from graphmem.vectors.hashing import HashEmbedder
from graphmem.vectors.index import VectorStore
from tests.running import indexed

pytestmark = pytest.mark.stores

LOST = "memories-lost"
LEFT = "memories-left-behind"


@pytest.fixture
async def engine(edge_store: VectorStore) -> AsyncIterator[VectorStore]:
    """The engine, without collections of ours before and after."""
    await emptied(edge_store)
    yield edge_store
    await emptied(edge_store)


async def emptied(engine: VectorStore) -> None:
    for name in await engine.collections():
        if name.startswith(OURS):
            await engine.drop(name)


async def ours(engine: VectorStore) -> list[str]:
    return [name for name in await engine.collections() if name.startswith(OURS)]


async def room_of(platform: Platform, engine: VectorStore) -> VectorRoom:
    return await open_room(platform.stores, engine, HashEmbedder(), engine="an engine")


async def test_a_lost_collection_is_told_and_a_rebuild_brings_it_back(
    platform: Platform, engine: VectorStore
) -> None:
    caller = Caller.of(platform, DEFAULT_SUBJECT)
    [receipt] = await write(caller, [NewFact(path="/a", content="the ferns want water")])
    await indexed(platform)
    await platform.stores.meta.put(described(HashEmbedder(), LOST))

    room = await room_of(platform, engine)

    assert room.degraded is not None
    assert LOST in room.degraded
    assert (room.shelves, await ours(engine)) == ((), [])

    report = await reindex(Caller.of(replace(platform, vectors=room), DEFAULT_SUBJECT))

    hits = await room.find("ferns", models.Filter(), 5)
    assert [hit.memory_id for hit in hits] == [receipt.memory_id]
    assert room.degraded is None
    assert await ours(engine) == [report.collection]
    assert (await platform.stores.meta.get(COLLECTION))[COLLECTION] == report.collection
    again = await room_of(platform, engine)
    assert [shelf.index.collection for shelf in again.shelves] == [report.collection]


async def test_a_purged_memory_is_in_no_collection_that_was_left_behind(
    platform: Platform, engine: VectorStore
) -> None:
    caller = Caller.of(platform, DEFAULT_SUBJECT)
    [receipt] = await write(caller, [NewFact(path="/a", content="a secret")])
    room = await room_of(platform, engine)
    await reindex(Caller.of(replace(platform, vectors=room), DEFAULT_SUBJECT))
    await engine.open(LEFT, HashEmbedder().width)
    assert LEFT in await ours(engine)

    await write(caller, [ForgetMemory(id=receipt.memory_id or "", purge=True)])
    swept = await Sweeper(platform.stores.meta, room, Clock()).step(Lease("lease/sweeping", "me", 1))

    assert room.shelf is not None
    assert (swept, await ours(engine)) == (1, [room.shelf.index.collection])


async def test_settings_are_put_by_the_holder_of_the_lease_alone(platform: Platform) -> None:
    meta = platform.stores.meta
    lease = await meta.take_lease("lease/test", "first", 60)
    assert lease is not None

    assert await meta.put_under(lease, {"a": "1", "b": "2"})
    await meta.drop_lease(lease)
    assert await meta.take_lease("lease/test", "second", 60) is not None
    assert not await meta.put_under(lease, {"a": "3"})

    assert await meta.get("a", "b") == {"a": "1", "b": "2"}


async def test_a_store_knows_whether_any_version_was_indexed(platform: Platform) -> None:
    assert not await platform.stores.index.any_indexed()

    await write(Caller.of(platform, DEFAULT_SUBJECT), [NewFact(path="/a", content="one")])
    await indexed(platform)

    assert await platform.stores.index.any_indexed()
