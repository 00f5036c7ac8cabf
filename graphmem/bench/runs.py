"""A benchmark from its options to its document: the service opened, measured, and gone again."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from graphmem.bench.client import Client
from graphmem.bench.corpus import read_corpus, read_queries
from graphmem.bench.documents import STATUS
from graphmem.bench.ingest import BATCH_ROWS
from graphmem.bench.machine import listener, load_average, resident
from graphmem.bench.own_service import Service, own_service
from graphmem.bench.plan import plan
from graphmem.bench.progress import bar
from graphmem.bench.report import Circumstances, search_document, speed_document
from graphmem.bench.search import MANY, WARM_UP, bench_search
from graphmem.bench.speed import bench_speed
from graphmem.errors import InvalidInput

T = TypeVar("T")

MODES = ("hybrid", "keyword", "vector")


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What ``bench search`` was asked for.

    Attributes:
        modes: One or more of ``MODES``; the first one gives the figures on top.
        url, token: A running service to measure instead of an own one.
    """

    corpus: Path
    queries: Path
    modes: tuple[str, ...] = ("hybrid",)
    warm_up: int = WARM_UP
    url: str | None = None
    token: str | None = None


def run_search(options: SearchOptions) -> dict[str, object]:
    """The document of ``bench search``.

    Raises:
        InvalidInput: An option, a file or a row is wrong.
        GraphMemError: The service cannot be started, refuses or does not answer.
    """
    unknown = ", ".join(mode for mode in options.modes if mode not in MODES)
    if unknown or not options.modes:
        raise InvalidInput("mode", f"is {unknown or 'missing'}; it is one of {', '.join(MODES)}")
    if options.warm_up < 0:
        raise InvalidInput("warm_up", f"is {options.warm_up}; it is a number of searches, 0 or more", limit=0)
    if options.url is not None and not options.token:
        raise InvalidInput("token", "is missing; a service at a URL needs GRAPHMEM_TOKEN or --token")
    return _run(_search(options))


def run_speed(memories: int, seed: int = 1) -> dict[str, object]:
    """The document of ``bench speed``.

    Raises:
        InvalidInput: Too few memories.
        GraphMemError: The service cannot be started, refuses or does not answer.
    """
    plan(memories)
    return _run(_speed(memories, seed))


async def _search(options: SearchOptions) -> dict[str, object]:
    corpus, queries = read_corpus(options.corpus), read_queries(options.queries)
    before = load_average()
    async with _service(options) as service, Client(service.url, service.token) as client:
        result = await bench_search(client, corpus, queries, options.modes, options.warm_up)
        status = (await client.run(STATUS, {}))["status"]
        memory = resident(service.pid)
    settings = {
        "corpus": f"{options.corpus.parent.name}/{options.corpus.name}",
        "modes": " ".join(options.modes),
        "batch_rows": BATCH_ROWS,
        "warm_up_searches": options.warm_up,
        "clients": f"1 and {MANY}",
        "own_service": options.url is None,
    }
    if service.start_s is not None:
        settings["start_s"] = round(service.start_s, 2)
    return search_document(result, memory, Circumstances(settings, status, before))


async def _speed(memories: int, seed: int) -> dict[str, object]:
    before = load_average()
    async with own_service() as own:
        result = await bench_speed(own, memories, seed)
    return speed_document(result, Circumstances({"seed": seed}, result.status, before))


@asynccontextmanager
async def _service(options: SearchOptions) -> AsyncIterator[Service]:
    """The service to measure: the one at the URL, or an own one."""
    if options.url is not None:
        yield Service(options.url, options.token or "", listener(options.url))
        return
    async with own_service() as own:
        with bar("starting the service"):
            service = await own.start()
        yield service


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run the work so that SIGTERM, too, ends what it started."""

    async def stoppable() -> T:
        task = asyncio.current_task()
        if task is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    try:
        return asyncio.run(stoppable())
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error
