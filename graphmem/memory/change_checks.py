"""The door for changes: raw values of a caller in, commands on a memory that exists out.

The other half of ``checks``. ``UNSET`` is a field that the caller left out, None one that is taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from graphmem.errors import InvalidInput
from graphmem.memory.checks import TextLimits
from graphmem.memory.commands import UNSET, ForgetMemory, RestoreMemory, SupersedeFact, Unset, UpdateMemory
from graphmem.memory.fields import (
    checked_id,
    checked_idempotency_key,
    checked_names,
    checked_place,
    checked_reason,
    checked_span,
    checked_summary,
    checked_tags,
    checked_time,
    checked_title,
    checked_unit,
    checked_version,
)
from graphmem.memory.keywords import checked_keywords
from graphmem.memory.model import Kind
from graphmem.memory.text import checked_text

Given = TypeVar("Given")
Checked = TypeVar("Checked")


def checked_supersede(
    limits: TextLimits,
    *,
    id: str,
    content: str,
    reason: str | None = None,
    expected_version: int | None = None,
    kind: Kind | Unset | None = UNSET,
    title: str | Unset | None = UNSET,
    keywords: Sequence[str] | Unset | None = UNSET,
    importance: float | Unset | None = UNSET,
    confidence: float | Unset | None = UNSET,
    valid_from: datetime | Unset | None = UNSET,
    valid_to: datetime | Unset | None = UNSET,
    idempotency_key: str | None = None,
) -> SupersedeFact:
    """The command that replaces a fact by a new text.

    Raises:
        InvalidInput: A value is refused; names the field.
    """
    begin, end = _changed_span(valid_from, valid_to)
    return SupersedeFact(
        id=checked_id(id, "id"),
        content=checked_text(content, "content", limits.fact_characters),
        reason=checked_reason(reason),
        expected_version=checked_version(expected_version),
        kind=_given(kind, lambda value: _required(value, "kind")),
        title=_given(title, checked_title),
        keywords=_given(keywords, lambda words: checked_keywords(words or (), "keywords")),
        importance=_given(importance, lambda value: checked_unit(value, "importance")),
        confidence=_given(confidence, lambda value: checked_unit(value, "confidence")),
        valid_from=begin,
        valid_to=end,
        idempotency_key=checked_idempotency_key(idempotency_key),
    )


def checked_update(
    limits: TextLimits,
    *,
    id: str,
    expected_version: int | None = None,
    reason: str | None = None,
    content: str | Unset | None = UNSET,
    title: str | Unset | None = UNSET,
    summary: str | Unset | None = UNSET,
    kind: Kind | Unset | None = UNSET,
    keywords: Sequence[str] | Unset | None = UNSET,
    names: Sequence[str] | Unset | None = UNSET,
    importance: float | Unset | None = UNSET,
    confidence: float | Unset | None = UNSET,
    valid_from: datetime | Unset | None = UNSET,
    valid_to: datetime | Unset | None = UNSET,
    expires_at: datetime | Unset | None = UNSET,
    path: str | Unset | None = UNSET,
    tags: Sequence[str] | Unset | None = UNSET,
    idempotency_key: str | None = None,
) -> UpdateMemory:
    """The command that changes a memory; what is not mentioned stays, None takes away.

    What the id names is not known here, so content may have the length of a drawer; the ledger knows better.

    Raises:
        InvalidInput: A value is refused, or something that cannot be taken away is None; names the field.
    """
    longest = max(limits.fact_characters, limits.drawer_characters)
    begin, end = _changed_span(valid_from, valid_to)
    return UpdateMemory(
        id=checked_id(id, "id"),
        expected_version=checked_version(expected_version),
        reason=checked_reason(reason),
        content=_given(content, lambda text: checked_text(_required(text, "content"), "content", longest)),
        title=_given(title, checked_title),
        summary=_given(summary, checked_summary),
        kind=_given(kind, lambda value: _required(value, "kind")),
        keywords=_given(keywords, lambda words: checked_keywords(words or (), "keywords")),
        names=_given(names, lambda words: checked_names(words or ())),
        importance=_given(importance, lambda value: checked_unit(value, "importance")),
        confidence=_given(confidence, lambda value: checked_unit(value, "confidence")),
        valid_from=begin,
        valid_to=end,
        expires_at=_given(expires_at, lambda time: checked_time(time, "expiresAt")),
        path=_given(path, lambda text: checked_place(_required(text, "path"), "path")),
        tags=_given(tags, lambda texts: checked_tags(texts or (), "tags")),
        idempotency_key=checked_idempotency_key(idempotency_key),
    )


def checked_forget(
    *, id: str, purge: bool = False, reason: str | None = None, idempotency_key: str | None = None
) -> ForgetMemory:
    """The command that deletes a memory, or with ``purge`` erases it.

    Raises:
        InvalidInput: A value is refused; names the field.
    """
    return ForgetMemory(
        id=checked_id(id, "id"),
        purge=purge,
        reason=checked_reason(reason),
        idempotency_key=checked_idempotency_key(idempotency_key),
    )


def checked_restore(
    *, id: str, reason: str | None = None, idempotency_key: str | None = None
) -> RestoreMemory:
    """The command that brings a deleted memory back.

    Raises:
        InvalidInput: A value is refused; names the field.
    """
    return RestoreMemory(
        id=checked_id(id, "id"),
        reason=checked_reason(reason),
        idempotency_key=checked_idempotency_key(idempotency_key),
    )


def _changed_span(
    valid_from: datetime | Unset | None, valid_to: datetime | Unset | None
) -> tuple[datetime | Unset | None, datetime | Unset | None]:
    """Both ends as given; their order is checked when both are there."""
    if isinstance(valid_from, Unset) or isinstance(valid_to, Unset):
        return (
            _given(valid_from, lambda time: checked_time(time, "validFrom")),
            _given(valid_to, lambda time: checked_time(time, "validTo")),
        )
    return checked_span(valid_from, valid_to)


def _given(value: Given | Unset, check: Callable[[Given], Checked]) -> Checked | Unset:
    """The checked value, or ``UNSET`` where the caller did not mention the field."""
    return UNSET if isinstance(value, Unset) else check(value)


def _required(value: Given | None, field: str) -> Given:
    """The value.

    Raises:
        InvalidInput: It is None, and the field cannot be taken away.
    """
    if value is None:
        raise InvalidInput(field, "cannot be taken away; leave it out to keep it")
    return value
