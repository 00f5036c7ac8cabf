"""Why a search does not find a memory: the step at which it falls out."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.memory.commands import MemoryFilter, SearchMode
from graphmem.memory.limits import SEARCH_DEPTH
from graphmem.memory.model import Memory
from graphmem.service.candidates import candidates_of
from graphmem.service.filtering import unmet
from graphmem.service.platform import Caller
from graphmem.service.reading import memory as read_memory
from graphmem.service.searching import FIRST_LOOK, rank, wider


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The step that decided, and what happened there."""

    found: bool
    step: str
    detail: str


async def why_not(caller: Caller, id: str, query: str, wanted: MemoryFilter, mode: SearchMode) -> WhyNot:
    """At which step of a search the memory fell out, or where it stands among the hits.

    Raises:
        NotFound: There is no such memory, or none that the caller may read.
        Degraded: Mode VECTOR while the vectors are away.
    """
    memory = await read_memory(caller, id)
    hidden = _state(caller, memory) or _filtered(memory, wanted)
    if hidden is not None:
        return hidden
    found = await candidates_of(caller, query, wanted, mode, FIRST_LOOK)
    ranked = rank(query, mode, found)
    if not found.complete:
        ranked, found = await wider(caller, query, wanted, mode, ranked)
    ranks = {fused.id: at for at, fused in enumerate(ranked, start=1)}
    if memory.id in ranks:
        return WhyNot(True, "ranked", f"it is hit {ranks[memory.id]} of {len(ranks)}")
    reasons = []
    if mode is not SearchMode.VECTOR:
        reasons.append("it shares no indexed word with the query" if found.every_word else _OUTNUMBERED)
    if mode is not SearchMode.KEYWORD:
        reasons.append(_by_meaning(memory, found.degraded))
    return WhyNot(False, "candidates", "; ".join(reasons))


_OUTNUMBERED = f"{SEARCH_DEPTH} others share more or rarer words with the query"


def _state(caller: Caller, memory: Memory) -> WhyNot | None:
    now = caller.now()
    if not memory.live:
        return WhyNot(False, "live", f"it is {'deleted' if memory.deleted_at else memory.status.lower()}")
    if memory.expired(now):
        return WhyNot(False, "expiry", f"it expired at {memory.expires_at}")
    if not memory.valid(now):
        return WhyNot(False, "validity", f"it is valid from {memory.valid_from} to {memory.valid_to}")
    return None


def _filtered(memory: Memory, wanted: MemoryFilter) -> WhyNot | None:
    """Which fields of the filter leave it out."""
    failed = unmet(memory, wanted)
    return WhyNot(False, "filter", f"the filter leaves it out: {', '.join(failed)}") if failed else None


def _by_meaning(memory: Memory, degraded: tuple[str, ...]) -> str:
    if degraded:
        return f"search by meaning is away ({degraded[0]})"
    if memory.indexed_revision < memory.revision:
        return "its vector is not indexed yet"
    return f"{SEARCH_DEPTH} others are nearer in meaning"
