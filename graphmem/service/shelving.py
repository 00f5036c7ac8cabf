"""Which collection belongs to which embedder: remembered in the store, and checked when it is opened.

Vectors of two models in one collection would be noise. So model, width and text recipe stand in ``Meta``; a
different embedder stops the start with the command that mends it. A collection that ``Meta`` names and the
engine has lost is not made anew, since an empty one would look like one that is up to date.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.errors import Misconfigured
from graphmem.service.platform import Stores
from graphmem.service.vector_room import Shelf, VectorRoom
from graphmem.vectors.embedder import Embedder
from graphmem.vectors.index import VectorStore, collection_name

COLLECTION, EMBEDDER, WIDTH, RECIPE = (
    "vectors/collection",
    "vectors/embedder",
    "vectors/width",
    "vectors/recipe",
)


async def open_room(
    stores: Stores, store: VectorStore, embedder: Embedder, *, engine: str, accept_other: bool = False
) -> VectorRoom:
    """The room with the collection of this embedder; a new store remembers it from now on.

    Without a collection, and degraded, where a rebuild has to make one first. Index work waits until then.

    Args:
        engine: Name of the engine, for people.
        accept_other: Take an embedder that is not the remembered one; the caller rebuilds the collection.

    Raises:
        Misconfigured: The store holds vectors of another model, width or recipe.
    """
    kept = await stores.meta.get(COLLECTION, EMBEDDER, WIDTH, RECIPE)
    wanted = described(embedder, collection_name(embedder.name, embedder.width, embedder.recipe))
    if not accept_other and kept:
        _require_same(kept, wanted)
    absent = await _absent(stores, store, kept, wanted)
    if absent is not None:
        return VectorRoom(store, None, embedder=embedder, engine=engine, absent=absent)
    name = kept.get(COLLECTION, wanted[COLLECTION])
    shelf = Shelf(embedder, await store.open(name, embedder.width))
    if not kept:
        await stores.meta.put(wanted)
    elif (await stores.meta.get(COLLECTION))[COLLECTION] != name:
        # Another service has switched meanwhile; what was opened here may be new and empty.
        await shelf.index.close()
        return await open_room(stores, store, embedder, engine=engine, accept_other=accept_other)
    return VectorRoom(store, shelf, engine=engine)


async def _absent(
    stores: Stores, store: VectorStore, kept: Mapping[str, str], wanted: Mapping[str, str]
) -> str | None:
    """Why there is no collection to search, and the way out; None where there is one, or nothing to lose."""
    if not kept:
        return None
    if not _same(kept, wanted):
        return (
            f"no vectors of {wanted[EMBEDDER]} are built yet; run `graphmem reindex` to build them,"
            f" or set GRAPHMEM_EMBEDDER={kept[EMBEDDER]}"
        )
    if kept[COLLECTION] in await store.collections() or not await stores.index.any_indexed():
        return None
    return f"the collection {kept[COLLECTION]} is gone; run `graphmem reindex` to build it anew"


def described(embedder: Embedder, collection: str) -> dict[str, str]:
    """What the store remembers of a collection."""
    return {
        COLLECTION: collection,
        EMBEDDER: embedder.name,
        WIDTH: str(embedder.width),
        RECIPE: embedder.recipe,
    }


def _same(kept: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(kept.get(key) == wanted[key] for key in (EMBEDDER, WIDTH, RECIPE))


def _require_same(kept: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    if _same(kept, wanted):
        return
    raise Misconfigured(
        f"this store holds vectors of {kept[EMBEDDER]} (width {kept[WIDTH]}, recipe {kept[RECIPE]}), but the"
        f" embedder is {wanted[EMBEDDER]} (width {wanted[WIDTH]}, recipe {wanted[RECIPE]}); run"
        f" `graphmem reindex` to build them anew, or set GRAPHMEM_EMBEDDER={kept[EMBEDDER]}"
    )
