"""What one transaction writes, as values: the outcome of each command and the rows behind it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Protocol

from graphmem.memory.commands import Command
from graphmem.memory.model import Memory, WriteAction


class Rights(Protocol):
    """What the writer may do with a resource; each answers for one memory as it is or will be."""

    def read(self, memory: Memory) -> bool: ...
    def write(self, memory: Memory) -> bool: ...
    def delete(self, memory: Memory) -> bool: ...
    def admin(self, memory: Memory) -> bool: ...


@dataclass(frozen=True, slots=True)
class Intent:
    """A command, who gives it, and what that subject may do.

    Attributes:
        draft: What a new memory would be, when it was made before the transaction; without id and time.
    """

    command: Command
    subject: str
    rights: Rights
    draft: Memory | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command.

    Attributes:
        memory: The memory as it stands after the transaction; None when it was purged.
        readable: Whether the writer may see it; a receipt without that right shows no memory.
    """

    action: WriteAction
    memory_id: str
    memory: Memory | None
    readable: bool = True
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """Who did what to which memory; never holds content."""

    id: str
    at: datetime
    actor: str
    action: WriteAction
    memory: Memory
    fields: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One link of a memory: the label and the target, both as written."""

    text: str
    target: str


@dataclass(slots=True)
class Writes:
    """Everything that one transaction has to write.

    Attributes:
        before, changed: Versions that the store holds, by id, as they were and as they shall be.
        created: New versions, by id.
        supersedes: New id to (old id, reason, actor).
        links: By memory id, the links of a version whose links are (re)made.
        copied_links: By id of a new version, the version whose links it takes over.
        purged: Versions to erase, by id.
        display_names: Names of wings and rooms as they were typed, by path.
    """

    before: dict[str, Memory] = field(default_factory=dict)
    changed: dict[str, Memory] = field(default_factory=dict)
    created: dict[str, Memory] = field(default_factory=dict)
    supersedes: dict[str, tuple[str, str | None, str]] = field(default_factory=dict)
    links: dict[str, tuple[LinkRow, ...]] = field(default_factory=dict)
    copied_links: dict[str, str] = field(default_factory=dict)
    purged: dict[str, Memory] = field(default_factory=dict)
    audits: list[Audit] = field(default_factory=list)
    display_names: dict[str, str] = field(default_factory=dict)

    def copied(self) -> Writes:
        """The same writes in containers of their own."""
        return Writes(**{found.name: copy(getattr(self, found.name)) for found in fields(self)})

    def settled(self, outcome: Outcome) -> Outcome:
        """The outcome with its memory as the whole transaction leaves it."""
        latest = self.created.get(outcome.memory_id) or self.changed.get(outcome.memory_id)
        if outcome.memory is None or latest is None or latest is outcome.memory:
            return outcome
        return replace(outcome, memory=latest)
