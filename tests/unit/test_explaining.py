"""Why a search does not find a memory: each channel gives its own reason."""

from __future__ import annotations

from collections.abc import Collection
from types import SimpleNamespace
from typing import Any, cast

from graphmem.access.predicate import Everything, Predicate
from graphmem.memory.commands import MemoryFilter, SearchMode
from graphmem.memory.model import Memory
from graphmem.service.explaining import why_not
from graphmem.service.platform import Caller
from graphmem.vectors.index import VectorHit
from tests.ledgers import MONDAY, Store, fact


class Crowded:
    """A vector index that always has as many as it is asked for."""

    async def find(self, query: str, where: object, limit: int) -> list[VectorHit]:
        return [VectorHit(f"other{number:04}", 0, 1, 1 - number / 5_000) for number in range(limit)]


class Words:
    """A keyword index without a match."""

    async def search(
        self, terms: object, wanted: object, rule: Predicate, limit: int
    ) -> tuple[dict[str, float], bool]:
        return {}, True


class Memories:
    """The graph with one memory that is indexed."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def heads(self, ids: Collection[str], rule: Predicate) -> dict[str, Memory]:
        return dict.fromkeys(ids, self._memory)

    async def readable(self, ids: Collection[str], rule: Predicate) -> frozenset[str]:
        return frozenset(ids)


async def test_a_memory_without_a_word_of_the_query_is_not_said_to_be_outnumbered() -> None:
    store = Store()
    store.do(fact("The cat sat."))
    [memory] = store.live()
    stores = SimpleNamespace(memories=Memories(memory), keywords=Words())
    platform = SimpleNamespace(stores=stores, vectors=Crowded(), languages=("en",))
    caller = cast(
        Caller,
        cast(Any, SimpleNamespace(platform=platform, visible=lambda: Everything(), now=lambda: MONDAY)),
    )

    said = await why_not(caller, memory.id, "violin", MemoryFilter(), SearchMode.HYBRID)

    assert (said.found, said.step) == (False, "candidates")
    assert said.detail == "it shares no indexed word with the query; its vector is not indexed yet"
