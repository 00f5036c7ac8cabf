"""How memories come to life, change and die: the rules of writing, on values.

A ledger takes the versions that a transaction has locked and applies commands to them in order; what it
decided stands in ``writes``. Nothing is read, stored or timed here. Rule numbers are those of the design,
section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.errors import Conflict, Forbidden, GraphMemError, InvalidInput, NotFound, shown
from graphmem.memory.commands import (
    ForgetMemory,
    NewDrawer,
    NewFact,
    RestoreMemory,
    SupersedeFact,
    UpdateMemory,
)
from graphmem.memory.drafts import draft_of, identity_key, with_identity
from graphmem.memory.life import Life, unchanged
from graphmem.memory.limits import FACT_CHARACTERS
from graphmem.memory.model import Fact, Memory, WriteAction
from graphmem.memory.revising import changed_fields, links_of, moved, placed, revised, successor
from graphmem.memory.text import checked_text
from graphmem.memory.versions import Versions
from graphmem.memory.writes import Audit, Intent, LinkRow, Outcome, Writes


class Ledger:
    """The commands of one transaction, applied one after the other.

    Args:
        versions: Each head that a command names, each holder of an identity key that a command may need, and
            for a move or a purge every version of the chain; all locked.
        now: The instant of the transaction, aware UTC.
        new_id: Gives a fresh UUIDv7 text.
        fact_characters: Longest content of a fact.
    """

    def __init__(
        self,
        versions: Versions,
        *,
        now: datetime,
        new_id: Callable[[], str],
        fact_characters: int = FACT_CHARACTERS,
    ) -> None:
        self._versions = versions
        self._life = Life(versions, now, new_id)
        self._fact_characters = fact_characters

    @property
    def writes(self) -> Writes:
        """What has to be written so far."""
        return self._versions.writes

    def apply_all(self, intents: Sequence[Intent]) -> list[Outcome]:
        """Carries out the commands of one request, in order; all of them, or none when one is refused.

        Raises:
            GraphMemError: As ``apply``; of several commands it names the index of the refused one.
        """
        done: list[Outcome] = []
        with self._versions.attempt():
            self._free_sections(intents)
            try:
                for intent in intents:
                    done.append(self.apply(intent))
            except GraphMemError as refusal:
                if len(intents) > 1:
                    refusal.at_index(len(done))
                raise
        return [self.writes.settled(outcome) for outcome in done]

    def apply(self, intent: Intent) -> Outcome:
        """Carries out one command.

        Raises:
            NotFound: The memory, or the place, is not there for this writer.
            Forbidden: The writer may read it but not do this.
            Conflict: The head is another one, or deleted, or not the expected version.
        """
        match intent.command:
            case NewFact() | NewDrawer() as command:
                return self._store(intent, command)
            case SupersedeFact() as command:
                return self._supersede(intent, command)
            case UpdateMemory() as command:
                return self._update(intent, command)
            case ForgetMemory(purge=True) as command:
                return self._purge(intent, command)
            case ForgetMemory() as command:
                return self._forget(intent, command)
            case RestoreMemory() as command:
                return self._restore(intent, command)

    def _store(self, intent: Intent, command: NewFact | NewDrawer) -> Outcome:
        draft = intent.draft or draft_of(command, subject=intent.subject, now=self._life.now)
        _require_place(intent, draft)
        given = None
        if isinstance(command, NewDrawer):
            given = command.links
            self._name_rooms(command.path, command)
        return self._life.become_live(intent, draft, WriteAction.STORED, links_of(draft.content, given))

    def _supersede(self, intent: Intent, command: SupersedeFact) -> Outcome:
        head = self._named_head(intent, command.id, command.expected_version)
        if head.label is not command.label:
            problem = f"{shown(command.id)} names a {head.label.value}; updateMemory changes any memory"
            raise InvalidInput("id", problem)
        draft = successor(head, command, id=self._life.new_id(), author=intent.subject, now=self._life.now)
        if draft is None:
            return unchanged(head, "the memory says this already")
        links = links_of(draft.content, command.links)
        return self._replace(intent, head, draft, WriteAction.SUPERSEDED, links, command.reason)

    def _update(self, intent: Intent, command: UpdateMemory) -> Outcome:
        head = self._named_head(intent, command.id, command.expected_version)
        place = moved(head, command)
        if place is not None:
            self._name_rooms(place.path, command)
            outcome = self._move(intent, head, place, command)
            if outcome.action is not WriteAction.UPDATED:
                return outcome
            head = self._versions.get(head.id)
        change = revised(head, command, id=self._life.new_id(), author=intent.subject, now=self._life.now)
        if change is None:
            self._versions.put(self._life.keep_identity(head))
            moved_alone = Outcome(WriteAction.UPDATED, head.id, head)
            return moved_alone if place is not None else unchanged(head, "nothing differs")
        if change.id == head.id:
            return self._change_in_place(intent, head, change, command)
        links = links_of(change.content, command.links if isinstance(command.links, tuple) else None)
        if change.content == head.content and not isinstance(command.links, tuple):
            links, self.writes.copied_links[change.id] = (), head.id
        return self._replace(intent, head, change, WriteAction.UPDATED, links, command.reason)

    def _replace(
        self,
        intent: Intent,
        head: Memory,
        draft: Memory,
        action: WriteAction,
        links: tuple[LinkRow, ...],
        reason: str | None,
    ) -> Outcome:
        """Puts ``draft`` in the place of ``head``; where a twin says it already, the chain ends instead."""
        self._require_sound(draft)
        twin = self._versions.holder(identity_key(draft), self._life.now)
        if twin is not None and twin.chain_id != head.chain_id:
            self._versions.close(head, self._life.now, deleted_by=intent.subject)
            self._life.audit(intent, WriteAction.DELETED, head.id, (), reason)
            return self._life.merge(intent, twin, draft)
        self._versions.close(head, self._life.now)
        self.writes.supersedes[draft.id] = (head.id, reason, intent.subject)
        return self._life.become_live(intent, draft, action, links, reason)

    def _change_in_place(
        self, intent: Intent, head: Memory, change: Memory, command: UpdateMemory
    ) -> Outcome:
        if isinstance(command.links, tuple):
            self.writes.links[head.id] = links_of(head.content, command.links)
        change = self._life.keep_identity(change)
        self._versions.put(change)
        self._life.audit(intent, WriteAction.UPDATED, head.id, changed_fields(head, change), command.reason)
        return Outcome(WriteAction.UPDATED, head.id, change)

    def _move(self, intent: Intent, head: Memory, place: Memory, command: UpdateMemory) -> Outcome:
        """Takes all versions of the chain to another place, so that none stays behind (rule 6).

        What the memory will say there, once the rest of the command is done, decides whether a twin takes it;
        until then it holds no identity key.
        """
        _require_place(intent, place)
        if place.tags != head.tags and intent.subject != head.owner and not intent.rights.admin(head):
            raise Forbidden(f"the tags of {shown(head.id)} are changed by its owner or by an admin")
        wanted = revised(place, command, id=head.id, author=intent.subject, now=self._life.now) or place
        twin = self._versions.holder(identity_key(wanted), self._life.now)
        if twin is not None and twin.chain_id != head.chain_id:
            self._versions.close(head, self._life.now, deleted_by=intent.subject)
            self._life.audit(intent, WriteAction.DELETED, head.id, (), command.reason)
            return self._life.merge(intent, twin, wanted)
        for version in self._versions.chain(head.chain_id):
            there = replace(placed(version, place.path, place.tags), revision=version.revision + 1)
            self._versions.put(with_identity(there, None) if version.live else there)
        self._life.audit(intent, WriteAction.UPDATED, head.id, ("path", "tags"), command.reason)
        return Outcome(WriteAction.UPDATED, head.id, self._versions.get(head.id))

    def _forget(self, intent: Intent, command: ForgetMemory) -> Outcome:
        head = self._head(intent, command.id)
        _require(intent, intent.rights.delete(head), "delete", head)
        if head.deleted_at is not None:
            return unchanged(head, "it is deleted already")
        closed = self._versions.close(head, self._life.now, deleted_by=intent.subject)
        self._life.audit(intent, WriteAction.DELETED, head.id, (), command.reason)
        return Outcome(WriteAction.DELETED, head.id, closed)

    def _purge(self, intent: Intent, command: ForgetMemory) -> Outcome:
        head = self._head(intent, command.id)
        _require(intent, intent.rights.admin(head), "purge", head)
        for version in self._versions.chain(head.chain_id):
            self._versions.erase(version)
        audit = Audit(self._life.new_id(), self._life.now, intent.subject, WriteAction.PURGED, head)
        self.writes.audits.append(audit)
        return Outcome(WriteAction.PURGED, head.id, None)

    def _restore(self, intent: Intent, command: RestoreMemory) -> Outcome:
        head = self._head(intent, command.id)
        _require(intent, intent.rights.delete(head), "restore", head)
        if head.deleted_at is None:
            return unchanged(head, "it is not deleted")
        draft = replace(
            head,
            id=self._life.new_id(),
            version=head.version + 1,
            revision=1,
            indexed_revision=0,
            author=intent.subject,
            created_at=self._life.now,
            deleted_at=None,
            deleted_by=None,
        )
        twin = self._versions.holder(identity_key(draft), self._life.now)
        if twin is not None:
            return self._life.merge(intent, twin, draft)
        self._versions.put(replace(head, head_key=None))
        self.writes.supersedes[draft.id] = (head.id, command.reason, intent.subject)
        self.writes.copied_links[draft.id] = head.id
        return self._life.become_live(intent, draft, WriteAction.RESTORED, (), command.reason)

    def _free_sections(self, intents: Sequence[Intent]) -> None:
        """Lets go of the section keys that the commands hand round among their memories."""
        for intent in intents:
            match intent.command:
                case UpdateMemory(id=id, section=tuple()):
                    head = self._versions.head_of(id)
                    if head is not None and head.live and intent.rights.write(head):
                        self._versions.put(with_identity(head, None))

    def _name_rooms(self, path: str, command: NewDrawer | UpdateMemory) -> None:
        """Notes how the wing and its rooms are spelt, by path, where the command says it."""
        names = (*filter(None, [command.wing_name]), *command.room_names)
        segments = path.split("/")
        if len(segments) == len(names) + 2:
            for depth, name in enumerate(names, start=3):
                self.writes.display_names["/".join(segments[:depth])] = name

    def _require_sound(self, draft: Memory) -> None:
        """What could not be checked before the head was known: the length of a fact, and the whole span."""
        if isinstance(draft, Fact):
            checked_text(draft.content, "content", self._fact_characters)
        if draft.valid_from is not None and draft.valid_to is not None and draft.valid_to <= draft.valid_from:
            raise InvalidInput("validTo", f"is {draft.valid_to}, not after validFrom {draft.valid_from}")

    def _named_head(self, intent: Intent, id: str, expected_version: int | None) -> Memory:
        """The head, named by its own id (rule 4), which the writer may change."""
        head = self._head(intent, id)
        _require(intent, intent.rights.write(head), "change", head)
        if head.id != id:
            raise Conflict(f"memory {shown(id)} is an older version; the head is {head.id}", head=head.id)
        if head.deleted_at is not None:
            raise Conflict(f"memory {shown(id)} is deleted; restore it first", head=head.id)
        if expected_version is not None and expected_version != head.version:
            problem = (
                f"expectedVersion is {expected_version}, but memory {shown(id)} has version {head.version}"
            )
            raise Conflict(problem, head=head.id)
        return head

    def _head(self, intent: Intent, id: str) -> Memory:
        head = self._versions.head_of(id)
        if head is None or not intent.rights.read(head):
            raise NotFound("memory", id)
        return head


def _require(intent: Intent, allowed: bool, verb: str, memory: Memory) -> None:
    if not allowed:
        raise Forbidden(f"{intent.subject} may not {verb} memory {shown(memory.id)}")


def _require_place(intent: Intent, draft: Memory) -> None:
    """A refused write is told only where such a memory could be read (rule 10)."""
    if intent.rights.write(draft):
        return
    if intent.rights.read(draft):
        raise Forbidden(f"{intent.subject} may not write at {shown(draft.path)}")
    raise NotFound("path", draft.path)
