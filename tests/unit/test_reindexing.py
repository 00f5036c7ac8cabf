"""A rebuild: how much is embedded at once, what it leaves behind, and whose turn it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from graphmem.errors import Conflict, Unavailable
from graphmem.graph.index_store import Footing
from graphmem.service import reindexing
from graphmem.service.indexing import BATCH_CHARACTERS
from graphmem.service.reindexing import reindex
from graphmem.service.shelving import COLLECTION, open_room
from graphmem.service.sweeping import REBUILDING
from graphmem.vectors.embedder import Vectors
from tests.shelves import Engine, Library, Model, Settings, Versions, version

TURN = f"lease/{REBUILDING}"


def shelved(*pages: list[str], model: Model) -> Library:
    """A store of texts, whose vectors were made by a model."""
    numbered = iter(f"m{number}" for number in range(1_000))
    library = Library(Versions(*[[version(next(numbered), text) for text in page] for page in pages]))
    library.engine = Engine({"memories-old": {}})
    library.remembers(model, "memories-old")
    return library


async def test_long_texts_are_embedded_a_few_at_a_time() -> None:
    model = Model()
    library = shelved(["word " * 12_000] * 10, model=model)
    room = await open_room(library.stores, library.engine, model, engine="an engine")

    report = await reindex(library.caller(room))

    sizes = [sum(map(len, texts)) for texts in model.asked]
    assert report.indexed == 10
    assert max(sizes) < 1.5 * BATCH_CHARACTERS


async def test_a_text_longer_than_a_batch_goes_alone_and_none_is_left_out() -> None:
    model = Model()
    library = shelved(["one", "long " * 60_000, "two", "three"], model=model)
    room = await open_room(library.stores, library.engine, model, engine="an engine")

    await reindex(library.caller(room))

    assert [texts[0][:5] for texts in model.asked] == ["one", "long ", "two"]
    assert model.asked[2] == ["two", "three"]


async def test_a_rebuild_with_another_embedder_drops_what_the_old_one_made() -> None:
    library = shelved(["ferns"], model=Model("old"))
    library.engine.stored |= {"memories-killed-1": {}, "another's": {}}
    room = await open_room(library.stores, library.engine, Model("new"), engine="e", accept_other=True)

    report = await reindex(library.caller(room))

    assert await library.engine.collections() == ["another's", report.collection]
    assert library.settings.values[COLLECTION] == report.collection
    assert room.degraded is None


async def test_what_another_service_indexed_until_the_switch_is_fetched_after_it() -> None:
    class Late(Versions):
        async def footings(self) -> AsyncIterator[list[Footing]]:
            if library.settings.values[COLLECTION] != "memories-old":
                self.pages = (*pages, [version("late", "written late")])
            async for page in super().footings():
                yield page

    model = Model()
    library = shelved(["ferns"], model=model)
    pages = library.index.pages
    library.index = Late(*pages)
    room = await open_room(library.stores, library.engine, model, engine="an engine")

    report = await reindex(library.caller(room))

    points = library.engine.stored[report.collection].values()
    assert {point.payload["memory_id"] for point in points} == {"m0", "late"}


async def test_a_rebuild_that_fails_changes_nothing() -> None:
    library = shelved(["ferns"], ["spades"], model=Model("old"))
    room = await open_room(
        library.stores, library.engine, Model("new", calls=1), engine="e", accept_other=True
    )

    with pytest.raises(Unavailable, match="the model is away"):
        await reindex(library.caller(room))

    assert library.settings.values[COLLECTION] == "memories-old"
    assert await library.engine.collections() == ["memories-old"]
    assert (room.shelves, room.filling, library.settings.leases) == ((), None, {})


async def test_one_service_at_a_time_rebuilds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "WAIT_SECONDS", 0.0)
    model = Model()
    library = shelved(["ferns"], model=model)
    library.settings.leases[TURN] = "another service"
    room = await open_room(library.stores, library.engine, model, engine="an engine")

    with pytest.raises(Conflict, match="another service"):
        await reindex(library.caller(room))

    assert (room.rebuilding, model.asked) == (False, [])


async def test_a_rebuild_that_lost_its_turn_does_not_switch() -> None:
    class Overtaking(Model):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            settings.leases[TURN] = "another service"
            return await super().embed(texts)

    model = Overtaking()
    library = shelved(["ferns"], model=model)
    settings: Settings = library.settings
    room = await open_room(library.stores, library.engine, model, engine="an engine")

    with pytest.raises(Unavailable, match="lost its turn"):
        await reindex(library.caller(room))

    assert settings.values[COLLECTION] == "memories-old"
    assert await library.engine.collections() == ["memories-old"]
