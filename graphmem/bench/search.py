"""``bench search``: how good and how fast a search is on a corpus with known answers.

Rows become drawers, every query runs inside the room of its group, and what comes back is compared with what
is relevant. All of it goes through GraphQL over HTTP, as any client would.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graphmem.bench.client import Client
from graphmem.bench.corpus import Corpus, Query, rooms_of
from graphmem.bench.documents import SEARCH
from graphmem.bench.ingest import Ingest, ingest
from graphmem.bench.load import Call, Timing, timed
from graphmem.bench.metrics import DEPTH, Quality, mean, quality
from graphmem.bench.progress import bar
from graphmem.bench.texts import Texts
from graphmem.errors import InvalidInput, shown

MANY = 8
"""Clients of the second timing."""

WARM_UP = 1_500
"""Searches before the first timed one: a fresh JVM is 2 to 3 times slower for its first 1,000 to 2,000."""

WARM_UP_SEED = 7


@dataclass(frozen=True, slots=True)
class ModeResult:
    """One search mode over all queries.

    Attributes:
        by_category: Number of scored queries and mean figures of each category, where the queries have one.
        one, many: Timings with one client and with ``MANY``; every search asks for ``DEPTH`` hits.
        degraded: Answers that lacked a channel.
    """

    quality: Quality
    by_category: Mapping[str, tuple[int, Quality]]
    one: Timing
    many: Timing
    degraded: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The whole benchmark; modes in the order in which they were asked for."""

    rows: int
    empty: int
    queries: int
    scored: int
    ingest: Ingest
    modes: Mapping[str, ModeResult]


async def bench_search(
    client: Client, corpus: Corpus, queries: Sequence[Query], modes: Sequence[str], warm_up: int = WARM_UP
) -> SearchResult:
    """The corpus stored, and every mode measured over the queries.

    Raises:
        InvalidInput: A query's group has no rows, or no query has a relevant row.
        GraphMemError: The service refused or does not answer.
    """
    rooms = rooms_of(corpus.rows)
    scored = _scored(queries, rooms)
    with bar("storing and indexing", len(corpus.rows)) as advance:
        stored = await ingest(client, corpus.rows, advance)
    results: dict[str, ModeResult] = {}
    for mode in modes:
        with bar(f"{mode}: warming up", warm_up) as advance:
            await timed(_warm_up(client, mode, list(rooms.values()), warm_up), MANY, advance)
        results[mode] = await _measure(client, mode, queries, rooms, stored.row_of)
    return SearchResult(len(corpus.rows), corpus.empty, len(queries), len(scored), stored, results)


def ranking(answer: Mapping[str, Any], row_of: Mapping[str, str]) -> list[str]:
    """Row ids of an answer, best first; a memory of something else is passed over."""
    ids = (edge["node"]["id"] for edge in answer["search"]["edges"])
    return [row_of[id] for id in ids if id in row_of]


async def _measure(
    client: Client,
    mode: str,
    queries: Sequence[Query],
    rooms: Mapping[str, str],
    row_of: Mapping[str, str],
) -> ModeResult:
    answers: dict[str, dict[str, Any]] = {}
    timings: list[Timing] = []
    for clients in (1, MANY):
        calls = [
            partial(_ask, client, query.text, rooms[query.group], mode, answers, query.id)
            for query in queries
        ]
        with bar(f"{mode}: {clients} clients", len(queries)) as advance:
            timings.append(await timed(calls, clients, advance))
    scores = {
        query.id: quality(ranking(answers[query.id], row_of), query.relevant)
        for query in queries
        if query.relevant
    }
    return ModeResult(
        quality=mean(list(scores.values())),
        by_category=_by_category(queries, scores),
        one=timings[0],
        many=timings[1],
        degraded=sum(bool(answer["search"]["degraded"]) for answer in answers.values()),
    )


async def _ask(
    client: Client, text: str, under: str, mode: str, answers: dict[str, dict[str, Any]], name: str
) -> None:
    variables = {"query": text, "filter": {"under": under}, "mode": mode.upper(), "first": DEPTH}
    answers[name] = await client.run(SEARCH, variables)


def _warm_up(client: Client, mode: str, rooms: Sequence[str], number: int) -> Iterator[Call]:
    """Searches with texts that no query has, so that nothing that is timed was remembered before."""
    texts, choice = Texts(WARM_UP_SEED), random.Random(WARM_UP_SEED)
    for _ in range(number):
        yield partial(_ask, client, texts.question(), choice.choice(rooms), mode, {}, "")


def _scored(queries: Sequence[Query], rooms: Mapping[str, str]) -> list[Query]:
    ids: set[str] = set()
    for query in queries:
        if query.group not in rooms:
            raise InvalidInput(
                "queries", f"{shown(query.id)} asks inside {shown(query.group)}, which has no rows"
            )
        if query.id in ids:
            raise InvalidInput("queries", f"repeat the id {shown(query.id)}; ids of queries are unique")
        ids.add(query.id)
    scored = [query for query in queries if query.relevant]
    if not scored:
        raise InvalidInput("queries", "hold no query with a relevant row, so there is nothing to score")
    return scored


def _by_category(queries: Sequence[Query], scores: Mapping[str, Quality]) -> dict[str, tuple[int, Quality]]:
    members: dict[str, list[Quality]] = {}
    for query in queries:
        if query.category is not None and query.id in scores:
            members.setdefault(query.category, []).append(scores[query.id])
    return {category: (len(found), mean(found)) for category, found in sorted(members.items())}
