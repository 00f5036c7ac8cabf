"""The live drawers of a store, for tests."""

from __future__ import annotations

from graphmem.graph.memory_store import Place
from graphmem.memory.commands import MemoryFilter, MemoryOrder
from graphmem.memory.model import Drawer, Label
from graphmem.service.platform import Caller


async def drawers_of(caller: Caller) -> list[Drawer]:
    """All that the caller may read, by file and line, then by content."""
    rows = await caller.platform.stores.memories.listed(
        MemoryFilter(labels=(Label.DRAWER,)),
        MemoryOrder.OLDEST,
        caller.visible(),
        after=Place.before_all(MemoryOrder.OLDEST),
        now=caller.now(),
        limit=10_000,
    )
    found = [memory for memory, _ in rows if isinstance(memory, Drawer)]
    return sorted(found, key=lambda d: (d.source_file or "", d.line_start or 0, d.content))
