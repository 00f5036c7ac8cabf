"""Keys: fixed-width fingerprints that make one of two equal things impossible.

Each key is BLAKE2b over a JSON list that starts with the name of the key: lists of texts have one JSON form
each, so no separator inside a value can make two different inputs meet. What a key leaves out (case, white
space) is said by its function. A key never shows what it was made from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from functools import lru_cache

from graphmem.errors import InvalidInput
from graphmem.memory.paths import ROOT, normalise_path
from graphmem.memory.text import normal_form

DIGEST_BYTES = 20
"""160 bits: no two inputs meet by chance or by search; 40 hexadecimal digits."""

REMEMBERED = 2_048
"""Keys of each sort that are not made again: a write asks for its keys twice, and places come back."""


def dedupe_key(
    path: str,
    owner: str,
    tags: Iterable[str],
    valid_from: datetime | None,
    valid_to: datetime | None,
    pin_key: str | None,
    content: str,
) -> str:
    """The key that two live facts may not share.

    Facts are twins when place, owner, own tags, validity and pin key are equal and their contents have the
    same normal form (case and white space do not count). The order of the tags does not count.

    Raises:
        ValueError: A time without a time zone.
    """
    return _dedupe_key(path, owner, tuple(sorted(tags)), valid_from, valid_to, pin_key, content)


def scope_key(path: str, tags: Iterable[str]) -> str:
    """The key of the memories that share path and own tags, whatever the order of the tags."""
    return _scope_key(path, tuple(sorted(tags)))


def section_key(owner: str, path: str, source_file: str, heading_path: Sequence[str], ordinal: int) -> str:
    """The key of one section of an owner's file at this path: the ``ordinal``-th under these headings."""
    return _key("section", owner, path, source_file, list(heading_path), ordinal)


def link_key(text: str) -> str:
    """The key under which a link and what it names meet: of a path its normal path, else the normal form.

    Text that starts with ``/`` but is no legal path is a name like any other.
    """
    return _key("link", linked_path(text) or normal_form(text))


def linked_path(text: str) -> str | None:
    """The normal path that a link names; None for any other name."""
    name = text.strip()
    if not name.startswith(ROOT):
        return None
    try:
        return normalise_path(name)
    except InvalidInput:
        return None


def idempotency_key(subject: str, key: str) -> str:
    """The key of a caller's retry key: two subjects never share one."""
    return _key("idempotency", subject, key)


def input_hash(value: object) -> str:
    """Tells whether two inputs are the same: equal for equal values, whatever the order inside mappings.

    Takes what JSON takes, and dataclasses, sets of texts, dates and aware times inside it.

    Raises:
        TypeError: Something else stands inside.
        ValueError: A time without a time zone, or a number that is not finite.
    """
    return _key("input", value)


@lru_cache(maxsize=REMEMBERED)
def _dedupe_key(
    path: str,
    owner: str,
    tags: tuple[str, ...],
    valid_from: datetime | None,
    valid_to: datetime | None,
    pin_key: str | None,
    content: str,
) -> str:
    validity = [_instant(valid_from), _instant(valid_to)]
    return _key("dedupe", path, owner, tags, validity, pin_key, normal_form(content))


@lru_cache(maxsize=REMEMBERED)
def _scope_key(path: str, tags: tuple[str, ...]) -> str:
    return _key("scope", path, tags)


def _key(*parts: object) -> str:
    return hashlib.blake2b(_one_form(parts).encode(), digest_size=DIGEST_BYTES).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return ["time", _instant(value)]
    if isinstance(value, date):
        return ["date", value.isoformat()]
    if isinstance(value, set | frozenset):
        return ["set", sorted(map(str, value))]
    if is_dataclass(value):
        return [type(value).__name__, {field.name: getattr(value, field.name) for field in fields(value)}]
    raise TypeError(f"a value of type {type(value).__name__} has no input hash")


def _instant(time: datetime | None) -> str | None:
    if time is None:
        return None
    if time.tzinfo is None:
        raise ValueError("a time without a time zone")
    return time.astimezone(UTC).isoformat(timespec="microseconds")


_one_form = json.JSONEncoder(default=_plain, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
