"""How versions of an export come into a store: as they were, where the rules of living there allow it.

A live head becomes live through the one door of ``life``, as every other memory does; a twin that lives here
already takes what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.memory.drafts import identity_key, with_identity
from graphmem.memory.life import Life
from graphmem.memory.model import Memory, WriteAction
from graphmem.memory.transfer import MemoryRecord, document_of
from graphmem.memory.versions import Versions
from graphmem.memory.writes import Intent, LinkRow, Writes


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one version: ``STORED``, ``UPDATED``, ``MERGED``, ``UNCHANGED`` or ``SKIPPED``.

    ``UPDATED`` is a version of which the same export says more than once; the last word holds.
    """

    action: WriteAction
    reason: str | None = None


class Intake:
    """The versions that come in with one transaction of an import.

    Args:
        versions: What the store holds of the ids, the heads of their chains, and the live holders of the
            identity keys that the live heads among them need; all locked.
        known: The same versions with their links, by id.
        followers: By id, the version that superseded one of them.
        mine: Ids of those that this import brought.
        buried: Ids that were purged.
    """

    def __init__(
        self,
        versions: Versions,
        *,
        known: Mapping[str, MemoryRecord],
        followers: Mapping[str, str],
        mine: Collection[str],
        buried: Collection[str],
        now: datetime,
        new_id: Callable[[], str],
    ) -> None:
        self._versions = versions
        self._life = Life(versions, now, new_id)
        self._known = dict(known)
        self._followers = dict(followers)
        self._mine = set(mine)
        self._buried = frozenset(buried)

    @property
    def writes(self) -> Writes:
        """What has to be written so far."""
        return self._versions.writes

    def take_in(self, intent: Intent, record: MemoryRecord) -> Taken | None:
        """Takes one version in; None when it has to wait for the version that it superseded."""
        memory = record.memory
        if memory.id in self._buried:
            return Taken(WriteAction.SKIPPED, "it was purged here")
        known = self._known.get(memory.id)
        if known is not None:
            return self._say_again(record, known)
        if record.supersedes is not None and record.supersedes.id not in self._known:
            return None
        misfit = self._misfit(record)
        if misfit is not None:
            return Taken(WriteAction.SKIPPED, misfit)
        taken = self._enter(intent, record)
        if taken.action is WriteAction.STORED:
            self._note(record)
        return taken

    def _misfit(self, record: MemoryRecord) -> str | None:
        """Why the version has no place in its chain as it stands here; None when it has.

        A chain is a line: every version but the first follows the one before it, and nothing else does.
        """
        memory, before = record.memory, record.supersedes
        head = self._versions.head_of(memory.chain_id)
        if memory.head_key is not None and head is not None:
            return f"its chain has the head {head.id} here"
        if before is None:
            return None
        superseded, follower = self._versions.get(before.id), self._followers.get(before.id)
        if (superseded.chain_id, superseded.version + 1) != (memory.chain_id, memory.version):
            return f"the version {before.id} that it superseded is not the one before it"
        if superseded.head_key is not None:
            return f"the version {before.id} that it superseded is the head of its chain here"
        if follower is not None:
            return f"the version {before.id} that it superseded has another successor here, {follower}"
        return None

    def _enter(self, intent: Intent, record: MemoryRecord) -> Taken:
        memory, links = record.memory, record.links
        if not memory.live or memory.expired(self._life.now):
            self._create(intent, memory, links)
            return Taken(WriteAction.STORED)
        outcome = self._life.become_live(intent, memory, WriteAction.STORED, links)
        if outcome.memory_id == memory.id:
            self._versions.put(replace(self._versions.get(memory.id), known_from=memory.known_from))
            return Taken(WriteAction.STORED)
        if record.supersedes is not None:
            # The chain keeps a head, so that its history can be read; what it says lives in the twin.
            ended = replace(
                memory,
                live=False,
                known_to=self._life.now,
                deleted_at=self._life.now,
                deleted_by=intent.subject,
            )
            self._create(intent, ended, links)
            self._note(replace(record, memory=ended))
        return Taken(WriteAction.MERGED, f"memory {outcome.memory_id} says the same here")

    def _say_again(self, record: MemoryRecord, known: MemoryRecord) -> Taken:
        """What an export says of a version that is there."""
        if document_of(record) == document_of(known):
            return Taken(WriteAction.UNCHANGED)
        if record.memory.id not in self._mine:
            return Taken(WriteAction.SKIPPED, "it is there with other content or state")
        before = self._versions.get(record.memory.id)
        after = replace(record.memory, indexed_revision=before.indexed_revision)
        if after.live and not after.expired(self._life.now):
            after = with_identity(after, identity_key(after))
            holder = self._versions.holder(identity_key(after), self._life.now)
            if holder is not None and holder.id != after.id:
                return Taken(WriteAction.SKIPPED, f"memory {holder.id} says the same here")
        self._versions.put(after)
        self.writes.links[after.id] = record.links
        self._known[after.id] = record
        return Taken(WriteAction.UPDATED)

    def _create(self, intent: Intent, memory: Memory, links: tuple[LinkRow, ...]) -> None:
        """Makes a version that is not to be found: without an identity key, as whoever holds one lives."""
        self._versions.create(memory)
        self.writes.links[memory.id] = links
        self._life.audit(intent, WriteAction.STORED, memory.id, (), None)

    def _note(self, record: MemoryRecord) -> None:
        memory, before = record.memory, record.supersedes
        if before is not None:
            self.writes.supersedes[memory.id] = (before.id, before.reason, before.actor)
            self._followers[before.id] = memory.id
        self._known[memory.id] = record
        self._mine.add(memory.id)
