"""Reading memories from Neo4j, always under the reader's predicate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.access.predicate import Everything, HasTag, Predicate, Under, all_of
from graphmem.graph.client import GraphClient
from graphmem.graph.mapping import memory_from
from graphmem.graph.rows import Row
from graphmem.memory.commands import MemoryFilter, MemoryOrder
from graphmem.memory.model import Link, Memory

FIRST_INSTANT = datetime(1, 1, 1, tzinfo=UTC)
LAST_INSTANT = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
AFTER_EVERY_ID = "~"
STRONGER_THAN_ANY = 2.0

_LISTS = {
    MemoryOrder.NEWEST: "memory/list_newest",
    MemoryOrder.OLDEST: "memory/list_oldest",
    MemoryOrder.STRONGEST: "memory/list_strongest",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A place in an ordered list: what stands behind it comes next.

    ``strength`` counts in the order by strength alone.
    """

    at: datetime
    id: str
    strength: float = STRONGER_THAN_ANY

    @classmethod
    def before_all(cls, order: MemoryOrder) -> Place:
        """The place in front of the first one."""
        if order is MemoryOrder.OLDEST:
            return cls(FIRST_INSTANT, "")
        return cls(LAST_INSTANT, AFTER_EVERY_ID)


class MemoryStore:
    """Memories, their histories and their links."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def heads(self, ids: Collection[str], rule: Predicate) -> dict[str, Memory]:
        """For each id the head of its chain, in any state but purged; only what the rule allows."""
        rows = await self._graph.run("memory/heads", {"ids": sorted(set(ids))}, rule=rule)
        return {row["asked"]: _memory(row) for row in rows}

    async def shown(self, ids: Collection[str], rule: Predicate, now: datetime) -> dict[str, Memory]:
        """Of these ids the memories that a search at ``now`` may show, by id."""
        params = {"ids": list(ids), "now": now}
        rows = await self._graph.run("memory/shown", params, rule=rule)
        return {row["memory"]["id"]: _memory(row) for row in rows}

    async def readable(self, ids: Collection[str], rule: Predicate) -> frozenset[str]:
        """Those of the ids that the rule allows; makes no round trip where it allows everything."""
        if rule == Everything() or not ids:
            return frozenset(ids)
        rows = await self._graph.run("memory/readable", {"ids": list(ids)}, rule=rule)
        return frozenset(rows[0]["ids"]) if rows else frozenset()

    async def histories(self, chain_ids: Collection[str], rule: Predicate) -> dict[str, list[Memory]]:
        """All versions of each chain, newest first."""
        rows = await self._graph.run("memory/histories", {"chain_ids": sorted(set(chain_ids))}, rule=rule)
        found: dict[str, list[Memory]] = {}
        for memory in map(_memory, rows):
            found.setdefault(memory.chain_id, []).append(memory)
        return found

    async def links(self, ids: Collection[str], rule: Predicate, now: datetime) -> dict[str, list[Link]]:
        """The links of each memory in the order of its text, resolved for this reader."""
        rows = await self._graph.run("memory/links", {"ids": sorted(set(ids)), "now": now}, rule=rule)
        found: dict[str, list[Link]] = {}
        for row in rows:
            link = Link(row["text"], row["target"], row["memory_id"], row["path"])
            found.setdefault(row["id"], []).append(link)
        return found

    async def backlinks(
        self, ids: Collection[str], rule: Predicate, now: datetime, first: int
    ) -> dict[str, list[Memory]]:
        """The memories whose text links to each of these, oldest first, at most ``first`` a name."""
        params = {"ids": sorted(set(ids)), "now": now, "first": first}
        rows = await self._graph.run("memory/backlinks", params, rule=rule)
        found: dict[str, list[Memory]] = {}
        for row in rows:
            found.setdefault(row["id"], []).append(_memory(row))
        return found

    async def listed(
        self,
        wanted: MemoryFilter,
        order: MemoryOrder,
        rule: Predicate,
        *,
        after: Place,
        now: datetime,
        limit: int,
    ) -> list[tuple[Memory, Place]]:
        """At most ``limit`` memories in order from behind ``after``, each with its own place."""
        params: dict[str, object] = {
            "labels": list(wanted.labels),
            "kinds": list(wanted.kinds),
            "keywords": list(wanted.keywords),
            "source": wanted.source,
            "after": wanted.created_after or FIRST_INSTANT,
            "before": wanted.created_before or LAST_INSTANT,
            "at": after.at,
            "id": after.id,
            "now": now,
            "limit": limit,
        }
        if order is MemoryOrder.STRONGEST:
            params["strength"] = after.strength
        rows = await self._graph.run(_LISTS[order], params, rule=narrowed(rule, wanted))
        return [(memory := _memory(row), _place(memory, row)) for row in rows]

    async def at_paths(
        self, paths: Collection[str], rule: Predicate, *, after: Place, now: datetime, limit: int
    ) -> dict[str, list[Memory]]:
        """The memories at exactly these paths, oldest first, at most ``limit`` a path."""
        params = {"paths": sorted(set(paths)), "at": after.at, "id": after.id, "now": now, "limit": limit}
        rows = await self._graph.run("memory/at_path", params, rule=rule)
        found: dict[str, list[Memory]] = {}
        for row in rows:
            found.setdefault(row["path"], []).append(_memory(row))
        return found

    async def count(self, rule: Predicate, now: datetime) -> int:
        """How many memories that are shown at ``now`` the rule allows."""
        rows: Sequence[Row] = await self._graph.run("status/memories", {"now": now}, rule=rule)
        return int(rows[0]["memories"]) if rows else 0


def narrowed(rule: Predicate, wanted: MemoryFilter) -> Predicate:
    """The rule and those words of a filter that rules have too: the subtree and own tags."""
    return all_of([rule, Under(wanted.under), *map(HasTag, wanted.tags)])


def _memory(row: Row) -> Memory:
    return memory_from(row["memory"], row["label"])


def _place(memory: Memory, row: Row) -> Place:
    return Place(memory.created_at, memory.id, row.get("strength", STRONGER_THAN_ANY))
