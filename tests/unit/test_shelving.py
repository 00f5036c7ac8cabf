"""Which collection a start searches: never an empty one that looks as if it were up to date."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.errors import Misconfigured
from graphmem.service.shelving import COLLECTION, open_room
from graphmem.service.vector_room import VectorRoom
from graphmem.vectors.index import collection_name
from tests.shelves import Engine, Index, Library, Model, Versions, unindexed, version

KNOWN = version("m1", "The ferns want water.")


async def opened(library: Library, model: Model, **how: Any) -> VectorRoom:
    return await open_room(library.stores, library.engine, model, engine="an engine", **how)


async def test_a_new_store_remembers_its_collection() -> None:
    library, model = Library(), Model()

    room = await opened(library, model)

    assert room.degraded is None
    assert library.settings.values[COLLECTION] == collection_name("hash", model.width, model.recipe)
    assert await library.engine.collections() == [library.settings.values[COLLECTION]]


async def test_a_collection_that_is_gone_is_told_and_not_made_anew() -> None:
    library, model = Library(Versions([KNOWN])), Model()
    library.remembers(model, "memories-lost")

    for _ in range(2):
        room = await opened(library, model)

        assert room.degraded is not None
        assert "memories-lost" in room.degraded
        assert "`graphmem reindex`" in room.degraded
        assert (room.shelves, room.embedder, library.engine.stored) == ((), model, {})


async def test_a_collection_that_never_held_anything_is_made_anew() -> None:
    library, model = Library(Versions([unindexed(KNOWN)])), Model()
    library.remembers(model, "memories-lost")

    room = await opened(library, model)

    assert room.degraded is None
    assert list(library.engine.stored) == ["memories-lost"]


async def test_another_embedder_searches_nothing_before_the_rebuild() -> None:
    library, old, new = Library(Versions([KNOWN]), Engine({"memories-old": {}})), Model("old"), Model("new")
    library.remembers(old, "memories-old")

    room = await opened(library, new, accept_other=True)

    assert (room.shelves, room.embedder) == ((), new)
    assert room.degraded is not None
    assert "`graphmem reindex`" in room.degraded
    assert "GRAPHMEM_EMBEDDER=old" in room.degraded
    assert list(library.engine.stored) == ["memories-old"]


async def test_a_collection_that_is_replaced_while_it_is_opened_is_not_searched() -> None:
    class Replaced(Engine):
        async def open(self, collection: str, width: int) -> Index:
            library.remembers(model, "memories-new")
            return await super().open(collection, width)

    library, model = Library(Versions([KNOWN])), Model()
    library.engine = Replaced({"memories-old": {}, "memories-new": {}})
    library.remembers(model, "memories-old")

    room = await opened(library, model)

    assert [shelf.index.collection for shelf in room.shelves] == ["memories-new"]


async def test_another_embedder_stops_an_ordinary_start() -> None:
    library = Library(Versions([KNOWN]))
    library.remembers(Model("old"), "memories-old")

    with pytest.raises(Misconfigured, match="graphmem reindex"):
        await opened(library, Model("new"))
