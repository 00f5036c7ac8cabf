"""Keywords: word labels for search. They decide nothing; labels that decide access are in ``tags``."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from graphmem.errors import InvalidInput
from graphmem.memory.limits import KEYWORD_CHARACTERS, KEYWORDS
from graphmem.memory.text import checked_text, normal_form


def checked_keywords(words: Iterable[str], field: str) -> tuple[str, ...]:
    """The keywords in NFC and trimmed, in the order given, their case kept.

    Of words that differ only in case or spacing the first one stays.

    Raises:
        InvalidInput: A word is empty, too long or not text, or more than 20 different ones are given.
    """
    found: dict[str, str] = {}
    for word in words:
        keyword = unicodedata.normalize("NFC", checked_text(word.strip(), field, KEYWORD_CHARACTERS))
        found.setdefault(normal_form(keyword), keyword)
    if len(found) > KEYWORDS:
        raise InvalidInput(field, f"has {len(found)} keywords, the limit is {KEYWORDS}", limit=KEYWORDS)
    return tuple(found.values())


def joined_keywords(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """Both lists as one, equal words once, cut after 20: those of ``first`` stay."""
    found: dict[str, str] = {}
    for word in (*first, *second):
        found.setdefault(normal_form(word), word)
    return tuple(found.values())[:KEYWORDS]
