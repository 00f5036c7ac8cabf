"""Candidates of a search: what a stale index names is asked of the graph before it is scored."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graphmem.access.predicate import Everything, Predicate, Under
from graphmem.errors import Degraded
from graphmem.memory.commands import MemoryFilter, SearchMode
from graphmem.service import candidates
from graphmem.service.candidates import candidates_of
from graphmem.service.platform import Caller
from graphmem.vectors.index import VectorHit


class Vectors:
    """An index whose payloads are behind: it names a memory that the caller may no longer see."""

    async def find(self, query: str, where: object, limit: int) -> list[VectorHit]:
        hits = [VectorHit("hidden", 0, 1, 0.9), VectorHit("seen", 0, 1, 0.6), VectorHit("other", 0, 1, 0.3)]
        return hits[:limit]


class Silent:
    """An index that takes the question and says nothing."""

    async def find(self, query: str, where: object, limit: int) -> list[VectorHit]:
        await asyncio.Event().wait()
        raise AssertionError


class Keywords:
    """Words that find one memory."""

    async def search(
        self, terms: object, wanted: object, rule: Predicate, limit: int
    ) -> tuple[dict[str, float], bool]:
        return {"seen": 4.0}, True


class Memories:
    """The graph, which knows better."""

    async def readable(self, ids: Collection[str], rule: Predicate) -> frozenset[str]:
        return frozenset(ids) if rule == Everything() else frozenset(ids) - {"hidden"}


def caller(rule: Predicate, vectors: object = None) -> Caller:
    stores = SimpleNamespace(memories=Memories(), keywords=Keywords())
    platform = SimpleNamespace(stores=stores, vectors=vectors or Vectors(), languages=("en",))
    return cast(Caller, cast(Any, SimpleNamespace(platform=platform, visible=lambda: rule)))


async def test_what_may_not_be_seen_leaves_no_trace_in_the_scores() -> None:
    found = await candidates_of(caller(Under("/open")), "cats", MemoryFilter(), SearchMode.VECTOR, 10)

    assert found.vector == {"seen": 0.6, "other": 0.3}


@pytest.mark.parametrize(("limit", "complete"), [(2, False), (3, False), (4, True)])
async def test_whether_there_is_more_is_said_of_what_the_index_named(limit: int, complete: bool) -> None:
    found = await candidates_of(caller(Under("/open")), "cats", MemoryFilter(), SearchMode.VECTOR, limit)

    assert found.complete is complete


async def test_words_answer_alone_when_the_vectors_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MEANING_SECONDS", 0.01)

    found = await candidates_of(caller(Everything(), Silent()), "cats", MemoryFilter(), SearchMode.HYBRID, 10)

    assert found.keyword == {"seen": 4.0}
    assert found.degraded == ("vectors: no answer within 0.01 s",)


async def test_a_search_by_meaning_alone_says_that_the_vectors_are_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(candidates, "MEANING_SECONDS", 0.01)

    with pytest.raises(Degraded, match="mode KEYWORD answers"):
        await candidates_of(caller(Everything(), Silent()), "cats", MemoryFilter(), SearchMode.VECTOR, 10)
