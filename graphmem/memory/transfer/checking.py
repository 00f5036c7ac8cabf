"""What a version must be to come back: the checks of an import, on values of the right types.

Everything that a rule, a key or a clock reads is checked; what only a reader sees is taken as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from graphmem.errors import InvalidInput, shown
from graphmem.memory.fields import (
    checked_id,
    checked_language,
    checked_lines,
    checked_place,
    checked_span,
    checked_time,
    checked_unit,
)
from graphmem.memory.keywords import checked_keywords
from graphmem.memory.model import Status
from graphmem.memory.paths import normalise_path
from graphmem.memory.tags import OWNER, checked_subject, own_tags
from graphmem.memory.text import checked_text

LONGEST = 1_000_000
"""Characters of a content, whatever the settings of the store that wrote it: the most that any allows."""

_UNITS = ("importance", "confidence", "trust", "emotional_weight")
_COUNTS = {"version": 1, "revision": 1, "hits": 0, "recall_count": 0, "times_applied": 0}


def check_memory(values: Mapping[str, object], *, head: bool) -> None:
    """Refuses fields that no store of ours writes.

    Args:
        values: The fields of a version, each of its type.
        head: Whether it is the newest version of its chain.

    Raises:
        InvalidInput: Names the first field that cannot be.
    """
    check_texts(values)
    for field in ("id", "chain_id"):
        checked_id(_text(values, field), field)
    if (values["version"] == 1) != (values["id"] == values["chain_id"]):
        raise InvalidInput("version", "is 1 where the id is that of the chain, and only there")
    checked_text(_text(values, "content"), "content", LONGEST)
    _require_same(checked_place(_text(values, "path"), "path"), values["path"], "path")
    _check_owner(values)
    _check_numbers(values)
    _check_times(values)
    _check_state(values, head)
    checked_language(_text(values, "language"))
    keywords = _texts(values, "keywords")
    _require_same(checked_keywords(keywords, "keywords"), keywords, "keywords")
    _check_section(values)


def check_texts(values: Mapping[str, object]) -> None:
    """Refuses a NUL or half of a surrogate pair in any text.

    Raises:
        InvalidInput: Names the field.
    """
    for field, value in values.items():
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                checked_text(text, field, len(text), allow_empty=True)


def check_path_tags(tags: tuple[str, ...]) -> None:
    """Refuses tags of a path that are not as they are stored.

    Raises:
        InvalidInput: Names the field.
    """
    expected = tuple(tag for tag in own_tags(tags, OWNER, "tags") if not tag.startswith(f"{OWNER}="))
    _require_same(expected, tags, "tags")


def check_path(path: str) -> None:
    """Refuses a path that is not in its normal form.

    Raises:
        InvalidInput: Names the field.
    """
    _require_same(normalise_path(path, "path"), path, "path")


def _check_owner(values: Mapping[str, object]) -> None:
    owner, tags = _text(values, "owner"), _texts(values, "tags")
    _require_same(checked_subject(owner, "owner"), owner, "owner")
    checked_subject(_text(values, "author"), "author")
    mine = [tag for tag in tags if tag != f"{OWNER}={owner}"]
    if len(mine) == len(tags):
        raise InvalidInput("tags", f"do not hold {shown(f'{OWNER}={owner}')}")
    _require_same(own_tags(mine, owner, "tags"), tags, "tags")


def _check_numbers(values: Mapping[str, object]) -> None:
    for field in _UNITS:
        unit = values.get(field)
        if isinstance(unit, int | float):
            checked_unit(unit, field)
    for field, least in _COUNTS.items():
        count = values.get(field, least)
        if isinstance(count, int) and count < least:
            raise InvalidInput(field, f"is {count}, the least is {least}", limit=least)
    stability = values.get("stability_days", 1.0)
    if not isinstance(stability, int | float) or not 0 < stability <= 3_650:
        raise InvalidInput("stability_days", f"is {stability}; it lies between 0 and 3650", limit=3_650)


def _check_times(values: Mapping[str, object]) -> None:
    for field, value in values.items():
        if isinstance(value, datetime):
            checked_time(value, field)
    checked_span(_time(values, "valid_from"), _time(values, "valid_to"))


def _check_state(values: Mapping[str, object], head: bool) -> None:
    """Live is what rule 1 and rule 3 of the design say it is."""
    status = values.get("status", Status.ACTIVE)
    deleted = values.get("deleted_at") is not None
    if values["live"] != (head and status is Status.ACTIVE and not deleted):
        raise InvalidInput("live", "is true where a head is ACTIVE and not deleted, and only there")
    if values["live"] and (values.get("known_from") is None or values.get("known_to") is not None):
        raise InvalidInput("known_from", "and no known_to belong to a live version")


def _check_section(values: Mapping[str, object]) -> None:
    checked_lines(_number(values, "line_start"), _number(values, "line_end"))
    section = _texts(values, "section")
    if section and not (section[-1].isascii() and section[-1].isdigit()):
        raise InvalidInput("section", f"ends with {shown(section[-1])}, not with a number")


def _require_same(expected: object, found: object, field: str) -> None:
    if expected != found:
        raise InvalidInput(field, f"is {shown(found)}, not in its stored form {shown(expected)}")


def _text(values: Mapping[str, object], field: str) -> str:
    value = values.get(field)
    if not isinstance(value, str):
        raise InvalidInput(field, "is missing")
    return value


def _texts(values: Mapping[str, object], field: str) -> tuple[str, ...]:
    value = values.get(field, ())
    return value if isinstance(value, tuple) else ()


def _time(values: Mapping[str, object], field: str) -> datetime | None:
    value = values.get(field)
    return value if isinstance(value, datetime) else None


def _number(values: Mapping[str, object], field: str) -> int | None:
    value = values.get(field)
    return value if isinstance(value, int) else None
