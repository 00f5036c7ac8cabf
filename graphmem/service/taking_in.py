"""One batch of an import in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from graphmem.graph.transactions import Tx
from graphmem.graph.transfer_store import TransferStore
from graphmem.memory.commands import ForgetMemory
from graphmem.memory.drafts import identity_key
from graphmem.memory.intake import Intake
from graphmem.memory.ledger import Ledger
from graphmem.memory.model import Label, WriteAction
from graphmem.memory.transfer import (
    AuditRecord,
    MemoryRecord,
    PathRecord,
    Record,
    TombstoneRecord,
)
from graphmem.memory.versions import Versions
from graphmem.memory.writes import Intent
from graphmem.service.platform import Caller

WRITE_SECONDS = 60.0
"""A batch may take this long, so that an import goes on where the machine is busy."""

Numbered = tuple[int, Record]
"""A record and the number of its line."""


class Tally(StrEnum):
    """What became of a line; most are named as the report counts them."""

    STORED = "stored"
    MERGED = "merged"
    UNCHANGED = "unchanged"
    PATHS = "paths"
    AUDITS = "audits"
    TOMBSTONES = "tombstones"
    SKIPPED = "skipped"
    WAITS = "waits"


Answer = tuple[Numbered, Tally, str | None]
"""A line, what became of it, and why it was skipped."""

_TALLIES = {
    WriteAction.STORED: Tally.STORED,
    WriteAction.UPDATED: Tally.UNCHANGED,
    WriteAction.MERGED: Tally.MERGED,
    WriteAction.UNCHANGED: Tally.UNCHANGED,
    WriteAction.SKIPPED: Tally.SKIPPED,
}


async def take_in(caller: Caller, batch: Sequence[Numbered], run: str) -> list[Answer]:
    """Stores the lines together, all or none; what became of each, after the commit.

    Args:
        run: Name of the import; what it brings is marked by it.

    Raises:
        GraphMemError: The store did not take the batch; nothing of it is stored.
    """
    one = _Batch(caller, batch, run)
    return await caller.platform.graph.write(one.take, name="import", timeout_s=WRITE_SECONDS)


class _Batch:
    """The lines of one transaction, by their kind."""

    def __init__(self, caller: Caller, batch: Sequence[Numbered], run: str) -> None:
        self._caller = caller
        self._run = run
        self._store = TransferStore(caller.platform.graph)
        self._paths: list[tuple[Numbered, PathRecord]] = []
        self._memories: list[tuple[Numbered, MemoryRecord]] = []
        self._audits: list[tuple[Numbered, AuditRecord]] = []
        self._tombstones: list[tuple[Numbered, TombstoneRecord]] = []
        for line in batch:
            match line[1]:
                case PathRecord() as path:
                    self._paths.append((line, path))
                case MemoryRecord() as memory:
                    self._memories.append((line, memory))
                case AuditRecord() as audit:
                    self._audits.append((line, audit))
                case TombstoneRecord() as tombstone:
                    self._tombstones.append((line, tombstone))

    async def take(self, tx: Tx) -> list[Answer]:
        """One try of the transaction."""
        return [
            *await self._take_paths(tx),
            *await self._take_memories(tx),
            *await self._take_audits(tx),
            *await self._take_tombstones(tx),
        ]

    async def _take_paths(self, tx: Tx) -> list[Answer]:
        before = await self._store.name_paths(tx, [path for _, path in self._paths])
        answers: list[Answer] = []
        for line, path in self._paths:
            known = before.get(path.path)
            named_otherwise = known is not None and known.display_name not in (None, path.display_name)
            if known == path:
                answers.append((line, Tally.UNCHANGED, None))
            elif named_otherwise and path.display_name is not None:
                answers.append((line, Tally.SKIPPED, "the path has another display name here"))
            else:
                answers.append((line, Tally.PATHS, None))
        return answers

    async def _take_memories(self, tx: Tx) -> list[Answer]:
        if not self._memories:
            return []
        intake = await self._intake(tx, [memory for _, memory in self._memories])
        answers: list[Answer] = []
        for line, record in self._memories:
            command = ForgetMemory(id=record.memory.id)
            taken = intake.take_in(Intent(command, self._caller.subject, self._caller), record)
            if taken is None:
                answers.append((line, Tally.WAITS, None))
            else:
                answers.append((line, _TALLIES[taken.action], taken.reason))
        stores = self._caller.platform.stores
        await stores.writing.write(tx, intake.writes, frozenset(), self._caller.now())
        await self._store.mark_imported(tx, intake.writes, self._run)
        return answers

    async def _intake(self, tx: Tx, records: Sequence[MemoryRecord]) -> Intake:
        """The ledger over everything that the records may touch, locked."""
        memories = [record.memory for record in records]
        before = [record.supersedes.id for record in records if record.supersedes is not None]
        ids = {*(memory.id for memory in memories), *before}
        chains = {memory.chain_id for memory in memories if memory.head_key is not None}
        known = await self._store.lock_versions(tx, ids, chains, self._run)
        buried = await self._store.buried(tx, ids)
        keys: dict[str, set[str]] = {Label.FACT: set(), Label.DRAWER: set()}
        for memory in memories:
            if memory.live:
                keys[memory.label].add(identity_key(memory))
        holders = await self._caller.platform.stores.writing.lock_holders(
            tx, keys[Label.FACT], keys[Label.DRAWER]
        )
        locked = {version.id: version for version in (*(one.record.memory for one in known), *holders)}
        return Intake(
            Versions(locked.values(), {chain: chain for chain in chains}),
            known={one.record.memory.id: one.record for one in known},
            followers={one.record.memory.id: one.follower for one in known if one.follower is not None},
            mine={one.record.memory.id for one in known if one.mine},
            buried=buried,
            now=self._caller.now(),
            new_id=self._caller.platform.clock.new_id,
        )

    async def _take_audits(self, tx: Tx) -> list[Answer]:
        known = await self._store.keep_audits(tx, [audit for _, audit in self._audits])
        return [
            (line, Tally.UNCHANGED if audit.id in known else Tally.AUDITS, None)
            for line, audit in self._audits
        ]

    async def _take_tombstones(self, tx: Tx) -> list[Answer]:
        """Marks what was purged elsewhere; a memory that is here stays, unless this import brought it."""
        if not self._tombstones:
            return []
        ids = {tombstone.memory_id for _, tombstone in self._tombstones}
        here = {one.record.memory.id: one for one in await self._store.lock_versions(tx, ids, (), self._run)}
        staying = {id for id, one in here.items() if not one.mine}
        marked = [tombstone for _, tombstone in self._tombstones if tombstone.memory_id not in staying]
        known = await self._store.bury(tx, marked)
        await self._purge(tx, {one.record.memory.chain_id for one in here.values() if one.mine})
        answers: list[Answer] = []
        for line, tombstone in self._tombstones:
            if tombstone.memory_id in staying:
                reason = "the memory is here; purge it where it shall go too"
                answers.append((line, Tally.SKIPPED, reason))
            elif tombstone.memory_id in known:
                answers.append((line, Tally.UNCHANGED, None))
            else:
                answers.append((line, Tally.TOMBSTONES, None))
        return answers

    async def _purge(self, tx: Tx, chain_ids: set[str]) -> None:
        """Erases chains that were purged while they were exported."""
        if not chain_ids:
            return
        writing = self._caller.platform.stores.writing
        versions = await writing.lock_chains(tx, chain_ids)
        clock, now = self._caller.platform.clock, self._caller.now()
        chains = {version.id: version.chain_id for version in versions}
        ledger = Ledger(Versions(versions, chains), now=now, new_id=clock.new_id)
        for chain_id in sorted(chain_ids):
            command = ForgetMemory(id=chain_id, purge=True)
            ledger.apply(Intent(command, self._caller.subject, self._caller))
        await writing.write(tx, ledger.writes, frozenset(), now)
