"""Checks of single fields, each giving the value as it is stored or refusing it by name.

Only what the modules of paths, rooms, tags, keywords and text do not check themselves. Whole commands are put
together in ``checks``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from graphmem.errors import InvalidInput, shown
from graphmem.memory.limits import (
    IDEMPOTENCY_KEY_CHARACTERS,
    KEYWORDS,
    PATH_CHARACTERS,
    SUMMARY_CHARACTERS,
    TITLE_CHARACTERS,
)
from graphmem.memory.paths import ROOT, normalise_path
from graphmem.memory.tags import OWNER, own_tags
from graphmem.memory.text import checked_text

REASON_CHARACTERS = 500
"""Of the reason that a caller gives for a write."""

SOURCES = 20
"""Sources of one fact."""

SEED_SOURCE = "graphmem:seed"
"""Source of the facts that a new store holds about itself. An export leaves the untouched ones out, so
nobody else may give it."""

LAST_LINE = 2**31 - 1
"""The largest line number; what a GraphQL ``Int`` can hold."""

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_LANGUAGE = re.compile(r"[a-z]{2}")


def checked_id(text: str, field: str) -> str:
    """The id of a memory.

    Raises:
        InvalidInput: It does not have the form of one.
    """
    if not _ID.fullmatch(text):
        raise InvalidInput(
            field, f"{shown(text)} is not the id of a memory (a UUID version 7, small letters)"
        )
    return text


def checked_place(path: str, field: str) -> str:
    """The normal path at which a memory may stand: any but the root.

    Raises:
        InvalidInput: It is no path, or the root.
    """
    place = normalise_path(path, field)
    if place == ROOT:
        raise InvalidInput(field, "is the root, which holds no memories; name a path below it")
    return place


def checked_tags(texts: Iterable[str], field: str) -> tuple[str, ...]:
    """The caller's own tags in their normal form, sorted; without the owner, which is added when stored.

    Raises:
        InvalidInput: As for ``own_tags``.
    """
    return tuple(tag for tag in own_tags(texts, OWNER, field) if not tag.startswith(f"{OWNER}="))


def checked_title(text: str | None) -> str | None:
    """The title, or None.

    Raises:
        InvalidInput: It is empty, too long or not text.
    """
    return _optional_text(text, "title", TITLE_CHARACTERS)


def checked_summary(text: str | None) -> str | None:
    """The summary, or None.

    Raises:
        InvalidInput: It is empty, too long or not text.
    """
    return _optional_text(text, "summary", SUMMARY_CHARACTERS)


def checked_reason(text: str | None) -> str | None:
    """The reason of a write, or None.

    Raises:
        InvalidInput: It is empty, too long or not text.
    """
    return _optional_text(text, "reason", REASON_CHARACTERS)


def checked_source(text: str | None, field: str) -> str | None:
    """A source file or another source, or None.

    Raises:
        InvalidInput: It is empty, too long or not text.
    """
    return _optional_text(text, field, PATH_CHARACTERS)


def checked_idempotency_key(text: str | None) -> str | None:
    """The key that makes a retry safe, or None.

    Raises:
        InvalidInput: It is empty, too long or not text.
    """
    return _optional_text(text, "idempotencyKey", IDEMPOTENCY_KEY_CHARACTERS)


def checked_names(texts: Iterable[str]) -> tuple[str, ...]:
    """The aliases in the order given, each once.

    Raises:
        InvalidInput: One is empty, too long or not text, or there are too many.
    """
    return _texts(texts, "names", TITLE_CHARACTERS, KEYWORDS)


def checked_sources(texts: Iterable[str]) -> tuple[str, ...]:
    """The sources in the order given, each once.

    Raises:
        InvalidInput: One is empty, too long, not text or ``SEED_SOURCE``, or there are too many.
    """
    found = _texts(texts, "sources", PATH_CHARACTERS, SOURCES)
    if SEED_SOURCE in found:
        raise InvalidInput("sources", f"hold {shown(SEED_SOURCE)}, which a new store alone writes")
    return found


def checked_unit(value: float | None, field: str) -> float | None:
    """A number from 0 to 1, or None.

    Raises:
        InvalidInput: It lies outside.
    """
    if value is not None and not 0 <= value <= 1:
        raise InvalidInput(field, f"is {value}; it lies between 0 and 1", limit=1)
    return value


def checked_time(time: datetime | None, field: str) -> datetime | None:
    """The instant in UTC, or None.

    Raises:
        InvalidInput: It has no time zone.
    """
    if time is None:
        return None
    if time.tzinfo is None:
        raise InvalidInput(field, f"{shown(time.isoformat())} has no time zone; end it with Z or an offset")
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"{shown(time.isoformat())} lies outside the years 1 to 9999") from None


def checked_span(
    valid_from: datetime | None, valid_to: datetime | None
) -> tuple[datetime | None, datetime | None]:
    """When something is true, half open: from the first instant, up to and without the second.

    Raises:
        InvalidInput: A time has no zone, or the span is empty.
    """
    begin, end = checked_time(valid_from, "validFrom"), checked_time(valid_to, "validTo")
    if begin is not None and end is not None and end <= begin:
        raise InvalidInput("validTo", f"{shown(end.isoformat())} is not after validFrom")
    return begin, end


def checked_lines(start: int | None, end: int | None) -> tuple[int | None, int | None]:
    """The range of lines in a source file, 1-based and inclusive.

    Raises:
        InvalidInput: The range starts below 1, ends before it starts, or has an end alone.
    """
    if start is None:
        if end is not None:
            raise InvalidInput("lineEnd", "is given without lineStart")
        return None, None
    if not 1 <= start <= LAST_LINE:
        raise InvalidInput("lineStart", f"is {start}; lines count from 1", limit=1)
    if end is not None and not start <= end <= LAST_LINE:
        raise InvalidInput("lineEnd", f"is {end}, before lineStart {start}", limit=start)
    return start, end


def checked_version(version: int | None) -> int | None:
    """The version that the caller expects, or None.

    Raises:
        InvalidInput: It is below 1.
    """
    if version is not None and version < 1:
        raise InvalidInput("expectedVersion", f"is {version}; versions count from 1", limit=1)
    return version


def checked_language(code: str | None) -> str | None:
    """The ISO 639-1 code, or None: then the language is detected.

    Raises:
        InvalidInput: It is not two letters.
    """
    if code is None:
        return None
    folded = code.strip().lower()
    if not _LANGUAGE.fullmatch(folded):
        raise InvalidInput("language", f"{shown(code)} is not a two-letter code of ISO 639-1, such as en")
    return folded


def _optional_text(text: str | None, field: str, limit: int) -> str | None:
    return None if text is None else checked_text(text, field, limit)


def _texts(texts: Iterable[str], field: str, characters: int, limit: int) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(checked_text(text, field, characters) for text in texts))
    if len(found) > limit:
        raise InvalidInput(field, f"has {len(found)} entries, the limit is {limit}", limit=limit)
    return found
