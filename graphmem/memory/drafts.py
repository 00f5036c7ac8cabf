"""New versions of memories, made from commands: no rights, no locks, nothing stored.

A draft is not live. It becomes so in ``ledger`` alone.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.memory.commands import NewDrawer, NewFact
from graphmem.memory.keys import dedupe_key, section_key
from graphmem.memory.languages import detect
from graphmem.memory.model import Drawer, Fact, Label, Memory
from graphmem.memory.paths import ancestors
from graphmem.memory.tags import own_tags, tag_keys
from graphmem.memory.text import content_hash

VERBATIM = "\0verbatim"
"""Stands for the heading path of a drawer without a place in a file; no heading can hold it."""

NO_ID = ""
"""Stands for the id of a draft that may never need one."""

_IDENTITY_FIELDS = {Label.FACT: "dedupe_key", Label.DRAWER: "section_key"}


def draft_of(command: NewFact | NewDrawer, *, subject: str, now: datetime) -> Memory:
    """The first version of a new chain that ``subject`` owns; not live yet, so it has no id."""
    match command:
        case NewFact():
            return _fact(command, subject, now)
        case NewDrawer():
            return _drawer(command, subject, now)


def identity_key(memory: Memory) -> str:
    """The key that only one live head may hold: of a fact its text, of a drawer its section.

    Owner, path, own tags and validity are part of it, so nothing is ever merged across them.
    """
    match memory:
        case Fact():
            return dedupe_key(
                memory.path,
                memory.owner,
                memory.tags,
                memory.valid_from,
                memory.valid_to,
                memory.pin_key,
                memory.content,
            )
        case Drawer():
            return _drawer_key(memory)
        case _:
            raise TypeError(f"{type(memory).__name__} has no identity key")


def with_identity(memory: Memory, key: str | None) -> Memory:
    """The memory holding ``key``, or none."""
    return replace(memory, **held_as(memory.label, key))


def held_as(label: Label, key: str | None) -> dict[str, Any]:
    """The field in which a memory of that label holds its identity key, with the key."""
    return {_IDENTITY_FIELDS[label]: key}


def held_identity(memory: Memory) -> str | None:
    """The identity key that the memory holds now; None unless it is live."""
    held: str | None = getattr(memory, _IDENTITY_FIELDS[memory.label])
    return held


def _drawer_key(drawer: Drawer) -> str:
    place = drawer.section or (VERBATIM, drawer.content_hash, "0")
    *headings, ordinal = place
    return section_key(
        drawer.owner, drawer.path, drawer.source_file or "", [*drawer.tags, *headings], int(ordinal)
    )


def _fact(command: NewFact, subject: str, now: datetime) -> Fact:
    tags = own_tags(command.tags, subject, "tags")
    return Fact(
        id=NO_ID,
        chain_id=NO_ID,
        head_key=None,
        version=1,
        path=command.path,
        ancestors=ancestors(command.path),
        tags=tags,
        tag_keys=tag_keys(tags),
        owner=subject,
        author=subject,
        title=command.title,
        content=command.content,
        content_hash=content_hash(command.content),
        language=command.language or detect(command.content),
        live=False,
        created_at=now,
        valid_from=command.valid_from,
        valid_to=command.valid_to,
        expires_at=command.expires_at,
        sources=command.sources,
        names=command.names,
        keywords=command.keywords,
        importance=command.importance,
        confidence=command.confidence,
        kind=command.kind,
        summary=command.summary,
    )


def _drawer(command: NewDrawer, subject: str, now: datetime) -> Drawer:
    tags = own_tags(command.tags, subject, "tags")
    return Drawer(
        id=NO_ID,
        chain_id=NO_ID,
        head_key=None,
        version=1,
        path=command.path,
        ancestors=ancestors(command.path),
        tags=tags,
        tag_keys=tag_keys(tags),
        owner=subject,
        author=subject,
        title=command.title,
        content=command.content,
        content_hash=content_hash(command.content),
        language=command.language or detect(command.content),
        live=False,
        created_at=now,
        valid_from=command.valid_from,
        valid_to=command.valid_to,
        expires_at=command.expires_at,
        names=command.names,
        keywords=command.keywords,
        importance=command.importance,
        source_file=command.source_file,
        line_start=command.line_start,
        line_end=command.line_end,
        section=command.section,
        emotional_weight=command.emotional_weight,
    )
