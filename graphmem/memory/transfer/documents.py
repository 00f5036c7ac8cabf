"""Records as JSON documents and lines: equal records give equal bytes.

Left out is what can be derived (hashes, ancestors, keys, terms) and what tells of an index, so that a store
that was filled from an export exports the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from enum import Enum

from graphmem.memory.model import Memory
from graphmem.memory.transfer.records import (
    AuditRecord,
    Header,
    MemoryRecord,
    PathRecord,
    Record,
    TombstoneRecord,
)

DERIVED = frozenset(
    {"ancestors", "tag_keys", "content_hash", "head_key", "indexed_revision", "dedupe_key", "section_key"}
)
"""Fields of a memory that a line does not hold; ``head`` says whether it had a head key."""


def document_of(record: Record) -> dict[str, object]:
    """The record as JSON values; what is None or empty is left out."""
    match record:
        case Header(format):
            return {"type": "graphmem", "format": format}
        case PathRecord():
            return _filled({"type": "path", **_fields(record)})
        case MemoryRecord(memory, links, supersedes):
            return _filled(
                {
                    "type": "memory",
                    "label": memory.label.value,
                    "head": memory.head_key is not None,
                    **_memory_fields(memory),
                    "links": [[link.text, link.target] for link in links],
                    "supersedes": _filled(_fields(supersedes)) if supersedes else None,
                }
            )
        case AuditRecord():
            return _filled({"type": "audit", **_fields(record)})
        case TombstoneRecord():
            return _filled({"type": "tombstone", **_fields(record)})


def line_of(document: Mapping[str, object]) -> str:
    """The document as one line, with its line end; keys sorted, no spaces, in UTF-8 when it is sent."""
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def _memory_fields(memory: Memory) -> dict[str, object]:
    names = (found.name for found in fields(memory))
    return {name: _plain(getattr(memory, name)) for name in names if name not in DERIVED}


def _fields(record: object) -> dict[str, object]:
    names = (found.name for found in fields(record))  # type: ignore[arg-type]
    return {name: _plain(getattr(record, name)) for name in names}


def _filled(document: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in document.items() if value is not None and value != []}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return value
