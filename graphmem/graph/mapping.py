"""Memories as the properties of their nodes, and back.

The one place that knows which Neo4j type holds which field. What only an index needs (``search_terms``,
``search_scope``) is derived here at writing and never read back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from enum import Enum
from operator import attrgetter
from typing import Any

from graphmem.access.lucene import scope_tokens
from graphmem.memory.model import Drawer, Fact, Kind, Label, Memory, Status
from graphmem.memory.terms import search_terms

_CLASSES: Mapping[str, type[Memory]] = {Label.FACT: Fact, Label.DRAWER: Drawer}
_FIELDS = {label: tuple(found.name for found in fields(kind)) for label, kind in _CLASSES.items()}
_VALUES = {label: attrgetter(*names) for label, names in _FIELDS.items()}
_PLAIN = frozenset({str, int, float, bool, datetime})
_TUPLES = frozenset({"ancestors", "tags", "tag_keys", "sources", "names", "keywords", "section"})
_TERM_FIELDS = ("content", "title", "names", "keywords", "language")


def properties_of(memory: Memory) -> dict[str, object]:
    """All properties of the node of a version, without those that are empty."""
    names, values = _FIELDS[memory.label], _VALUES[memory.label](memory)
    found: dict[str, object] = {
        name: value if type(value) in _PLAIN else _stored(value)
        for name, value in zip(names, values, strict=True)
        if value is not None
    }
    return found | {"search_terms": terms_of(memory), "search_scope": scope_of(memory)}


def changes_of(before: Memory, after: Memory) -> dict[str, object]:
    """The properties that differ, None for one that goes; empty when nothing does."""
    names = [name for name in _FIELDS[after.label] if getattr(before, name) != getattr(after, name)]
    found = {name: _stored(getattr(after, name)) for name in names}
    if not found:
        return {}
    if any(name in found for name in _TERM_FIELDS):
        found["search_terms"] = terms_of(after)
    return found | {"search_scope": scope_of(after)}


def memory_from(properties: Mapping[str, Any], label: str) -> Memory:
    """The version that a node's properties hold; fields that the node lacks have their default."""
    kind = _CLASSES[label]
    values = {name: properties[name] for name in _FIELDS[label] if properties.get(name) is not None}
    for name in _TUPLES & values.keys():
        values[name] = tuple(values[name])
    values.setdefault("head_key", None)
    values["status"] = Status(values["status"])
    if "kind" in values:
        values["kind"] = Kind(values["kind"])
    return kind(**values)


def terms_of(memory: Memory) -> str:
    """The tokens of the keyword index, separated by spaces: of text, title, names and keywords.

    A title counts beside a text that begins with it: that is worth a point of recall on articles.
    """
    texts = dict.fromkeys((memory.content, memory.title or "", *memory.names, *memory.keywords))
    return " ".join(term for text in texts if text for term in search_terms(text, memory.language))


def scope_of(memory: Memory) -> list[str]:
    """The tokens by which rules and filters work inside the keyword index."""
    return scope_tokens(
        path=memory.path,
        ancestors=memory.ancestors,
        tags=memory.tags,
        tag_keys=memory.tag_keys,
        label=memory.label,
        kind=memory.kind if isinstance(memory, Fact) else None,
        keywords=memory.keywords,
        sources=sources_of(memory),
        session=memory.session_key,
        live=memory.live,
    )


def sources_of(memory: Memory) -> tuple[str, ...]:
    """Where a memory comes from: its sources, and of a drawer the source file."""
    file = memory.source_file if isinstance(memory, Drawer) else None
    return (*memory.sources, file) if file else memory.sources


def payload_of(memory: Memory) -> dict[str, object]:
    """What a vector carries so that rules and filters work inside the vector index.

    Times are RFC 3339 texts in UTC.
    """
    segments = memory.path.split("/")
    in_palace = memory.path.startswith("/palace/")
    values = {
        "path": memory.path,
        "ancestors": list(memory.ancestors),
        "tags": list(memory.tags),
        "tag_keys": list(memory.tag_keys),
        "live": memory.live,
        "label": str(memory.label),
        "kind": str(memory.kind) if isinstance(memory, Fact) else None,
        "keywords": list(memory.keywords),
        "source": list(sources_of(memory)),
        "session_key": memory.session_key,
        "wing": "/".join(segments[:3]) if in_palace else None,
        "room": memory.path if in_palace and len(segments) > 3 else None,
        "created_at": memory.created_at.isoformat(),
        "valid_from": None if memory.valid_from is None else memory.valid_from.isoformat(),
        "valid_to": None if memory.valid_to is None else memory.valid_to.isoformat(),
    }
    return {name: value for name, value in values.items() if value is not None}


def _stored(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return value.value if isinstance(value, Enum) else value
