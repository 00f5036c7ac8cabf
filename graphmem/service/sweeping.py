"""Sweeping: collections that nobody searches are dropped, since a purge does not reach them.

Left behind by a rebuild that was killed, or by a change of the embedder that was not seen to its end.
"""

from __future__ import annotations

from graphmem.graph.meta_store import Lease, MetaStore
from graphmem.service.clock import Clock
from graphmem.service.shelving import COLLECTION
from graphmem.service.turns import turn
from graphmem.service.vector_room import VectorRoom

OURS = "memories-"
"""How ``collection_name`` begins; collections with other names are left alone."""

REBUILDING = "rebuilding"
"""Name of the turn of those that build collections or drop them."""

IDLE_SECONDS = 60.0
"""Between two looks for collections that are left behind."""


class Sweeper:
    """Drops what is left behind, once nobody rebuilds."""

    def __init__(self, meta: MetaStore, room: VectorRoom, clock: Clock) -> None:
        self._meta = meta
        self._room = room
        self._clock = clock

    async def step(self, lease: Lease) -> int:
        """Drops every collection that is left behind; how many it was, 0 while somebody rebuilds."""
        if not await _left_behind(self._meta, self._room):
            return 0
        async with turn(self._meta, REBUILDING, self._clock.new_id()) as mine:
            return 0 if mine is None else await sweep(self._meta, self._room)


async def sweep(meta: MetaStore, room: VectorRoom) -> int:
    """Drops every collection of ours that is left behind; how many it was. Only for whose turn it is.

    Raises:
        Unavailable: The engine is away, or the collection that is searched does not answer.
    """
    names = await _left_behind(meta, room)
    if room.store is None or room.shelf is None or not names:
        return 0
    await room.shelf.index.revisions(None, 1)
    for name in names:
        await room.store.drop(name)
    return len(names)


async def _left_behind(meta: MetaStore, room: VectorRoom) -> list[str]:
    """Collections of ours that are not in use; none unless the one that ``Meta`` names is searched here."""
    if room.store is None or room.shelf is None:
        return []
    named = (await meta.get(COLLECTION)).get(COLLECTION)
    stored = await room.store.collections()
    if named != room.shelf.index.collection or named not in stored:
        return []
    used = {shelf.index.collection for shelf in room.shelves}
    return [name for name in stored if name.startswith(OURS) and name not in used]
