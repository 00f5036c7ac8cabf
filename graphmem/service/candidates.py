"""What the channels of a search find, before anything is ranked: ids and raw scores, best first."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from qdrant_client import models

from graphmem.access.predicate import Nothing, Predicate
from graphmem.access.qdrant import to_qdrant
from graphmem.errors import Degraded, Unavailable
from graphmem.graph.memory_store import narrowed
from graphmem.memory.commands import MemoryFilter, SearchMode
from graphmem.memory.terms import QueryTerms, query_terms
from graphmem.service.platform import Caller

MEANING_SECONDS = 3.0
"""How long a search waits for embedder and vector index; then words alone answer, and the answer says so."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of one query.

    Attributes:
        keyword: BM25 scores by id, 0 and more.
        vector: Cosines by id, -1 to 1.
        every_word, every_near: The channel has no more than these, as far as it can tell.
        looked: Most candidates that each channel was asked for.
        degraded: What could not be asked, in words.
    """

    terms: QueryTerms
    keyword: Mapping[str, float] = field(default_factory=dict)
    vector: Mapping[str, float] = field(default_factory=dict)
    every_word: bool = True
    every_near: bool = True
    looked: int | None = None
    degraded: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """No channel has more."""
        return self.every_word and self.every_near


async def candidates_of(
    caller: Caller, query: str, wanted: MemoryFilter, mode: SearchMode, limit: int
) -> Candidates:
    """At most ``limit`` candidates of each channel that the mode asks; both channels at once.

    Raises:
        Degraded: The vectors were asked for by name and are away.
    """
    terms = query_terms(query, caller.platform.languages)
    rule = caller.visible()
    if narrowed(rule, wanted) == Nothing() or not query.strip():
        return Candidates(terms)
    (keyword, every_word), (vector, every_near, problem) = await asyncio.gather(
        _by_word(caller, terms, wanted, mode, limit), _by_meaning(caller, query, wanted, mode, limit)
    )
    if problem is not None and mode is SearchMode.VECTOR:
        raise Degraded(f"search by meaning is away: {problem}; mode KEYWORD answers")
    return Candidates(
        terms,
        keyword,
        vector,
        every_word=every_word,
        every_near=every_near,
        looked=limit,
        degraded=() if problem is None else (f"vectors: {problem}",),
    )


async def _by_word(
    caller: Caller, terms: QueryTerms, wanted: MemoryFilter, mode: SearchMode, limit: int
) -> tuple[dict[str, float], bool]:
    if mode is SearchMode.VECTOR:
        return {}, True
    return await caller.platform.stores.keywords.search(terms, wanted, caller.visible(), limit)


async def _by_meaning(
    caller: Caller, query: str, wanted: MemoryFilter, mode: SearchMode, limit: int
) -> tuple[dict[str, float], bool, str | None]:
    """The scores, whether the index has no more, and why there are none.

    What the index names is asked of the graph before it is scored: a payload may be older than the rights.
    """
    if mode is SearchMode.KEYWORD:
        return {}, True, None
    where = vector_filter(caller.visible(), wanted)
    try:
        async with asyncio.timeout(MEANING_SECONDS):
            hits = await caller.platform.vectors.find(query, where, limit)
    except Unavailable as problem:
        return {}, True, str(problem)
    except TimeoutError:
        return {}, True, f"no answer within {MEANING_SECONDS:g} s"
    readable = await caller.platform.stores.memories.readable(
        [hit.memory_id for hit in hits], caller.visible()
    )
    scores = {hit.memory_id: hit.score for hit in hits if hit.memory_id in readable}
    return scores, len(hits) < limit, None


def vector_filter(rule: Predicate, wanted: MemoryFilter) -> models.Filter:
    """The rule and the filter as one condition on payloads: live heads that both let through."""
    conditions: list[models.Condition] = [_is("live", True)]
    conditions += [_is("keywords", keyword) for keyword in wanted.keywords]
    if wanted.labels:
        conditions.append(_among("label", [str(label) for label in wanted.labels]))
    if wanted.kinds:
        conditions.append(_among("kind", [str(kind) for kind in wanted.kinds]))
    if wanted.source is not None:
        conditions.append(_is("source", wanted.source))
    if wanted.created_after is not None or wanted.created_before is not None:
        span = models.DatetimeRange(gte=wanted.created_after, lt=wanted.created_before)
        conditions.append(models.FieldCondition(key="created_at", range=span))
    return to_qdrant(narrowed(rule, wanted), conditions)


def _is(key: str, value: str | bool) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def _among(key: str, values: list[str]) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchAny(any=values))
