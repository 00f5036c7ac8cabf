"""Rebuilding the vectors: a new collection is filled beside the old one, which answers until the switch.

From the first moment index work goes to both. The first pass copies every version; the second compares and
fetches what the scan missed, since an index scan can miss rows while others write.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from graphmem.errors import Conflict, Misconfigured, Unavailable
from graphmem.memory.model import Memory
from graphmem.service.comparing import differences
from graphmem.service.indexing import points_of
from graphmem.service.platform import Caller, Platform
from graphmem.service.shelving import described
from graphmem.service.status import require_operator
from graphmem.service.vector_room import Shelf
from graphmem.vectors.index import VectorStore, collection_name

PAGE = 256
"""Versions that a second pass reads at a time."""

ROUNDS = 5
"""Second passes before it gives up: each finds only what changed during the one before."""


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """What a rebuild did: versions embedded, the collection that answers now, and how long it took."""

    indexed: int
    collection: str
    seconds: float


async def reindex(caller: Caller, seen: Callable[[int], None] = lambda done: None) -> ReindexReport:
    """Builds all vectors anew and switches to them; searching goes on all the time.

    Args:
        seen: Hears how many versions are done.

    Raises:
        NotFound: The caller is no admin of everything.
        Conflict: A rebuild is under way.
        Misconfigured: There is no embedder.
    """
    require_operator(caller, "reindex")
    platform = caller.platform
    room = platform.vectors
    if room.store is None or room.shelf is None:
        raise Misconfigured("there is no embedder; set GRAPHMEM_EMBEDDER and start the service again")
    if room.rebuilding:
        raise Conflict("a rebuild is under way already")
    room.rebuilding = True
    try:
        return await _rebuilt(platform, room.store, room.shelf, seen)
    finally:
        room.rebuilding = False


async def _rebuilt(
    platform: Platform, store: VectorStore, searched: Shelf, seen: Callable[[int], None]
) -> ReindexReport:
    room = platform.vectors
    began, embedder = time.monotonic(), searched.embedder
    base = collection_name(embedder.name, embedder.width, embedder.recipe)
    name = f"{base}-{int(time.time())}"
    shelf = Shelf(embedder, await store.open(name, embedder.width))
    room.filling = shelf
    try:
        done = await _copy(platform, shelf, seen)
        done += await _complete(platform, shelf)
    except BaseException:
        room.filling = None
        await asyncio.shield(_drop(platform, shelf))
        raise
    await platform.stores.meta.put(described(embedder, name))
    before = room.switch()
    if before is not None:
        await _drop(platform, before)
    return ReindexReport(done, name, time.monotonic() - began)


async def _copy(platform: Platform, shelf: Shelf, seen: Callable[[int], None]) -> int:
    done = 0
    async for page in platform.stores.index.versions():
        await shelf.index.upsert(await points_of(shelf, [_fresh(memory) for memory in page]))
        done += len(page)
        seen(done)
    return done


async def _complete(platform: Platform, shelf: Shelf) -> int:
    """Embeds what the first pass missed; how many versions it was."""
    done = 0
    for _ in range(ROUNDS):
        found = await differences(platform, shelf)
        missing = sorted(id for id in found.behind if id not in found.waiting)
        if not missing:
            return done
        for at in range(0, len(missing), PAGE):
            ids = missing[at : at + PAGE]
            memories = [_fresh(memory) for memory in await platform.stores.index.some(ids)]
            await shelf.index.upsert(await points_of(shelf, memories))
        done += len(missing)
    raise Unavailable(f"the new collection did not catch up in {ROUNDS} rounds; run the command again")


def _fresh(memory: Memory) -> Memory:
    """The version as one that no index holds yet, so that it is embedded."""
    return replace(memory, indexed_revision=0)


async def _drop(platform: Platform, shelf: Shelf) -> None:
    name = shelf.index.collection
    await shelf.index.close()
    if platform.vectors.store is not None:
        await platform.vectors.store.drop(name)
