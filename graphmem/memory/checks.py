"""The door: raw values of a caller in, commands out, or one refusal that names the field.

Fields are named as GraphQL names them (``validFrom``). Every edge (GraphQL, imports, command line) builds its
commands here, so that all of them refuse the same things in the same words. Nothing here knows what is
stored: whether an id exists or a version is stale is the ledger's to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graphmem.errors import InvalidInput
from graphmem.memory.commands import (
    MemoryFilter,
    NewDrawer,
    NewFact,
)
from graphmem.memory.fields import (
    checked_idempotency_key,
    checked_language,
    checked_lines,
    checked_names,
    checked_place,
    checked_source,
    checked_sources,
    checked_span,
    checked_summary,
    checked_tags,
    checked_time,
    checked_title,
    checked_unit,
)
from graphmem.memory.keywords import checked_keywords
from graphmem.memory.model import Kind, Label
from graphmem.memory.paths import ROOT, normalise_path
from graphmem.memory.rooms import room_path
from graphmem.memory.tags import parse_tag
from graphmem.memory.text import checked_text


class TextLimits(Protocol):
    """How long contents may be, in characters; settings may change both."""

    @property
    def fact_characters(self) -> int: ...
    @property
    def drawer_characters(self) -> int: ...


def checked_fact(
    limits: TextLimits,
    *,
    path: str,
    content: str,
    kind: Kind | None = None,
    title: str | None = None,
    summary: str | None = None,
    tags: Sequence[str] | None = None,
    keywords: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
    importance: float | None = None,
    confidence: float | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    expires_at: datetime | None = None,
    language: str | None = None,
    idempotency_key: str | None = None,
) -> NewFact:
    """The command that stores this fact.

    Raises:
        InvalidInput: A value is refused; names the field.
    """
    begin, end = checked_span(valid_from, valid_to)
    return NewFact(
        path=checked_place(path, "path"),
        content=checked_text(content, "content", limits.fact_characters),
        kind=kind or Kind.FACT,
        title=checked_title(title),
        summary=checked_summary(summary),
        tags=checked_tags(tags or (), "tags"),
        keywords=checked_keywords(keywords or (), "keywords"),
        names=checked_names(names or ()),
        sources=checked_sources(sources or ()),
        importance=checked_unit(importance, "importance"),
        confidence=checked_unit(confidence, "confidence"),
        valid_from=begin,
        valid_to=end,
        expires_at=checked_time(expires_at, "expiresAt"),
        language=checked_language(language),
        idempotency_key=checked_idempotency_key(idempotency_key),
    )


def checked_drawer(
    limits: TextLimits,
    *,
    wing: str,
    room: str,
    content: str,
    title: str | None = None,
    source_file: str | None = None,
    line_start: int | None = None,
    line_end: int | None = None,
    tags: Sequence[str] | None = None,
    keywords: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    importance: float | None = None,
    emotional_weight: float | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    expires_at: datetime | None = None,
    language: str | None = None,
    idempotency_key: str | None = None,
) -> NewDrawer:
    """The command that files this text; a ``/`` inside ``room`` goes down into inner rooms.

    Raises:
        InvalidInput: A value is refused; names the field.
    """
    begin, end = checked_span(valid_from, valid_to)
    first_line, last_line = checked_lines(line_start, line_end)
    return NewDrawer(
        path=room_path(wing, room),
        content=checked_text(content, "content", limits.drawer_characters),
        title=checked_title(title),
        wing_name=wing.strip(),
        room_names=tuple(part.strip() for part in room.strip().strip(ROOT).split(ROOT)),
        tags=checked_tags(tags or (), "tags"),
        keywords=checked_keywords(keywords or (), "keywords"),
        names=checked_names(names or ()),
        source_file=checked_source(source_file, "sourceFile"),
        line_start=first_line,
        line_end=last_line,
        importance=checked_unit(importance, "importance"),
        emotional_weight=checked_unit(emotional_weight, "emotionalWeight"),
        valid_from=begin,
        valid_to=end,
        expires_at=checked_time(expires_at, "expiresAt"),
        language=checked_language(language),
        idempotency_key=checked_idempotency_key(idempotency_key),
    )


def checked_filter(
    *,
    under: str | None = None,
    labels: Sequence[Label] | None = None,
    kinds: Sequence[Kind] | None = None,
    keywords: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    source: str | None = None,
    created_after: datetime | None = None,
    created_before: datetime | None = None,
) -> MemoryFilter:
    """The filter of a list or a search; what is None narrows nothing.

    Raises:
        InvalidInput: A value is refused; names the field inside ``filter``.
    """
    try:
        return MemoryFilter(
            under=normalise_path(under, "under") if under is not None else ROOT,
            labels=tuple(dict.fromkeys(labels or ())),
            kinds=tuple(dict.fromkeys(kinds or ())),
            keywords=checked_keywords(keywords or (), "keywords"),
            tags=tuple(dict.fromkeys(str(parse_tag(text, "tags")) for text in tags or ())),
            source=checked_source(source, "source"),
            created_after=checked_time(created_after, "createdAfter"),
            created_before=checked_time(created_before, "createdBefore"),
        )
    except InvalidInput as error:
        raise error.inside("filter") from None
