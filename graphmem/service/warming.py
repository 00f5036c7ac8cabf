"""The first questions, asked by the service itself: a fresh Neo4j compiles each plan once, for seconds.

Runs beside the first requests and changes nothing. What fails here is told again when somebody asks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from graphmem.errors import GraphMemError
from graphmem.memory.commands import MemoryFilter, MemoryOrder
from graphmem.service import browsing, reading
from graphmem.service.platform import Caller
from graphmem.service.searching import Search, search

_log = logging.getLogger(__name__)

T = TypeVar("T")


async def warm(caller: Caller) -> None:
    """Asks what callers ask most, so that the plans are there when they do."""
    page = await _asked("search", lambda: search(caller, Search(query="memory facts", first=3)))
    ids = [] if page is None else [hit.memory.id for hit in page.hits]
    questions: dict[str, Callable[[], Awaitable[object]]] = {
        "tree": lambda: browsing.tree(caller, "/", 2),
        "memories at a path": lambda: browsing.memories_at(caller, ["/memory"], 3, None),
        "memories": lambda: reading.memories(caller, ids),
        "histories": lambda: reading.histories(caller, ids),
        "links": lambda: reading.links_of(caller, ids),
        "backlinks": lambda: reading.backlinks_of(caller, ids, 3),
        "facts": lambda: reading.facts(caller, MemoryFilter(), MemoryOrder.NEWEST, 3, None),
    }
    for name, question in questions.items():
        await _asked(name, question)
        await asyncio.sleep(0)


async def _asked(name: str, question: Callable[[], Awaitable[T]]) -> T | None:
    try:
        return await question()
    except GraphMemError as problem:
        _log.info("warming up: %s: %s", name, problem)
        return None
