"""``bench speed``: how fast the service is, and how much memory it needs, with a given number of memories.

Texts are generated (``texts``). Everything goes through GraphQL over HTTP; client and service share the
machine, so each figure carries the client's own share of it. Parts are measured one after another, each once
the index has caught up with the part before: the store is filled, then read, and at last single and batched
writes come on top.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from graphmem.bench.client import Client
from graphmem.bench.corpus import Row
from graphmem.bench.documents import SEARCH, STATUS, STORE_FACT, STORE_FACTS, TREE
from graphmem.bench.ingest import Ingest, ingest, until_searchable
from graphmem.bench.load import Call, Timing, timed
from graphmem.bench.machine import Resident, resident
from graphmem.bench.own_service import OwnService
from graphmem.bench.plan import Plan, plan
from graphmem.bench.progress import bar
from graphmem.bench.texts import Texts
from graphmem.bench.vocabulary import THINGS

WRITERS = 32
"""Clients that store single facts at once."""

FACTS_IN_BATCH = 500
"""Facts of one ``storeFacts``."""

BATCHERS = 4
"""Clients that store batches at once, so that one is read while another is stored."""

SEARCHERS = 8

WARM_UP_SEARCHES = 1_500
TIMED_SEARCHES = 500
"""Searches with one client; twice as many with ``SEARCHERS``."""

TREES = 100
"""Trees of two levels, after as many that are not timed."""

PAGE = 10
"""Hits of one search, as the API gives by default."""

ROOMS = 20
PROJECTS, TOPICS = 40, 10
"""Facts stand at ``/bench/<project>/<topic>``."""


@dataclass(frozen=True, slots=True)
class Writes:
    """What storing took.

    Attributes:
        single: ``storeFact`` by ``WRITERS`` clients.
        facts_per_s: ``storeFacts`` in batches by ``BATCHERS`` clients.
    """

    single: Timing
    facts_per_s: float


@dataclass(frozen=True, slots=True)
class Filling:
    """What filling the store took.

    Attributes:
        turns: Short turns in batches until searchable.
        facts_per_s: Facts in batches until searchable.
    """

    turns: Ingest
    facts_per_s: float


@dataclass(frozen=True, slots=True)
class Reads:
    """What reading took, with the full store.

    Attributes:
        one, many: Hybrid search by one client and by ``SEARCHERS``.
        empty: Searches without a hit.
        paths: Paths of one tree.
    """

    one: Timing
    many: Timing
    empty: int
    tree: Timing
    paths: int


@dataclass(frozen=True, slots=True)
class SpeedResult:
    """All figures.

    Attributes:
        start_s, restart_s: Seconds until ready, with an empty home and with the full store.
        status: What the service says of itself with the full store.
    """

    plan: Plan
    start_s: float
    restart_s: float
    filling: Filling
    reads: Reads
    writes: Writes
    resident: Resident | None
    status: Mapping[str, Any]


async def bench_speed(own: OwnService, memories: int, seed: int = 1) -> SpeedResult:
    """Everything measured on a service that was not started yet.

    Raises:
        InvalidInput: As for ``plan``.
        GraphMemError: The service refused or does not answer.
    """
    parts = plan(memories)
    texts, choice = Texts(seed), random.Random(seed)
    with bar("starting the service"):
        service = await own.start()
    async with Client(service.url, service.token) as client:
        filling = await _fill(client, parts, texts, choice)
        reads = await _reads(client, Texts(seed + 1))
        status = (await client.run(STATUS, {}))["status"]
        memory = resident(service.pid)
        writes = await _writes(client, parts, texts, choice)
    with bar("starting the service again"):
        await own.stop()
        again = await own.start()
    return SpeedResult(
        parts, service.started_in(), again.started_in(), filling, reads, writes, memory, status
    )


async def _fill(client: Client, parts: Plan, texts: Texts, choice: random.Random) -> Filling:
    singles = parts.warm_up // 2
    with bar("warming up writes", singles) as advance:
        await timed(_singles(client, singles, texts, choice), WRITERS, advance)
    await _batched(client, "warming up batches", parts.warm_up - singles, texts, choice)
    await until_searchable(client)
    rows = [Row(str(number), f"room {number % ROOMS}", texts.statement()) for number in range(parts.turns)]
    with bar("short turns until searchable", parts.turns) as advance:
        turns = await ingest(client, rows, advance)
    stored = await _batched(client, "filling the store", parts.filled, texts, choice)
    return Filling(turns, parts.filled / (stored.wall_s + await _waited(client)))


async def _writes(client: Client, parts: Plan, texts: Texts, choice: random.Random) -> Writes:
    calls = _singles(client, parts.single, texts, choice)
    with bar(f"storeFact, {WRITERS} clients", parts.single) as advance:
        single = await timed(calls, WRITERS, advance)
    await _waited(client)
    batched = await _batched(client, f"storeFacts of {FACTS_IN_BATCH}", parts.batched, texts, choice)
    await _waited(client)
    return Writes(single, parts.batched / batched.wall_s)


async def _waited(client: Client) -> float:
    """Seconds until all is searchable."""
    began = time.perf_counter()
    with bar("waiting until all is searchable"):
        await until_searchable(client)
    return time.perf_counter() - began


async def _reads(client: Client, texts: Texts) -> Reads:
    hits: list[int] = []
    paths: list[int] = []
    calls = _searches(client, WARM_UP_SEARCHES, texts, [])
    with bar("warming up searches", len(calls)) as advance:
        await timed(calls, SEARCHERS, advance)
    calls = _searches(client, TIMED_SEARCHES, texts, hits)
    with bar("search, 1 client", len(calls)) as advance:
        one = await timed(calls, 1, advance)
    calls = _searches(client, 2 * TIMED_SEARCHES, texts, hits)
    with bar(f"search, {SEARCHERS} clients", len(calls)) as advance:
        many = await timed(calls, SEARCHERS, advance)
    calls = [partial(_tree, client, paths)] * TREES
    with bar("tree of two levels", 2 * TREES) as advance:
        await timed(calls, 1, advance)
        tree = await timed(calls, 1, advance)
    return Reads(one, many, hits.count(0), tree, paths[-1])


def _fact(texts: Texts, choice: random.Random) -> dict[str, object]:
    project, topic = choice.choice(THINGS[:PROJECTS]), choice.choice(THINGS[-TOPICS:])
    return {"path": f"/bench/{project}/{topic}", "content": texts.statement()}


def _singles(client: Client, number: int, texts: Texts, choice: random.Random) -> list[Call]:
    return [partial(_run, client, STORE_FACT, {"input": _fact(texts, choice)}) for _ in range(number)]


async def _batched(client: Client, text: str, number: int, texts: Texts, choice: random.Random) -> Timing:
    """``number`` facts stored in batches; texts are made before the clock runs."""
    sizes = [min(FACTS_IN_BATCH, number - start) for start in range(0, number, FACTS_IN_BATCH)]
    calls = [
        partial(_run, client, STORE_FACTS, {"input": [_fact(texts, choice) for _ in range(size)]})
        for size in sizes
    ]
    with bar(text, len(calls)) as advance:
        return await timed(calls, BATCHERS, advance)


def _searches(client: Client, number: int, texts: Texts, hits: list[int]) -> list[Call]:
    return [partial(_search, client, texts.question(), hits) for _ in range(number)]


async def _search(client: Client, text: str, hits: list[int]) -> None:
    variables = {"query": text, "filter": None, "mode": "HYBRID", "first": PAGE}
    hits.append(len((await client.run(SEARCH, variables))["search"]["edges"]))


async def _tree(client: Client, paths: list[int]) -> None:
    paths.append(len((await client.run(TREE, {"root": "/", "depth": 2}))["tree"]))


async def _run(client: Client, document: str, variables: dict[str, object]) -> None:
    await client.run(document, variables)
