"""Candidates of a search: what a stale index names is asked of the graph before it is scored."""

from __future__ import annotations

from collections.abc import Collection
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graphmem.access.predicate import Everything, Predicate, Under
from graphmem.memory.commands import MemoryFilter, SearchMode
from graphmem.service.candidates import candidates_of
from graphmem.service.platform import Caller
from graphmem.vectors.index import VectorHit


class Vectors:
    """An index whose payloads are behind: it names a memory that the caller may no longer see."""

    async def find(self, query: str, where: object, limit: int) -> list[VectorHit]:
        hits = [VectorHit("hidden", 0, 1, 0.9), VectorHit("seen", 0, 1, 0.6), VectorHit("other", 0, 1, 0.3)]
        return hits[:limit]


class Memories:
    """The graph, which knows better."""

    async def readable(self, ids: Collection[str], rule: Predicate) -> frozenset[str]:
        return frozenset(ids) if rule == Everything() else frozenset(ids) - {"hidden"}


def caller(rule: Predicate) -> Caller:
    stores = SimpleNamespace(memories=Memories())
    platform = SimpleNamespace(stores=stores, vectors=Vectors(), languages=("en",))
    return cast(Caller, cast(Any, SimpleNamespace(platform=platform, visible=lambda: rule)))


async def test_what_may_not_be_seen_leaves_no_trace_in_the_scores() -> None:
    found = await candidates_of(caller(Under("/open")), "cats", MemoryFilter(), SearchMode.VECTOR, 10)

    assert found.vector == {"seen": 0.6, "other": 0.3}


@pytest.mark.parametrize(("limit", "complete"), [(2, False), (3, False), (4, True)])
async def test_whether_there_is_more_is_said_of_what_the_index_named(limit: int, complete: bool) -> None:
    found = await candidates_of(caller(Under("/open")), "cats", MemoryFilter(), SearchMode.VECTOR, limit)

    assert found.complete is complete
