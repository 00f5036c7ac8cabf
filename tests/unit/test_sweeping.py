"""Sweeping: what nobody searches is dropped, and nothing that somebody builds or may need."""

from __future__ import annotations

from graphmem.graph.meta_store import Lease
from graphmem.service.clock import Clock
from graphmem.service.sweeping import OURS, REBUILDING, Sweeper
from graphmem.service.vector_room import Shelf, VectorRoom
from graphmem.vectors.index import collection_name
from tests.shelves import Engine, Library, Model

MINE = Lease("lease/sweeping", "me", 1)


async def swept(library: Library, searched: str | None, filling: str | None = None) -> set[str]:
    """The collections that a step leaves."""
    model = Model()
    room = VectorRoom(library.engine, None, embedder=model)
    if searched is not None:
        room = VectorRoom(library.engine, Shelf(model, await library.engine.open(searched, model.width)))
    if filling is not None:
        room.filling = Shelf(model, await library.engine.open(filling, model.width))
    await Sweeper(library.meta, room, Clock()).step(MINE)
    return set(library.engine.stored)


def library_of(*collections: str, named: str) -> Library:
    library = Library(engine=Engine({name: {} for name in collections}))
    library.remembers(Model(), named)
    return library


async def test_what_is_neither_named_nor_in_use_is_dropped() -> None:
    library = library_of("memories-a", "memories-b", "memories-b-17", "another's", named="memories-a")

    assert await swept(library, "memories-a", "memories-a-18") == {"memories-a", "memories-a-18", "another's"}
    assert library.settings.leases == {}


async def test_nothing_is_dropped_while_another_service_rebuilds() -> None:
    library = library_of("memories-a", "memories-a-17", named="memories-a")
    library.settings.leases[f"lease/{REBUILDING}"] = "another service"

    assert await swept(library, "memories-a") == {"memories-a", "memories-a-17"}


async def test_nothing_is_dropped_by_one_that_searches_what_is_not_named() -> None:
    library = library_of("memories-a", "memories-b", named="memories-b")

    assert await swept(library, "memories-a") == {"memories-a", "memories-b"}
    assert await swept(library, None) == {"memories-a", "memories-b"}


def test_every_collection_of_ours_is_known_by_its_name() -> None:
    assert collection_name("openai:m@http://x", 3, "recipe").startswith(OURS)
