"""What an export is made of: one record a line.

Values only; ``documents`` makes lines of them and ``reading`` reads those.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graphmem.memory.model import Memory
from graphmem.memory.writes import LinkRow

FORMAT = 1
"""Version of the lines; a store reads its own and every earlier one."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line."""

    format: int


@dataclass(frozen=True, slots=True)
class PathRecord:
    """A path that has a display name or was declared.

    Attributes:
        tags: Tags that were put on the path, sorted.
    """

    path: str
    declared: bool
    display_name: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Supersedes:
    """The version that another one took the place of, when that one was written."""

    id: str
    actor: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One version of a memory with what hangs on it."""

    memory: Memory
    links: tuple[LinkRow, ...] = ()
    supersedes: Supersedes | None = None


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """Who did what to which version."""

    id: str
    at: datetime
    actor: str
    action: str
    memory_id: str
    chain_id: str
    version: int
    fields: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TombstoneRecord:
    """A version that was erased for good."""

    memory_id: str
    chain_id: str
    purged_at: datetime
    actor: str


Record = Header | PathRecord | MemoryRecord | AuditRecord | TombstoneRecord
"""Sorted by kind as listed, then by path or id."""
