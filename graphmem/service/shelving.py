"""Which collection belongs to which embedder: remembered in the store, and checked when it is opened.

Vectors of two models in one collection would be noise. So model, width and text recipe stand in ``Meta``; a
different embedder stops the start with the command that mends it.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.errors import Misconfigured
from graphmem.graph.meta_store import MetaStore
from graphmem.service.vector_room import Shelf
from graphmem.vectors.embedder import Embedder
from graphmem.vectors.index import VectorStore, collection_name

COLLECTION, EMBEDDER, WIDTH, RECIPE = (
    "vectors/collection",
    "vectors/embedder",
    "vectors/width",
    "vectors/recipe",
)


async def open_shelf(
    meta: MetaStore, store: VectorStore, embedder: Embedder, *, accept_other: bool = False
) -> Shelf:
    """The collection of this embedder; a new store remembers it from now on.

    Args:
        accept_other: Take an embedder that is not the remembered one; the caller rebuilds the collection.

    Raises:
        Misconfigured: The store holds vectors of another model, width or recipe.
    """
    kept = await meta.get(COLLECTION, EMBEDDER, WIDTH, RECIPE)
    wanted = described(embedder, collection_name(embedder.name, embedder.width, embedder.recipe))
    if not kept:
        await meta.put(wanted)
        kept = wanted
    elif not accept_other:
        _require_same(kept, wanted)
    name = kept[COLLECTION] if _same(kept, wanted) else wanted[COLLECTION]
    return Shelf(embedder, await store.open(name, embedder.width))


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
