"""How a memory comes to life: the one way, and what its twin takes instead (design section 3, rule 2).

Used by ``ledger``, which decides what is written; pure like it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.errors import Conflict, shown
from graphmem.memory.drafts import held_as, held_identity, identity_key, with_identity
from graphmem.memory.model import Drawer, Memory, Status, WriteAction
from graphmem.memory.revising import changed_fields, merged
from graphmem.memory.versions import Versions
from graphmem.memory.writes import Audit, Intent, LinkRow, Outcome


@dataclass(frozen=True, slots=True)
class Life:
    """The versions of one transaction, its instant, and fresh ids."""

    versions: Versions
    now: datetime
    new_id: Callable[[], str]

    def become_live(
        self,
        intent: Intent,
        draft: Memory,
        action: WriteAction,
        links: tuple[LinkRow, ...],
        reason: str | None = None,
    ) -> Outcome:
        """The only way to become live (rule 2); a twin that says it already takes it instead.

        A draft of a new chain gets its id and its time here.
        """
        key = identity_key(draft)
        twin = self.versions.holder(key, self.now)
        if twin is not None:
            return self.merge(intent, twin, draft)
        id = draft.id or self.new_id()
        chain_id, created_at = (draft.chain_id, draft.created_at) if draft.id else (id, self.now)
        live = replace(
            draft,
            id=id,
            chain_id=chain_id,
            head_key=chain_id,
            created_at=created_at,
            status=Status.ACTIVE,
            live=True,
            known_from=self.now,
            known_to=None,
            **held_as(draft.label, key),
        )
        self.versions.create(live)
        self.versions.writes.links[live.id] = links
        self.audit(intent, action, live.id, (), reason)
        return Outcome(action, live.id, live, readable=intent.rights.read(live), reason=reason)

    def merge(self, intent: Intent, twin: Memory, draft: Memory) -> Outcome:
        """Gives the twin what the draft adds; a writer who may not read the twin learns of none."""
        readable = intent.rights.read(twin)
        if isinstance(twin, Drawer) and twin.content_hash != draft.content_hash:
            which = f": memory {shown(twin.id)}" if readable else ""
            raise Conflict(f"another text is filed where this one would go{which}")
        joined = merged(twin, draft, now=self.now)
        if joined != twin:
            self.versions.put(replace(joined, revision=twin.revision + 1))
            self.audit(intent, WriteAction.MERGED, twin.id, changed_fields(twin, joined), None)
        if not readable:
            return Outcome(WriteAction.STORED, twin.id, joined, readable=False)
        if joined == twin:
            return unchanged(twin, "the same text is filed there already")
        return Outcome(WriteAction.MERGED, twin.id, joined, reason="the same text stands there already")

    def keep_identity(self, memory: Memory) -> Memory:
        """The live memory holding its identity key, taken back if it was let go of."""
        key = identity_key(memory)
        if not memory.live or held_identity(memory) == key:
            return memory
        if self.versions.holder(key, self.now) is not None:
            raise Conflict(f"another memory stands where {shown(memory.id)} would go")
        return with_identity(memory, key)

    def audit(
        self,
        intent: Intent,
        action: WriteAction,
        memory_id: str,
        fields: tuple[str, ...],
        reason: str | None,
    ) -> None:
        memory = self.versions.get(memory_id)
        audit = Audit(self.new_id(), self.now, intent.subject, action, memory, fields, reason)
        self.versions.writes.audits.append(audit)


def unchanged(memory: Memory, reason: str) -> Outcome:
    """The outcome of a command that found nothing to do."""
    return Outcome(WriteAction.UNCHANGED, memory.id, memory, reason=reason)
