"""The statements of a writing transaction: lock, write, record.

Every method takes the open transaction. What to write was decided by ``graphmem.memory.ledger``; the order of
statements here is the one in which keys are given up before others take them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from graphmem.errors import Conflict, Unavailable, shown
from graphmem.graph.mapping import changes_of, memory_from
from graphmem.graph.path_rows import KnownPath, known_path, path_rows
from graphmem.graph.transactions import Tx
from graphmem.graph.write_rows import (
    audit_row,
    births_of,
    change_row,
    names_of,
    new_places,
    outbox_row,
    purge_row,
)
from graphmem.memory.drafts import held_as, held_identity
from graphmem.memory.keys import link_key, linked_path, scope_key
from graphmem.memory.model import Memory
from graphmem.memory.writes import Writes

TRIES = 3
"""Looks at the heads of chains before a head that moves on and on is a conflict."""


class WriteStore:
    """Neo4j as the place where a ledger's decisions are kept."""

    async def lock_heads(self, tx: Tx, ids: Collection[str]) -> tuple[list[Memory], dict[str, str]]:
        """The locked heads that the ids name, and for each known id its chain.

        Raises:
            Conflict: Other writers put one new head after the other.
        """
        if not ids:
            return [], {}
        for _ in range(TRIES):
            rows = await tx.run("write/lock_heads", {"ids": sorted(ids)})
            superseded = [row for row in rows if row["memory"].get("head_key") is None]
            if not superseded:
                break  # else another writer made a new head while this one waited: now it can be seen
        else:
            asked = shown(superseded[0]["asked"][0])
            raise Conflict(f"memory {asked} was changed again and again meanwhile; try again")
        heads = [memory_from(row["memory"], row["label"]) for row in rows]
        chains = {id: head.chain_id for row, head in zip(rows, heads, strict=True) for id in row["asked"]}
        return heads, chains

    async def lock_chains(self, tx: Tx, chain_ids: Collection[str]) -> list[Memory]:
        """Every version of the chains, locked."""
        if not chain_ids:
            return []
        rows = await tx.run("write/lock_chains", {"chain_ids": sorted(chain_ids)})
        return [memory_from(row["memory"], row["label"]) for row in rows]

    async def lock_holders(
        self, tx: Tx, fact_keys: Collection[str], drawer_keys: Collection[str]
    ) -> list[Memory]:
        """The live memories that hold these identity keys, locked."""
        if not fact_keys and not drawer_keys:
            return []
        keys = {"fact_keys": sorted(fact_keys), "drawer_keys": sorted(drawer_keys)}
        rows = await tx.run("write/lock_holders", keys)
        return [memory_from(row["memory"], row["label"]) for row in rows]

    async def write(
        self, tx: Tx, writes: Writes, known: Collection[KnownPath], now: datetime
    ) -> frozenset[KnownPath]:
        """Writes all of it; the paths that exist from now on.

        Args:
            known: Paths that are known to exist; only others are made.
        """
        new_paths = path_rows(self._places(writes), writes.display_names, known)
        if new_paths:
            await tx.run("path/ensure", {"rows": new_paths})
        await self._purge(tx, writes, now)
        await self._change(tx, writes)
        await self._create(tx, writes, now)
        await self._link(tx, writes)
        await self._record(tx, writes, now)
        await self._enqueue(tx, writes, now)
        return frozenset(known_path(row) for row in new_paths)

    @staticmethod
    def _places(writes: Writes) -> set[str]:
        moved = (after for id, after in writes.changed.items() if after.path != writes.before[id].path)
        return {memory.path for memory in (*writes.created.values(), *moved)}

    async def _purge(self, tx: Tx, writes: Writes, now: datetime) -> None:
        if not writes.purged:
            return
        actors = {audit.memory.chain_id: audit.actor for audit in writes.audits}
        rows = [{"id": memory.id, "actor": actors[memory.chain_id]} for memory in writes.purged.values()]
        await tx.run("write/purge_versions", {"rows": rows, "at": now})

    async def _change(self, tx: Tx, writes: Writes) -> None:
        pairs = [(writes.before[id], after) for id, after in writes.changed.items()]
        released = [before.id for before, after in pairs if _gives_up_a_key(before, after)]
        if released:
            await tx.run("write/release_keys", {"ids": released})
        keys = {after.id: _keys_of(after) for _, after in pairs if after.id in set(released)}
        rows = [
            {"id": after.id, "changes": changes_of(before, after) | keys.get(after.id, {})}
            for before, after in pairs
        ]
        rows = [row for row in rows if row["changes"]]
        if rows:
            await tx.run("write/change_versions", {"rows": rows})
        moved = [after.id for before, after in pairs if before.path != after.path]
        if moved:
            await tx.run("write/move_versions", {"ids": moved})
        left = [before.id for before, after in pairs if before.live and _scope_of(before) != _scope_of(after)]
        if left:
            await tx.run("write/leave_scopes", {"ids": left})
        entered = [
            {"id": after.id, "key": scope_key(after.path, after.tags), "dated": after.dated}
            for before, after in pairs
            if after.live and _scope_of(before) != _scope_of(after)
        ]
        if entered:
            await tx.run("write/enter_scopes", {"rows": entered})

    async def _create(self, tx: Tx, writes: Writes, now: datetime) -> None:
        places = new_places(writes, now)
        if places:
            [row] = await tx.run("write/create_versions", {"places": places, "now": now})
            if row["created"] != len(writes.created):
                raise Unavailable("a path that was known is gone; nothing was stored, try again")
        joins = [
            {"new": new, "old": old, "reason": reason, "actor": actor, "at": writes.created[new].created_at}
            for new, (old, reason, actor) in writes.supersedes.items()
        ]
        if joins:
            await tx.run("write/join_chains", {"rows": joins})

    async def _link(self, tx: Tx, writes: Writes) -> None:
        links = [
            {
                "id": id,
                "key": link_key(one.target),
                "target": one.target,
                "path": linked_path(one.target),
                "text": one.text,
                "position": at,
            }
            for id, found in writes.links.items()
            for at, one in enumerate(found)
        ]
        unlinked = [id for id in writes.links if id not in writes.created]
        if links or unlinked:
            await tx.run("write/link", {"ids": unlinked, "rows": links})
        copies = [
            {"new": new, "old": old} for new, old in writes.copied_links.items() if new in writes.created
        ]
        if copies:
            await tx.run("write/copy_links", {"rows": copies})
        renamed = [
            id for id, after in writes.changed.items() if names_of(after) != names_of(writes.before[id])
        ]
        named = [*writes.created.values(), *(writes.changed[id] for id in renamed)]
        names = [
            {"id": memory.id, "key": link_key(name), "name": name, "by_title": name not in memory.names}
            for memory in named
            for name in names_of(memory)
        ]
        if names or renamed:
            await tx.run("write/name", {"ids": renamed, "rows": names})

    async def _record(self, tx: Tx, writes: Writes, now: datetime) -> None:
        births = {audit.id for audit in births_of(writes).values()}
        rows = [
            {"audit": audit_row(audit), "change": change_row(audit)}
            for audit in writes.audits
            if audit.id not in births
        ]
        if rows:
            await tx.run("write/record", {"rows": rows, "now": now})

    async def _enqueue(self, tx: Tx, writes: Writes, now: datetime) -> None:
        rows = [
            outbox_row(after)
            for id, after in writes.changed.items()
            if after.revision != writes.before[id].revision
        ]
        rows += [purge_row(memory) for memory in writes.purged.values()]
        if rows:
            rows.sort(key=lambda row: str(row["memory_id"]))
            await tx.run("write/enqueue", {"rows": rows, "now": now})


def _scope_of(memory: Memory) -> tuple[object, ...] | None:
    return (memory.path, memory.tags, memory.dated) if memory.live else None


def _gives_up_a_key(before: Memory, after: Memory) -> bool:
    gone = (before.head_key, held_identity(before)) != (after.head_key, held_identity(after))
    return gone and (before.head_key is not None or held_identity(before) is not None)


def _keys_of(memory: Memory) -> dict[str, object]:
    """The keys that the version holds, to be set again once all that give keys up have done so."""
    return {"head_key": memory.head_key} | held_as(memory.label, held_identity(memory))
