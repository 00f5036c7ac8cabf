"""The whole store in pages for an export, and the statements that an import needs beside those of writing.

Only an admin of everything comes here; the service sees to that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.access.predicate import Predicate
from graphmem.graph.client import GraphClient
from graphmem.graph.mapping import memory_from
from graphmem.graph.path_rows import path_rows
from graphmem.graph.rows import Row
from graphmem.graph.transactions import Tx
from graphmem.graph.write_rows import births_of
from graphmem.memory.tags import tag_keys
from graphmem.memory.transfer import (
    AuditRecord,
    MemoryRecord,
    PathRecord,
    Supersedes,
    TombstoneRecord,
)
from graphmem.memory.writes import LinkRow, Writes

PAGE_ROWS = 500
"""Rows of one page: each is a query of its own, so that an export holds nothing open while it is read."""


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A version that the store holds already.

    Attributes:
        mine: The import that asks brought it.
        follower: Id of the version that superseded it.
    """

    record: MemoryRecord
    mine: bool
    follower: str | None


class TransferStore:
    """Everything that leaves a store and comes into one."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def paths(self, rule: Predicate) -> AsyncIterator[PathRecord]:
        """The paths that were named or declared, in order."""
        after = ""
        while rows := await self._graph.run("transfer/paths", _page(after), rule=rule):
            for row in rows:
                tags = tuple(row["tags"] or ())
                yield PathRecord(row["path"], row["declared"], row["display_name"], tags)
            after = rows[-1]["path"]

    async def versions(self, rule: Predicate, until: datetime) -> AsyncIterator[MemoryRecord]:
        """Every version that was written up to an instant, in the order of the ids."""
        after = ""
        while rows := await self._graph.run("transfer/versions", {**_page(after), "until": until}, rule=rule):
            for row in rows:
                yield _version(row)
            after = rows[-1]["memory"]["id"]

    async def chains(self, chain_ids: Collection[str], rule: Predicate) -> list[MemoryRecord]:
        """Every version of these chains, in the order of the ids."""
        params = {"chain_ids": sorted(chain_ids)}
        return [_version(row) for row in await self._graph.run("transfer/chains", params, rule=rule)]

    async def changed_since(self, id: str) -> dict[str, str]:
        """The audit records from this id on, each with the chain that it is about."""
        rows = await self._graph.run("transfer/changed_since", {"since": id})
        return {row["id"]: row["chain_id"] for row in rows}

    async def audits(self) -> AsyncIterator[AuditRecord]:
        """The audit records but those of imports, in the order of the ids."""
        after = ""
        while rows := await self._graph.run("transfer/audits", _page(after)):
            for row in rows:
                yield _audit(row["audit"])
            after = rows[-1]["audit"]["id"]

    async def tombstones(self) -> AsyncIterator[TombstoneRecord]:
        """The marks of purged versions, in the order of the ids."""
        after = ""
        while rows := await self._graph.run("transfer/tombstones", _page(after)):
            for row in rows:
                yield TombstoneRecord(**row["tombstone"])
            after = rows[-1]["tombstone"]["memory_id"]

    async def lock_versions(
        self, tx: Tx, ids: Collection[str], chain_ids: Collection[str], run: str
    ) -> list[KnownVersion]:
        """What the store holds of these ids, and the heads of these chains; locked."""
        params = {"ids": sorted(ids), "chain_ids": sorted(chain_ids), "run": run}
        rows = await tx.run("transfer/lock_versions", params)
        return [KnownVersion(_version(row), row["mine"], row["follower"]) for row in rows]

    async def buried(self, tx: Tx, ids: Collection[str]) -> set[str]:
        """Which of these ids were purged."""
        rows = await tx.run("transfer/buried", {"ids": sorted(ids)})
        return {row["memory_id"] for row in rows}

    async def mark_imported(self, tx: Tx, writes: Writes, run: str) -> None:
        """Marks the new versions of an import as such, under the name of the import."""
        ids = [audit.id for audit in births_of(writes).values()]
        if ids:
            await tx.run("transfer/mark_imported", {"ids": ids, "run": run})

    async def name_paths(self, tx: Tx, records: Sequence[PathRecord]) -> dict[str, PathRecord | None]:
        """Makes these paths and those above them; each as it was before, None where there was none."""
        wanted = {record.path: record for record in records}
        names = {path: record.display_name or "" for path, record in wanted.items()}
        rows = [_path_row(row, wanted.get(str(row["path"]))) for row in path_rows(wanted, names, ())]
        found = await tx.run("transfer/name_paths", {"rows": rows}) if rows else []
        return {
            row["path"]: None
            if row["declared"] is None
            else PathRecord(row["path"], row["declared"], row["display_name"], tuple(row["tags"] or ()))
            for row in found
            if row["path"] in wanted
        }

    async def keep_audits(self, tx: Tx, records: Sequence[AuditRecord]) -> set[str]:
        """Keeps the audit records that are new; the ids of those that were there."""
        if not records:
            return set()
        rows = await tx.run("transfer/known_audits", {"ids": [record.id for record in records]})
        known = {row["id"] for row in rows}
        new = {record.id: _audit_row(record) for record in records if record.id not in known}
        if new:
            await tx.run("transfer/keep_audits", {"rows": list(new.values())})
        return known

    async def bury(self, tx: Tx, records: Sequence[TombstoneRecord]) -> set[str]:
        """Marks versions as purged; the ids of those that were marked before."""
        rows = [
            {
                "memory_id": record.memory_id,
                "chain_id": record.chain_id,
                "purged_at": record.purged_at,
                "actor": record.actor,
            }
            for record in records
        ]
        found = await tx.run("transfer/bury", {"rows": rows}) if rows else []
        return {row["memory_id"] for row in found if not row["fresh"]}


def _page(after: str) -> dict[str, object]:
    return {"after": after, "limit": PAGE_ROWS}


def _version(row: Row) -> MemoryRecord:
    before = row["supersedes"]
    return MemoryRecord(
        memory_from(row["memory"], row["label"]),
        tuple(LinkRow(text, target) for text, target in row["links"]),
        None if before is None else Supersedes(before["id"], before["actor"], before["reason"]),
    )


def _audit(found: Mapping[str, object]) -> AuditRecord:
    fields = {name: found.get(name) for name in AuditRecord.__dataclass_fields__}
    return AuditRecord(**{**fields, "fields": tuple(found.get("fields") or ())})  # type: ignore[arg-type]


def _audit_row(record: AuditRecord) -> dict[str, object]:
    return {
        "id": record.id,
        "at": record.at,
        "actor": record.actor,
        "action": record.action,
        "memory_id": record.memory_id,
        "chain_id": record.chain_id,
        "version": record.version,
        "fields": list(record.fields),
        "reason": record.reason,
    }


def _path_row(row: Mapping[str, object], record: PathRecord | None) -> dict[str, object]:
    """The row of a path with what the record says of it; of a path above with nothing said."""
    tags = record.tags if record else ()
    return {
        **row,
        "display_name": record.display_name if record else None,
        "declared": record.declared if record else False,
        "tags": list(tags),
        "tag_keys": list(tag_keys(tags)),
    }
