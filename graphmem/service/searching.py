"""Search: candidates by words and by meaning, fused, read again under the rule, and shown page by page.

``search`` writes nothing. Pages go on behind a cursor to a depth of 1,000 hits; behind the first candidates
come those of a wider second look, in their own order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.memory.commands import MemoryFilter, SearchMode
from graphmem.memory.likeness import SIMILAR, word_jaccard, word_set
from graphmem.memory.limits import SEARCH_DEPTH
from graphmem.memory.model import Memory
from graphmem.memory.ranking import Fused, behind, fuse, weights_for
from graphmem.service.candidates import Candidates, candidates_of
from graphmem.service.filtering import unmet
from graphmem.service.pages import ListName, of_another_list, parsed_instant
from graphmem.service.platform import Caller

FIRST_LOOK = 100
"""Candidates of each channel for the first page, as measured in ``docs/explanation/ranking.md``."""

HYDRATED_AHEAD = 1.2
"""Memories read for each hit that is wanted: a few may have expired since they were indexed."""

SIMILAR_CANDIDATES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is searched for."""

    query: str
    filter: MemoryFilter = field(default_factory=MemoryFilter)
    first: int = 10
    after: str | None = None
    mode: SearchMode = SearchMode.HYBRID


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one channel adds to a score: ``value = score * weight``."""

    channel: str
    score: float
    weight: float
    value: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found; its contributions sum to its score within 1e-9."""

    memory: Memory
    score: float
    contributions: tuple[Contribution, ...]
    why: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Hits, best first, each with the cursor of the place behind it."""

    hits: tuple[Hit, ...]
    cursors: tuple[str, ...]
    has_next: bool
    degraded: tuple[str, ...]
    terms_dropped: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Behind which hit a page begins, how many came before, and the instant of the first page."""

    score: float
    id: str
    seen: int
    now: datetime


async def search(caller: Caller, asked: Search) -> SearchPage:
    """The best memories for a query that the caller may read.

    Raises:
        InvalidInput: ``after`` is not a cursor of this search, or lies too deep.
        Degraded: Mode VECTOR while the vectors are away.
    """
    name = ListName.of("search", caller.subject, asked.query, asked.filter, asked.mode)
    place = _Place(float("inf"), "", 0, caller.now()) if asked.after is None else _place(name, asked.after)
    found = await candidates_of(caller, asked.query, asked.filter, asked.mode, FIRST_LOOK)
    ranked = rank(asked.query, asked.mode, found)
    hits = await _shown(caller, _after(ranked, place), asked.filter, asked.first + 1, place.now)
    if len(hits) <= asked.first and not found.complete:
        ranked, found = await wider(caller, asked.query, asked.filter, asked.mode, ranked)
        hits = await _shown(caller, _after(ranked, place), asked.filter, asked.first + 1, place.now)
    shown = hits[: asked.first]
    return SearchPage(
        hits=tuple(_hit(memory, fused, found) for memory, fused in shown),
        cursors=tuple(
            name.cursor(score=fused.score, id=fused.id, seen=place.seen + at, now=place.now.isoformat())
            for at, (_, fused) in enumerate(shown, start=1)
        ),
        has_next=len(hits) > asked.first and place.seen + asked.first < SEARCH_DEPTH,
        degraded=found.degraded,
        terms_dropped=found.terms.dropped,
    )


def rank(query: str, mode: SearchMode, found: Candidates) -> list[Fused]:
    """The candidates in their final order, best first."""
    return fuse(found.keyword, found.vector, weights_for(query, mode), looked=found.looked)


async def wider(
    caller: Caller, query: str, wanted: MemoryFilter, mode: SearchMode, ranked: Sequence[Fused]
) -> tuple[list[Fused], Candidates]:
    """The ranked candidates of a first look with those of a second one behind them, to the whole depth."""
    found = await candidates_of(caller, query, wanted, mode, SEARCH_DEPTH)
    return behind(ranked, rank(query, mode, found)), found


async def similar(caller: Caller, ids: Collection[str]) -> dict[str, list[Memory]]:
    """For each memory those that share at least half of their words with it, most alike first."""
    platform = caller.platform
    asking = await platform.stores.memories.heads(ids, caller.visible())
    found = await platform.stores.keywords.similar(
        list(asking.values()),
        caller.visible(),
        platform.languages,
        now=caller.now(),
        limit=SIMILAR_CANDIDATES,
    )
    answers: dict[str, list[Memory]] = {}
    for id, memory in asking.items():
        words = word_set(memory.content)
        alike = [(word_jaccard(words, word_set(one.content)), one) for one in found.get(memory.id, ())]
        near = sorted((pair for pair in alike if pair[0] >= SIMILAR), key=lambda pair: (-pair[0], pair[1].id))
        answers[id] = [one for _, one in near]
    return answers


async def _shown(
    caller: Caller, ranked: Sequence[Fused], wanted: MemoryFilter, most: int, now: datetime
) -> list[tuple[Memory, Fused]]:
    """The first so many of the ranked ones that may be shown, read under the rule until the page is full."""
    hits: list[tuple[Memory, Fused]] = []
    at = 0
    while at < len(ranked) and len(hits) < most:
        chunk = ranked[at : at + max(1, round((most - len(hits)) * HYDRATED_AHEAD))]
        memories = await caller.platform.stores.memories.shown(
            [fused.id for fused in chunk], caller.visible(), now
        )
        found = [(memories[fused.id], fused) for fused in chunk if fused.id in memories]
        hits += [(memory, fused) for memory, fused in found if not unmet(memory, wanted)]
        at += len(chunk)
    return hits[:most]


def _after(ranked: Sequence[Fused], place: _Place) -> list[Fused]:
    """What comes behind a place: lower scores, and of equal ones higher ids."""
    return [fused for fused in ranked if (-fused.score, fused.id) > (-place.score, place.id)]


def _place(name: ListName, cursor: str) -> _Place:
    match name.place(cursor):
        case {"score": float(score), "id": str(id), "seen": int(seen), "now": str(now)}:
            if seen >= SEARCH_DEPTH:
                raise InvalidInput("after", f"lies {seen} hits deep; a search ends at {SEARCH_DEPTH}")
            return _Place(score, id, seen, parsed_instant(now))
        case _:
            raise of_another_list(cursor)


def _hit(memory: Memory, fused: Fused, found: Candidates) -> Hit:
    parts = tuple(Contribution(one.channel, one.score, one.weight, one.value) for one in fused.contributions)
    return Hit(memory, fused.score, parts, _why(fused, found))


def _why(fused: Fused, found: Candidates) -> str:
    """One sentence on which channels found it."""
    by = [
        words
        for scores, words in (
            (found.keyword, "by its words"),
            (found.vector, "by its meaning"),
        )
        if fused.id in scores
    ]
    return f"found {' and '.join(by)}" if by else "found in a first look that the second did not repeat"
