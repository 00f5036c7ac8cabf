"""A predicate as clauses inside a keyword query, over the field ``search_scope``.

Each ruled node carries one opaque token for every fact that rules and filters ask about: fixed width, letters
and digits only, so no value is ever read as query text, cut, or split. Each carries the root's token, because
a query of negative clauses alone finds nothing.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
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
from graphmem.memory.limits import SCOPE_CLAUSES

FIELD = "search_scope"


class ScopeKind(StrEnum):
    """What a token says; its letter keeps equal values of different meaning apart."""

    PATH = "p"
    ANCESTOR = "a"
    TAG = "t"
    TAG_KEY = "k"
    LABEL = "l"
    KIND = "f"
    KEYWORD = "w"
    SOURCE = "o"
    SESSION = "s"
    LIVE = "v"


@lru_cache(maxsize=32_768)
def scope_token(kind: ScopeKind, value: str) -> str:
    """The token of a value: the letter of its kind and 32 hexadecimal digits of its NFC form."""
    return kind + hashlib.blake2b(unicodedata.normalize("NFC", value).encode(), digest_size=16).hexdigest()


LIVE = scope_token(ScopeKind.LIVE, "live")
"""Carried by live heads only."""

ROOT_TOKEN = scope_token(ScopeKind.ANCESTOR, "/")
"""Carried by every ruled node."""

NO_NODE = "n" + "0" * 32
"""Carried by no node: its letter belongs to no kind."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule inside a keyword query.

    Attributes:
        text: One required clause that adds nothing to the score; joins other clauses with a space.
        clauses: How many of Lucene's clauses it takes.
    """

    text: str
    clauses: int


def scope_tokens(
    *,
    path: str,
    ancestors: Iterable[str],
    tags: Iterable[str],
    tag_keys: Iterable[str],
    label: str,
    kind: str | None = None,
    keywords: Iterable[str] = (),
    sources: Iterable[str] = (),
    session: str | None = None,
    live: bool,
) -> list[str]:
    """All tokens of one memory, each once, in a fixed order."""
    found = [scope_token(ScopeKind.PATH, path)]
    found += [scope_token(ScopeKind.ANCESTOR, above) for above in ancestors]
    found += [scope_token(ScopeKind.TAG, tag) for tag in tags]
    found += [scope_token(ScopeKind.TAG_KEY, key) for key in tag_keys]
    found.append(scope_token(ScopeKind.LABEL, label))
    if kind is not None:
        found.append(scope_token(ScopeKind.KIND, kind))
    found += [scope_token(ScopeKind.KEYWORD, keyword) for keyword in keywords]
    found += [scope_token(ScopeKind.SOURCE, source) for source in sources]
    if session is not None:
        found.append(scope_token(ScopeKind.SESSION, session))
    if live:
        found.append(LIVE)
    return list(dict.fromkeys(found))


def to_lucene(rule: Predicate) -> Clause | None:
    """The rule as one required clause; None when it has too many words.

    Without a clause the caller fetches more than it needs and lets the graph decide.
    """
    text, clauses = _expression(rule)
    if clauses > SCOPE_CLAUSES:
        return None
    return Clause(f"+{FIELD}:({text})^0", clauses)


def required(*groups: Iterable[str]) -> Clause:
    """A filter: of every group the node carries at least one token. No node has a token of an empty group.

    With no group at all the text is empty, and nothing is asked for.
    """
    wanted = [tuple(dict.fromkeys(group)) or (NO_NODE,) for group in groups]
    text = " ".join(f"+{FIELD}:({' '.join(group)})^0" for group in wanted)
    return Clause(text, sum(map(len, wanted)))


def _expression(rule: Predicate) -> tuple[str, int]:
    """The inside of a bracket that matches what the rule matches, and the words in it."""
    match rule:
        case Everything() | Under("/"):
            return ROOT_TOKEN, 1
        case Nothing():
            return NO_NODE, 1
        case At(path):
            return scope_token(ScopeKind.PATH, path), 1
        case Under(path):
            return scope_token(ScopeKind.ANCESTOR, path), 1
        case HasTag(tag):
            return scope_token(ScopeKind.TAG, tag), 1
        case HasKey(key):
            return scope_token(ScopeKind.TAG_KEY, key), 1
        case AnyOf(parts):
            return _joined("", parts, NO_NODE)
        case AllOf(parts):
            return _conjunction(parts)
        case Not():
            return _conjunction((rule,))
        case _:
            assert_never(rule)


def _joined(sign: str, parts: Iterable[Predicate], empty: str) -> tuple[str, int]:
    inner = [_expression(part) for part in parts]
    if not inner:
        return empty, 1
    return " ".join(sign + _bracketed(text) for text, _ in inner), sum(count for _, count in inner)


def _conjunction(parts: Iterable[Predicate]) -> tuple[str, int]:
    """``+a +b -c``; with the root's token in front when nothing positive is asked for."""
    parts = tuple(parts)
    wanted = [part for part in parts if not isinstance(part, Not)]
    refused = [part.part for part in parts if isinstance(part, Not)]
    text, count = _joined("+", wanted, f"+{ROOT_TOKEN}")
    if not refused:
        return text, count
    negative, more = _joined("-", refused, "")
    return f"{text} {negative}", count + more


def _bracketed(text: str) -> str:
    return f"({text})" if text.startswith(("+", "-")) or " " in text else text
