"""The filter of a read, asked of one memory as the graph holds it: the last word after every index."""

from __future__ import annotations

from graphmem.access.predicate import Everything, holds
from graphmem.graph.mapping import sources_of
from graphmem.graph.memory_store import narrowed
from graphmem.memory.commands import MemoryFilter
from graphmem.memory.model import Fact, Memory


def unmet(memory: Memory, wanted: MemoryFilter) -> list[str]:
    """The fields of the filter that leave the memory out, by their names in the API; empty when none does."""
    kind = memory.kind if isinstance(memory, Fact) else None
    checks = {
        "under, tags": holds(narrowed(Everything(), wanted), memory),
        "labels": not wanted.labels or memory.label in wanted.labels,
        "kinds": not wanted.kinds or kind in wanted.kinds,
        "keywords": set(wanted.keywords) <= set(memory.keywords),
        "source": wanted.source is None or wanted.source in sources_of(memory),
        "createdAfter": wanted.created_after is None or memory.created_at >= wanted.created_after,
        "createdBefore": wanted.created_before is None or memory.created_at < wanted.created_before,
    }
    return [name for name, passed in checks.items() if not passed]
