"""Rebuilding the vectors: a new collection is filled beside the old one, which answers until the switch.

From the first moment index work goes to both; where there is no old one it waits. The first pass copies every
version; the second compares and fetches what the scan missed, since an index scan can miss rows while others
write. One process at a time rebuilds, over all that share a store; after the switch it drops the others.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graphmem.errors import Conflict, GraphMemError, Misconfigured, Unavailable
from graphmem.graph.index_store import SCAN_PAGE
from graphmem.graph.meta_store import Lease
from graphmem.memory.model import Memory
from graphmem.service.comparing import differences
from graphmem.service.indexing import in_parts, points_of
from graphmem.service.leases import LEASE_SECONDS
from graphmem.service.platform import Caller, Platform
from graphmem.service.shelving import described
from graphmem.service.status import require_operator
from graphmem.service.sweeping import REBUILDING, sweep
from graphmem.service.turns import turn
from graphmem.service.vector_room import Shelf
from graphmem.vectors.embedder import Embedder
from graphmem.vectors.index import VectorStore, collection_name

WAIT_SECONDS = LEASE_SECONDS + 5.0
"""For the turn: a rebuild that was killed keeps its lease for ``LEASE_SECONDS``."""

ROUNDS = 5
"""Second passes before it gives up: each finds only what changed during the one before."""

_log = logging.getLogger(__name__)


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
    if room.store is None or room.embedder is None:
        raise Misconfigured("there is no embedder; set GRAPHMEM_EMBEDDER and start the service again")
    if room.rebuilding:
        raise Conflict("a rebuild is under way already")
    room.rebuilding = True
    try:
        holder = platform.clock.new_id()
        async with turn(platform.stores.meta, REBUILDING, holder, wait_seconds=WAIT_SECONDS) as lease:
            if lease is None:
                raise Conflict("another service of this store rebuilds; wait until it is done")
            return await _rebuilt(platform, lease, room.store, room.embedder, seen)
    finally:
        room.rebuilding = False


async def _rebuilt(
    platform: Platform, lease: Lease, store: VectorStore, embedder: Embedder, seen: Callable[[int], None]
) -> ReindexReport:
    room = platform.vectors
    began = time.monotonic()
    base = collection_name(embedder.name, embedder.width, embedder.recipe)
    name = f"{base}-{int(time.time() * 1000)}"
    shelf = Shelf(embedder, await store.open(name, embedder.width))
    room.filling = shelf
    try:
        done = await _copy(platform, shelf, seen)
        done += await _complete(platform, shelf)
        if not await platform.stores.meta.put_under(lease, described(embedder, name)):
            raise Unavailable("the rebuild stood still for too long and lost its turn; run the command again")
    except BaseException:
        # Dropped even if the store may name it by now: the next start misses it and says so.
        room.filling = None
        await asyncio.shield(_drop(store, shelf))
        raise
    await _clear(platform, store, room.switch())
    # Until then another service may have taken work off that it did on the old collection alone.
    done += await _complete(platform, shelf)
    return ReindexReport(done, name, time.monotonic() - began)


async def _clear(platform: Platform, store: VectorStore, before: Shelf | None) -> None:
    """Drops what the new collection replaces; where that fails, the sweeper does it later."""
    try:
        if before is not None:
            await _drop(store, before)
        await sweep(platform.stores.meta, platform.vectors)
    except GraphMemError as problem:
        _log.info("old collections are dropped later: %s", problem)


async def _copy(platform: Platform, shelf: Shelf, seen: Callable[[int], None]) -> int:
    done = 0
    async for page in platform.stores.index.versions():
        for part in in_parts(page, lambda memory: memory):
            await _embed(shelf, part)
            done += len(part)
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
        for at in range(0, len(missing), SCAN_PAGE):
            ids = missing[at : at + SCAN_PAGE]
            for part in in_parts(await platform.stores.index.some(ids), lambda memory: memory):
                await _embed(shelf, part)
        done += len(missing)
    raise Unavailable(f"the new collection did not catch up in {ROUNDS} rounds; run the command again")


async def _embed(shelf: Shelf, memories: Sequence[Memory]) -> None:
    """Puts the versions on the shelf, as ones that no index holds yet."""
    fresh = [replace(memory, indexed_revision=0) for memory in memories]
    await shelf.index.upsert(await points_of(shelf, fresh))


async def _drop(store: VectorStore, shelf: Shelf) -> None:
    await shelf.index.close()
    await store.drop(shelf.index.collection)
