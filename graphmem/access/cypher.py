"""A predicate as a condition of Cypher.

The text holds no value, only ``$access_0``, ``$access_1``, … from one counter, so that subjects with rules
of the same shape share one plan. Words of one kind inside one disjunction share one list, and the few values
of the node are looked up in it: Neo4j keeps a hash of a parameter's list, so many words cost little more than
one. A missing property makes the condition null, and null drops the row, also under ``NOT``; there is no
``coalesce`` on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import assert_never

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

PREFIX = "access_"
"""Reserved for the parameters and variables of rules."""

_ALIAS = re.compile(r"(?!access_)[A-Za-z_][A-Za-z0-9_]*")


def to_cypher(rule: Predicate, alias: str) -> tuple[str, dict[str, object]]:
    """The rule as a condition on the variable ``alias``, and the values of its parameters.

    The same rule gives the same names and values for every alias, so a statement may hold it several times.

    Raises:
        ValueError: ``alias`` is not a plain name, or starts with the reserved prefix.
    """
    if not _ALIAS.fullmatch(alias):
        raise ValueError(f"not a variable that a rule can stand on: {alias!r}")
    values: dict[str, object] = {}

    def bind(words: Sequence[str]) -> str:
        name = f"{PREFIX}{len(values)}"
        values[name] = list(words)
        return f"${name}"

    return _condition(rule, alias, bind), values


def _condition(rule: Predicate, alias: str, bind: Callable[[Sequence[str]], str]) -> str:
    match rule:
        case Everything() | Under("/"):
            return "true"
        case Nothing():
            return "false"
        case At() | Under() | HasTag() | HasKey():
            return _disjunction((rule,), alias, bind)
        case AnyOf(parts):
            return _disjunction(parts, alias, bind)
        case AllOf(parts):
            return "(" + (" AND ".join(_condition(part, alias, bind) for part in parts) or "true") + ")"
        case Not(part):
            return f"NOT ({_condition(part, alias, bind)})"
        case _:
            assert_never(rule)


def _disjunction(parts: Sequence[Predicate], alias: str, bind: Callable[[Sequence[str]], str]) -> str:
    """One test a kind of word, then the parts that are no words; never empty brackets."""
    at: list[str] = []
    under: list[str] = []
    tags: list[str] = []
    keys: list[str] = []
    rest: list[Predicate] = []
    for part in parts:
        match part:
            case At(path):
                at.append(path)
            case Under(path) if path != "/":
                under.append(path)
            case HasTag(tag):
                tags.append(tag)
            case HasKey(key):
                keys.append(key)
            case _:
                rest.append(part)
    tests = [f"{alias}.path IN {bind(at)}"] if at else []
    for words, field in ((under, "ancestors"), (tags, "tags"), (keys, "tag_keys")):
        if words:
            tests.append(f"any(access_x IN {alias}.{field} WHERE access_x IN {bind(words)})")
    tests += [_condition(part, alias, bind) for part in rest]
    if not tests:
        return "false"
    return tests[0] if len(tests) == 1 else "(" + " OR ".join(tests) + ")"
