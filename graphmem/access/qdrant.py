"""A predicate as a filter of Qdrant, over payload fields named like the properties in the graph.

Qdrant reads an empty clause as "no constraint" and keeps a point without the field under a negation. So no
clause here is ever empty, and a point without ``ancestors`` is always hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from qdrant_client import models

from graphmem.access.predicate import (
    AllOf,
    AnyOf,
    At,
    Everything,
    HasKey,
    HasTag,
    Not,
    Nothing,
    Predicate,
    Under,
)


def to_qdrant(rule: Predicate, extra: Sequence[models.Condition] = ()) -> models.Filter:
    """The rule as a filter; ``extra`` conditions must hold as well.

    A point without the attributes that rules read (a tombstone) is always hidden.
    """
    must = [*([] if _is_everything(rule) else [_condition(rule)]), *extra]
    return models.Filter(must=must or None, must_not=[_is_empty("ancestors")])


def _condition(rule: Predicate) -> models.Condition:
    match rule:
        case Everything() | Under("/"):
            return models.Filter(must_not=[_no_point()])
        case Nothing():
            return _no_point()
        case At() | Under() | HasTag() | HasKey():
            return _words((rule,))[0]
        case AnyOf(parts):
            conditions = _words(parts) + [_condition(part) for part in parts if not _is_word(part)]
            if not conditions:
                return _no_point()
            return conditions[0] if len(conditions) == 1 else models.Filter(should=conditions)
        case AllOf(parts):
            return models.Filter(must=[_condition(part) for part in parts] or [_condition(Everything())])
        case Not(part):
            return models.Filter(must_not=[_condition(part)])
        case _:
            assert_never(rule)


def _words(parts: Sequence[Predicate]) -> list[models.Condition]:
    """One condition a kind of word among the parts."""
    found: dict[str, list[str]] = {"path": [], "ancestors": [], "tags": [], "tag_keys": []}
    for part in parts:
        match part:
            case At(path):
                found["path"].append(path)
            case Under(path) if path != "/":
                found["ancestors"].append(path)
            case HasTag(tag):
                found["tags"].append(tag)
            case HasKey(key):
                found["tag_keys"].append(key)
            case _:
                continue
    return [
        models.FieldCondition(key=field, match=models.MatchAny(any=words))
        for field, words in found.items()
        if words
    ]


def _is_word(part: Predicate) -> bool:
    return isinstance(part, At | Under | HasTag | HasKey) and not _is_everything(part)


def _is_everything(part: Predicate) -> bool:
    return part in (Everything(), Under("/"))


def _no_point() -> models.Condition:
    return models.HasIdCondition(has_id=[])


def _is_empty(field: str) -> models.Condition:
    return models.IsEmptyCondition(is_empty=models.PayloadField(key=field))
