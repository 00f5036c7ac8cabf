"""What a caller may ask for, as values: one class for each write, and the filter of a read.

Every value here was checked at the door (``graphmem.memory.checks``); nothing here knows who asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from graphmem.memory.model import Kind, Label


@dataclass(frozen=True, slots=True)
class Unset:
    """The value of a field that the caller did not mention; ``None`` means: take it away."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET: Final = Unset()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """Store a fact. ``tags`` are the caller's own, without the owner."""

    path: str
    content: str
    kind: Kind = Kind.FACT
    title: str | None = None
    summary: str | None = None
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    language: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDrawer:
    """File verbatim text in a room.

    ``section`` names its place in ``source_file`` (heading path, then ordinal), so that a later
    import of the same file finds it again; without one the text itself is the identity. ``links`` are
    pairs of label and target and then all links there are; None finds them in the text.
    """

    path: str
    content: str
    title: str | None = None
    wing_name: str | None = None
    room_names: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] | None = None
    source_file: str | None = None
    line_start: int | None = None
    line_end: int | None = None
    section: tuple[str, ...] = ()
    importance: float | None = None
    emotional_weight: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    language: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersedeFact:
    """Replace the head ``id`` by a new text that starts fresh.

    Attributes:
        label: What the head has to be; an import supersedes its own drawers.
    """

    id: str
    content: str
    label: Label = Label.FACT
    reason: str | None = None
    expected_version: int | None = None
    kind: Kind | Unset = UNSET
    title: str | Unset | None = UNSET
    keywords: tuple[str, ...] | Unset = UNSET
    importance: float | Unset | None = UNSET
    confidence: float | Unset | None = UNSET
    valid_from: datetime | Unset | None = UNSET
    valid_to: datetime | Unset | None = UNSET
    names: tuple[str, ...] | Unset = UNSET
    line_start: int | Unset | None = UNSET
    line_end: int | Unset | None = UNSET
    section: tuple[str, ...] | Unset = UNSET
    links: tuple[tuple[str, str], ...] | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMemory:
    """Change the head ``id``: new content or validity makes a version, all else changes in place."""

    id: str
    expected_version: int | None = None
    reason: str | None = None
    content: str | Unset = UNSET
    title: str | Unset | None = UNSET
    summary: str | Unset | None = UNSET
    kind: Kind | Unset = UNSET
    keywords: tuple[str, ...] | Unset = UNSET
    names: tuple[str, ...] | Unset = UNSET
    importance: float | Unset | None = UNSET
    confidence: float | Unset | None = UNSET
    valid_from: datetime | Unset | None = UNSET
    valid_to: datetime | Unset | None = UNSET
    expires_at: datetime | Unset | None = UNSET
    path: str | Unset = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    source_file: str | Unset | None = UNSET
    line_start: int | Unset | None = UNSET
    line_end: int | Unset | None = UNSET
    section: tuple[str, ...] | Unset = UNSET
    links: tuple[tuple[str, str], ...] | Unset = UNSET
    wing_name: str | None = None
    room_names: tuple[str, ...] = ()
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetMemory:
    """Delete the chain of ``id`` softly, or erase it for good."""

    id: str
    purge: bool = False
    reason: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreMemory:
    """Bring the deleted chain of ``id`` back as a new version."""

    id: str
    reason: str | None = None
    idempotency_key: str | None = None


Command = NewFact | NewDrawer | SupersedeFact | UpdateMemory | ForgetMemory | RestoreMemory


class SearchMode(StrEnum):
    """Which channels a search asks."""

    HYBRID = "HYBRID"
    KEYWORD = "KEYWORD"
    VECTOR = "VECTOR"


class MemoryOrder(StrEnum):
    """Orders of a list; each ends with ``created_at``, then ``id``."""

    NEWEST = "NEWEST"
    OLDEST = "OLDEST"
    STRONGEST = "STRONGEST"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """What a list or a search is narrowed to; every field that is set must hold.

    Attributes:
        under: Only this path and what is below it.
        labels, kinds: Any of these; empty is all.
        keywords, tags: All of these (tags are own tags ``key=value``).
        source: This source file or source.
        created_after, created_before: Half-open span ``[after, before)`` of the version's writing.
    """

    under: str = "/"
    labels: tuple[Label, ...] = ()
    kinds: tuple[Kind, ...] = ()
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    source: str | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
