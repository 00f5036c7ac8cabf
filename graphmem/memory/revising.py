"""What the next version of a memory looks like: superseded, updated, moved, or merged into a twin.

Values in, values out; whether it may happen, and that it becomes live, is decided in ``ledger``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime

from graphmem.memory.commands import Command, RestoreMemory, SupersedeFact, Unset, UpdateMemory
from graphmem.memory.drafts import identity_key
from graphmem.memory.keywords import joined_keywords
from graphmem.memory.languages import detect
from graphmem.memory.links import find_links
from graphmem.memory.model import Fact, Memory
from graphmem.memory.paths import ancestors
from graphmem.memory.tags import own_tags, tag_keys
from graphmem.memory.text import content_hash
from graphmem.memory.writes import LinkRow

VERSIONED = frozenset({"content", "title", "valid_from", "valid_to"})
"""Fields whose change makes a version: what was said, and when it was true."""

SHOWN_BY_AN_INDEX = frozenset({"kind", "keywords", "names", "sources", "source_file", "expires_at"})
"""Fields that change in place and stand in an index as well: they raise the revision."""

_NOT_FIELDS = frozenset({"id", "expected_version", "reason", "path", "tags", "links", "idempotency_key"})


def successor(head: Memory, command: SupersedeFact, *, id: str, author: str, now: datetime) -> Memory | None:
    """The version that supersedes ``head`` and starts fresh; None when nothing would differ.

    What describes the memory (title, kind, keywords, importance, names) stays unless it is given anew; what
    it has lived through (hits, recalls, stability) does not (rule 5).
    """
    given = _given(head, command)
    if not _differing(head, given):
        return None
    draft = _next_version(head, given, id=id, author=author, now=now)
    fresh: dict[str, object] = {
        "hits": 0,
        "last_used_at": None,
        "recall_count": 0,
        "last_recall_at": None,
        "stability_days": 1.0,
    }
    if isinstance(draft, Fact):
        fresh["times_applied"] = 0
    return _with(draft, fresh)


def revised(head: Memory, command: UpdateMemory, *, id: str, author: str, now: datetime) -> Memory | None:
    """The head as the update wants it, place and own tags apart; None when nothing would differ.

    With a new id when a version is due: it carries hits, pin, keywords and stability on (rule 5). With the
    head's own id when the fields change in place.
    """
    given = _given(head, command)
    differing = _differing(head, given)
    if not differing:
        return head if isinstance(command.links, tuple) else None
    if differing & VERSIONED:
        return _next_version(head, given, id=id, author=author, now=now)
    revision = head.revision + (1 if differing & SHOWN_BY_AN_INDEX else 0)
    return _with(head, {**given, "revision": revision})


def moved(head: Memory, command: UpdateMemory) -> Memory | None:
    """The head at the path and with the own tags that the update names; None when neither differs."""
    path = head.path if isinstance(command.path, Unset) else command.path
    tags = head.tags if isinstance(command.tags, Unset) else own_tags(command.tags, head.owner, "tags")
    if (path, tags) == (head.path, head.tags):
        return None
    return placed(head, path, tags)


def placed(memory: Memory, path: str, tags: tuple[str, ...]) -> Memory:
    """The memory at another path with other own tags; all that rules read follows."""
    return replace(memory, path=path, ancestors=ancestors(path), tags=tags, tag_keys=tag_keys(tags))


def merged(twin: Memory, draft: Memory, *, now: datetime) -> Memory:
    """The twin with what the draft adds: the stronger kind, one hit, keywords and sources joined.

    A drawer is verbatim and is never changed by being filed again.
    """
    if not (isinstance(twin, Fact) and isinstance(draft, Fact)):
        return twin
    return replace(
        twin,
        kind=max(twin.kind, draft.kind, key=lambda kind: kind.weight),
        hits=twin.hits + 1,
        last_used_at=now,
        keywords=joined_keywords(twin.keywords, draft.keywords),
        sources=tuple(dict.fromkeys((*twin.sources, *draft.sources))),
    )


def links_of(content: str, given: Iterable[tuple[str, str]] | None) -> tuple[LinkRow, ...]:
    """The links as given, else those in the text; in order, each target once."""
    pairs = ((link.text, link.target) for link in find_links(content)) if given is None else given
    found: dict[str, LinkRow] = {}
    for text, target in pairs:
        found.setdefault(target, LinkRow(text, target))
    return tuple(found.values())


def changed_fields(before: Memory, after: Memory) -> tuple[str, ...]:
    """The names of the fields in which two versions differ, in the order of the model."""
    return tuple(
        found.name for found in fields(after) if getattr(before, found.name) != getattr(after, found.name)
    )


def wanted_keys(command: Command, head: Memory) -> tuple[str, ...]:
    """The identity keys that a command may need besides the one that ``head`` holds."""
    match command:
        case RestoreMemory():
            return (identity_key(head),)
        case SupersedeFact():
            draft = successor(head, command, id="", author=head.author, now=head.created_at)
            return () if draft is None else (identity_key(draft),)
        case UpdateMemory():
            place = moved(head, command) or head
            change = revised(place, command, id="", author=head.author, now=head.created_at) or place
            return tuple(dict.fromkeys((identity_key(place), identity_key(change))))
        case _:
            return ()


def _given(head: Memory, command: SupersedeFact | UpdateMemory) -> dict[str, object]:
    """The fields that the command sets and that this memory has."""
    known = {found.name for found in fields(head)}
    values = {found.name: getattr(command, found.name) for found in fields(command)}
    return {
        name: value
        for name, value in values.items()
        if name in known and name not in _NOT_FIELDS and not isinstance(value, Unset)
    }


def _differing(head: Memory, given: Mapping[str, object]) -> set[str]:
    return {name for name, value in given.items() if getattr(head, name) != value}


def _next_version(
    head: Memory, given: Mapping[str, object], *, id: str, author: str, now: datetime
) -> Memory:
    content = given.get("content", head.content)
    assert isinstance(content, str)
    return _with(
        head,
        {
            **given,
            "id": id,
            "version": head.version + 1,
            "revision": 1,
            "indexed_revision": 0,
            "content_hash": content_hash(content),
            "language": head.language if content == head.content else detect(content, head.language),
            "author": author,
            "created_at": now,
            "live": False,
            "known_from": None,
            "known_to": None,
        },
    )


def _with(memory: Memory, changes: Mapping[str, object]) -> Memory:
    """``replace`` for fields whose names are only known at run time."""
    return replace(memory, **changes)  # type: ignore[arg-type]
