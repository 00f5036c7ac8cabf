"""The shapes of what is stored: memories, paths, and the receipt of a write.

Values only. How they become live is ``ledger``; how they reach Neo4j is ``graphmem.graph``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Label(StrEnum):
    """The sub-label of a memory; every memory has exactly one."""

    FACT = "Fact"
    DRAWER = "Drawer"


class Kind(StrEnum):
    """The kind of a fact, weakest first; merging keeps the stronger one."""

    RUN = "RUN"
    FACT = "FACT"
    DECISION = "DECISION"
    LESSON = "LESSON"
    PIN = "PIN"

    @property
    def weight(self) -> int:
        """Rank among kinds, 0 to 4 (TSUKA's weights, with PIN above)."""
        return list(Kind).index(self)


class Status(StrEnum):
    """Where a memory stands in governance."""

    PENDING = "PENDING"
    ACTIVE = "ACTIVE"
    REJECTED = "REJECTED"
    ARCHIVED = "ARCHIVED"


class WriteAction(StrEnum):
    """What a write did, as its receipt says it."""

    STORED = "STORED"
    MERGED = "MERGED"
    SUPERSEDED = "SUPERSEDED"
    UPDATED = "UPDATED"
    UNCHANGED = "UNCHANGED"
    SKIPPED = "SKIPPED"
    PENDING_APPROVAL = "PENDING_APPROVAL"
    QUARANTINED = "QUARANTINED"
    ARCHIVED = "ARCHIVED"
    REJECTED = "REJECTED"
    DELETED = "DELETED"
    RESTORED = "RESTORED"
    PURGED = "PURGED"
    EVICTED = "EVICTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One version of a memory.

    Attributes:
        chain_id: Id of the first version; shared by all versions.
        head_key: The chain id on the newest version, else None.
        revision: Rises with every change that an index shows; starts at 1.
        indexed_revision: The revision that the vector index holds; 0 before the first.
        live: The version is the head of its chain, ``ACTIVE`` and not deleted.
        known_from, known_to: The one span in which this version was the live head.
        valid_from, valid_to: When it is true in the world; None is open.
        ancestors: The path and every path above it, root first.
        tags: Own tags ``key=value``, sorted; ``owner=…`` is always among them.
        names: Aliases under which links find it, besides the title.
        stability_days: Time constant of forgetting, in days.
    """

    id: str
    chain_id: str
    head_key: str | None
    version: int
    revision: int = 1
    indexed_revision: int = 0
    path: str
    ancestors: tuple[str, ...]
    tags: tuple[str, ...]
    tag_keys: tuple[str, ...]
    owner: str
    author: str
    title: str | None = None
    content: str
    content_hash: str
    language: str
    status: Status = Status.ACTIVE
    live: bool
    created_at: datetime
    known_from: datetime | None = None
    known_to: datetime | None = None
    deleted_at: datetime | None = None
    deleted_by: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    sources: tuple[str, ...] = ()
    session_key: str | None = None
    names: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    trust: float | None = None
    pinned: bool = False
    hits: int = 0
    last_used_at: datetime | None = None
    recall_count: int = 0
    last_recall_at: datetime | None = None
    stability_days: float = 1.0

    @property
    def label(self) -> Label:
        """The sub-label of this memory."""
        raise NotImplementedError

    @property
    def dated(self) -> bool:
        """Whether the passing of time alone can change if it is shown."""
        return not (self.valid_from is self.valid_to is self.expires_at is None)

    def expired(self, now: datetime) -> bool:
        """Whether its expiry has passed."""
        return self.expires_at is not None and self.expires_at <= now

    def valid(self, now: datetime) -> bool:
        """Whether it is true in the world at ``now``; ``valid_to`` is the first instant it is not."""
        begun = self.valid_from is None or self.valid_from <= now
        return begun and (self.valid_to is None or now < self.valid_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Memory):
    """One small immutable statement at a path."""

    kind: Kind = Kind.FACT
    summary: str | None = None
    pin_key: str | None = None
    dedupe_key: str | None = None
    times_applied: int = 0

    @property
    def label(self) -> Label:
        return Label.FACT


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawer(Memory):
    """Verbatim text in a room, with its source file and line range (1-based, inclusive).

    Attributes:
        section: Its place in the source file: heading path, then ordinal; empty for text without one.
        section_key: What one live drawer alone may hold (``drafts.identity_key``).
    """

    source_file: str | None = None
    section: tuple[str, ...] = ()
    line_start: int | None = None
    line_end: int | None = None
    section_key: str | None = None
    emotional_weight: float | None = None

    @property
    def label(self) -> Label:
        return Label.DRAWER


@dataclass(frozen=True, slots=True)
class PathNode:
    """A path as one caller sees it.

    Attributes:
        memories_here: Visible memories at this very path.
        memories_below: Visible memories at this path or anywhere below it.
        children: Number of visible paths one level below.
        labels: ``Path``, and ``Wing`` or ``Room`` where it is one.
    """

    path: str
    display_name: str | None
    labels: tuple[str, ...]
    memories_here: int
    memories_below: int
    children: int
    declared: bool = False
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a write.

    Attributes:
        memory: The memory as it stands now, when the caller may read it.
        reason: Why, where the action alone does not say it.
        indexed: Whether it can be found by meaning already.
    """

    action: WriteAction
    memory_id: str | None
    memory: Memory | None = None
    reason: str | None = None
    indexed: bool = False
    warnings: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a memory, resolved under the reader's predicate.

    Attributes:
        text: The label between the brackets.
        target: What it points at, as written.
        memory_id: The memory of that name, when there is one that the reader may see.
        path: The path, when the target is one that the reader may see.
    """

    text: str
    target: str
    memory_id: str | None
    path: str | None
