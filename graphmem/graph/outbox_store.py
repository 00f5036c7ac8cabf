"""The outbox: index work that waits in the graph until a leased worker has done it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.client import GraphClient
from graphmem.graph.mapping import memory_from
from graphmem.graph.meta_store import Lease
from graphmem.memory.model import Memory


@dataclass(frozen=True, slots=True)
class Entry:
    """Index work for one version.

    Attributes:
        windows: Of a purge, how many points to bury at least.
        memory: The version as it stands; None once it was purged.
    """

    memory_id: str
    revision: int
    purge: bool
    windows: int
    attempts: int
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class Failure:
    """Work that did not succeed, and when it is due again; ``dead`` when nobody will try by itself."""

    memory_id: str
    revision: int
    attempts: int
    error: str
    due_at: datetime | None

    @property
    def dead(self) -> bool:
        """Whether it waits for somebody to ask for it."""
        return self.due_at is None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Work that was given up."""

    memory_id: str
    attempts: int
    last_error: str


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much index work there is; ``oldest`` is when the oldest waiting one was asked for."""

    waiting: int
    dead: int
    oldest: datetime | None


class OutboxStore:
    """The queue of the index worker. Each change of it checks the fencing number of the lease."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def take(self, lease: Lease, now: datetime, limit: int) -> list[Entry]:
        """The due work, oldest first; empty when the lease was lost."""
        params = {"lease": lease.key, "fence": lease.fence, "now": now, "limit": limit}
        rows = await self._graph.run("outbox/take", params)
        return [
            Entry(
                memory_id=row["entry"]["memory_id"],
                revision=row["entry"]["revision"],
                purge=row["entry"]["purge"],
                windows=row["entry"]["windows"] or 0,
                attempts=row["entry"]["attempts"],
                memory=None if row["memory"] is None else memory_from(row["memory"], row["label"]),
            )
            for row in rows
        ]

    async def done(self, lease: Lease, entries: Sequence[Entry]) -> int:
        """Takes off what was applied, unless it was asked for anew meanwhile; how many entries it was.

        None where the lease went to another holder.
        """
        applied = [{"memory_id": entry.memory_id, "revision": entry.revision} for entry in entries]
        params = {"lease": lease.key, "fence": lease.fence, "rows": applied}
        rows = await self._graph.run("outbox/done", params)
        return int(rows[0]["done"]) if rows else 0

    async def failed(self, lease: Lease, failures: Sequence[Failure]) -> None:
        """Notes failures and when to try again."""
        rows = [
            {
                "memory_id": failure.memory_id,
                "revision": failure.revision,
                "attempts": failure.attempts,
                "error": failure.error,
                "due_at": failure.due_at,
                "dead": failure.dead,
            }
            for failure in failures
        ]
        await self._graph.run("outbox/failed", {"lease": lease.key, "fence": lease.fence, "rows": rows})

    async def backlog(self) -> Backlog:
        """The figures of the queue."""
        [row] = await self._graph.run("outbox/figures")
        return Backlog(row["waiting"], row["dead"], row["oldest"])

    async def dead_letters(self, limit: int) -> list[DeadLetter]:
        """The work that was given up, by memory id."""
        rows = await self._graph.run("outbox/dead", {"limit": limit})
        return [DeadLetter(row["memory_id"], row["attempts"], row["last_error"]) for row in rows]

    async def revive(self, now: datetime) -> int:
        """Makes the dead letters due again; how many there were."""
        [row] = await self._graph.run("outbox/revive", {"now": now})
        return int(row["revived"])
