"""The index worker: brings the vector index to where the graph is, one batch of outbox entries at a time.

Applying an entry twice, late, or out of order ends at the same index: points carry the revision, and a lower
one never replaces a higher one. What an index holds already is not embedded again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from more_itertools import constrained_batches

from graphmem.errors import Unavailable
from graphmem.graph.mapping import payload_of
from graphmem.graph.meta_store import Lease
from graphmem.graph.outbox_store import Entry, Failure, OutboxStore
from graphmem.memory.model import Memory
from graphmem.service.clock import Clock
from graphmem.service.vector_room import Shelf, VectorRoom
from graphmem.vectors.embedder import Embedder, text_recipe
from graphmem.vectors.index import Point, point_id, tombstone

BATCH = 128
"""Entries of one step; about a third of a second of embedding."""

BATCH_CHARACTERS = 200_000
"""Characters of one step, so that it ends well within the lease; a longer text goes alone."""

POINT_PAGE = 1_000
"""Points that are listed at once."""

MOST_ATTEMPTS = 8
"""Failures after which an entry waits for somebody to ask for it."""

FIRST_PAUSE_SECONDS = 1.0
"""Until the second try; each further one waits twice as long, at most five minutes."""

LONGEST_PAUSE_SECONDS = 300.0

_log = logging.getLogger(__name__)

T = TypeVar("T")


class IndexWorker:
    """Does the work that waits in the outbox."""

    def __init__(self, outbox: OutboxStore, room: VectorRoom, clock: Clock) -> None:
        self._outbox = outbox
        self._room = room
        self._clock = clock

    async def step(self, lease: Lease) -> int:
        """Does one batch; how many entries it took off.

        None when there is no index to bring up, or when another process holds the lease by now.
        """
        if not self._room.shelves:
            return 0
        due = await self._outbox.take(lease, self._clock.now(), BATCH)
        if not due:
            return 0
        entries = next(in_parts(due, lambda entry: entry.memory))
        try:
            await self._apply(entries)
        except Unavailable:
            raise  # nothing is wrong with the entries: they wait until what is away is back
        except Exception as problem:  # of whatever library: one text must not stop the others
            _log.info("a batch failed, each entry goes alone: %s", problem)
            return await self._apply_singly(lease, entries)
        return await self._outbox.done(lease, entries)

    async def _apply_singly(self, lease: Lease, entries: Sequence[Entry]) -> int:
        """After a failed batch: what works alone is done, what does not is noted; how many entries it was."""
        for entry in entries:
            try:
                await self._apply([entry])
            except Unavailable:
                raise
            except Exception as found:  # noted with the entry, shown in the status
                _log.warning("indexing %s failed: %s", entry.memory_id, found)
                await self._outbox.failed(lease, [self._failure(entry, found)])
            else:
                await self._outbox.done(lease, [entry])
        return len(entries)

    def _failure(self, entry: Entry, problem: Exception) -> Failure:
        attempts = entry.attempts + 1
        pause = min(FIRST_PAUSE_SECONDS * 2 ** min(attempts - 1, 10), LONGEST_PAUSE_SECONDS)
        due: datetime | None = self._clock.now() + timedelta(seconds=pause)
        if attempts >= MOST_ATTEMPTS:
            due = None
        return Failure(entry.memory_id, entry.revision, attempts, str(problem), due)

    async def _apply(self, entries: Sequence[Entry]) -> None:
        purged = [entry for entry in entries if entry.purge]
        shown = [entry.memory for entry in entries if entry.memory is not None and not entry.purge]
        for shelf in self._room.shelves:
            await shelf.index.upsert([*await _tombstones(shelf, purged), *await points_of(shelf, shown)])


def in_parts(items: Iterable[T], memory_of: Callable[[T], Memory | None]) -> Iterator[tuple[T, ...]]:
    """The items in order, so many at once as are embedded together; a longer text goes alone."""

    def characters(item: T) -> int:
        memory = memory_of(item)
        return 0 if memory is None else len(memory.content)

    return constrained_batches(items, BATCH_CHARACTERS, get_len=characters, strict=False)


async def _tombstones(shelf: Shelf, purged: Sequence[Entry]) -> list[Point]:
    """Tombstones for every point of these memories, and for those that a late upsert may still bring."""
    windows = {entry.memory_id: entry.windows for entry in purged}
    after: str | None = None
    while purged and (page := await shelf.index.revisions(after, POINT_PAGE, list(windows))):
        for point in page:
            windows[point.memory_id] = max(windows[point.memory_id], point.window + 1)
        after = page[-1].id
    return [
        tombstone(entry.memory_id, window, entry.revision)
        for entry in purged
        for window in range(windows[entry.memory_id])
    ]


@dataclass(frozen=True, slots=True)
class _Window:
    memory: Memory
    number: int
    text: str

    @property
    def id(self) -> str:
        return point_id(self.memory.id, self.number)


def _windows(embedder: Embedder, memories: Sequence[Memory]) -> list[_Window]:
    """The pieces of each text that the model sees whole, in order."""
    return [
        _Window(memory, number, text)
        for memory in memories
        for number, text in enumerate(embedder.windows(text_recipe(memory.title, memory.content)))
    ]


async def points_of(shelf: Shelf, memories: Sequence[Memory]) -> list[Point]:
    """The points of these versions as they stand, all windows of each together.

    Vectors that the index holds are kept, since a version never changes its text; the others are embedded.
    """
    windows = await asyncio.to_thread(_windows, shelf.embedder, memories)
    known = await shelf.index.vectors([one.id for one in windows if one.memory.indexed_revision])
    missing = [one for one in windows if one.id not in known]
    if missing:
        rows = await shelf.embedder.embed([one.text for one in missing])
        known |= {one.id: row.tolist() for one, row in zip(missing, rows, strict=True)}
    payloads = {memory.id: payload_of(memory) for memory in memories}
    return [
        Point(
            one.id,
            known[one.id],
            payloads[one.memory.id]
            | {"memory_id": one.memory.id, "window": one.number, "revision": one.memory.revision},
        )
        for one in windows
    ]
