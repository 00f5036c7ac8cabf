"""Lines of an export as records, or one refusal that names the field.

A line is believed in what it says of the past (ids, owners, times, chains) and in nothing that rules read:
ancestors, tag keys, hashes and identity keys are derived anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from graphmem.errors import InvalidInput, shown
from graphmem.memory.fields import checked_id
from graphmem.memory.model import Drawer, Fact, Label, Memory
from graphmem.memory.paths import ancestors
from graphmem.memory.tags import tag_keys
from graphmem.memory.text import content_hash
from graphmem.memory.transfer.checking import check_memory, check_path, check_path_tags, check_texts
from graphmem.memory.transfer.documents import DERIVED
from graphmem.memory.transfer.records import (
    FORMAT,
    AuditRecord,
    Header,
    MemoryRecord,
    PathRecord,
    Record,
    Supersedes,
    TombstoneRecord,
)
from graphmem.memory.writes import LinkRow

LINE_BYTES = 8 * 1024 * 1024
"""Of one line: the longest content that any store holds, four bytes a character, and as much again."""

_MEMORIES: Mapping[str, type[Memory]] = {Label.FACT: Fact, Label.DRAWER: Drawer}


def read_line(line: bytes) -> Record:
    """The record of one line.

    Raises:
        InvalidInput: It is no JSON object of a known type, or a field is missing, unknown or impossible.
    """
    if len(line) > LINE_BYTES:
        raise InvalidInput("line", f"has {len(line)} bytes, the limit is {LINE_BYTES}", limit=LINE_BYTES)
    document = _object(line)
    type_ = document.pop("type", None)
    match type_:
        case "graphmem":
            return _header(document)
        case "path":
            return _path(document)
        case "memory":
            return _memory(document)
        case "audit":
            return _audit(document)
        case "tombstone":
            return _tombstone(document)
        case _:
            raise InvalidInput("type", f"is {shown(type_)}, which is no kind of line")


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise InvalidInput("line", f"is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise InvalidInput("line", f"is not JSON at character {error.pos}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise InvalidInput("line", "is JSON that is nested too deeply or holds too long a number") from None
    if not isinstance(found, dict):
        raise InvalidInput("line", "is not a JSON object")
    return found


def _header(document: dict[str, Any]) -> Header:
    header = Header(**_typed(Header, document))
    if not 1 <= header.format <= FORMAT:
        raise InvalidInput("format", f"is {header.format}; this version reads up to {FORMAT}, so update it")
    return header


def _path(document: dict[str, Any]) -> PathRecord:
    values = _typed(PathRecord, document)
    check_texts(values)
    record = PathRecord(**values)
    check_path(record.path)
    check_path_tags(record.tags)
    return record


def _memory(document: dict[str, Any]) -> MemoryRecord:
    label, head = document.pop("label", None), document.pop("head", None)
    kind = _MEMORIES.get(label) if isinstance(label, str) else None
    if kind is None:
        raise InvalidInput("label", f"is {shown(label)}; it is one of {', '.join(_MEMORIES)}")
    if not isinstance(head, bool):
        raise InvalidInput("head", "is true or false")
    links, supersedes = document.pop("links", []), document.pop("supersedes", None)
    values = _typed(kind, document)
    check_memory(values, head=head)
    memory = kind(
        **values,
        ancestors=ancestors(values["path"]),
        tag_keys=tag_keys(values["tags"]),
        content_hash=content_hash(values["content"]),
        head_key=values["chain_id"] if head else None,
    )
    return MemoryRecord(memory, _links(links), _supersedes(supersedes, memory))


def _links(given: object) -> tuple[LinkRow, ...]:
    found: list[LinkRow] = []
    for pair in given if isinstance(given, list) else [None]:
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair)):
            raise InvalidInput("links", "are pairs of label and target")
        check_texts({"links": tuple(pair)})
        found.append(LinkRow(*pair))
    return tuple(found)


def _supersedes(given: object, memory: Memory) -> Supersedes | None:
    if (given is None) != (memory.version == 1):
        raise InvalidInput("supersedes", "is there for every version but the first")
    if given is None:
        return None
    if not isinstance(given, dict):
        raise InvalidInput("supersedes", "is an object with id and actor")
    try:
        values = _typed(Supersedes, given)
        check_texts(values)
    except InvalidInput as error:
        raise error.inside("supersedes") from None
    checked_id(values["id"], "supersedes.id")
    return Supersedes(**values)


def _audit(document: dict[str, Any]) -> AuditRecord:
    values = _typed(AuditRecord, document)
    check_texts(values)
    record = AuditRecord(**values)
    checked_id(record.id, "id")
    checked_id(record.memory_id, "memory_id")
    checked_id(record.chain_id, "chain_id")
    return record


def _tombstone(document: dict[str, Any]) -> TombstoneRecord:
    values = _typed(TombstoneRecord, document)
    check_texts(values)
    record = TombstoneRecord(**values)
    checked_id(record.memory_id, "memory_id")
    checked_id(record.chain_id, "chain_id")
    return record


def _typed(kind: type, document: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the document, each of the type that ``kind`` gives it; instants in UTC."""
    try:
        shape = _shape(kind).model_validate_json(json.dumps(document))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"])) or "line"
        raise InvalidInput(field, f"cannot be read: {first['msg']}") from None
    found = {name: getattr(shape, name) for name in shape.model_fields_set}
    for name, value in found.items():
        if isinstance(value, datetime):
            if value.tzinfo is None:
                raise InvalidInput(name, f"{shown(value.isoformat())} has no time zone")
            found[name] = value.astimezone(UTC)
    return found


@cache
def _shape(kind: type) -> type[BaseModel]:
    """A model with the fields that a line of ``kind`` holds; nothing else may stand there."""
    hints = get_type_hints(kind)
    wanted: dict[str, Any] = {
        found.name: (hints[found.name], ... if found.default is MISSING else found.default)
        for found in fields(kind)
        if found.name not in DERIVED
    }
    config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    return create_model(kind.__name__, __config__=config, **wanted)
