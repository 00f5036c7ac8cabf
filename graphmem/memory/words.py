"""Words: the units of a text that can be searched for, before stems.

A term holds letters, digits, marks and inner dots only, so nothing in it is an operator of the query
language, and any user text is a legal query. ``src/config.ts``, ``getUserName`` and ``max_connections`` give
the whole, joined by dots, and the parts; ``C++`` and ``C#`` stay words of their own; Chinese, Japanese,
Korean and Thai, which are not split by spaces, give pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from graphmem.memory.paths import is_word_character

TERM_CHARACTERS = 64
"""A longer whole is no word and gives its parts only; a longer part is cut. The index itself cuts at 255."""

_SIGNS = {"++": "plusplus", "#": "sharp"}
"""What makes another word of the one before: ``c++`` is ``cplusplus``, ``c#`` is ``csharp``."""

_APOSTROPHES = "'’ʼ`"
_ELISION = re.compile(
    rf"(?<=\w)[{_APOSTROPHES}](?:s|t|d|m|re|ve|ll)(?!\w)|(?<!\w)(?:[cdjlmnst]|qu)[{_APOSTROPHES}](?=\w)",
    re.IGNORECASE,
)
"""What English adds behind an apostrophe, and what French and Italian put before one."""

_CONNECTORS = re.compile(r"[._/\\:@~-]+")
_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3031-\u318f\u31a0-\u31ff"
    "\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, Korean, Chinese and Japanese."""

_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]")
"""Accents of European letters, vowel points of Hebrew and Arabic."""

_WHOLE_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "\u0640": None}
)
"""Letters that Unicode does not split into a letter and an accent, and the Arabic stretch."""

_MARKS_END = 0x1E950
"""Past the last mark of a script; the variation selectors far above belong to no word."""


@dataclass(frozen=True, slots=True)
class Word:
    """One unit.

    Attributes:
        term: As it is indexed: folded, without accents.
        spelt: As a stemmer wants it: folded, with accents; empty where there is no stem.
    """

    term: str
    spelt: str = ""


def words_of(run: str, *, query: bool = False) -> list[Word]:
    """The words of a run without white space, in its order, each whole before its parts.

    Of a script without spaces a text gives single characters and pairs; a query gives pairs, and a single
    character only where it stands alone: more would find too much.

    Args:
        run: NFKC text.
        query: Whether the run is searched for, not indexed.
    """
    if any(mark in run for mark in _APOSTROPHES):
        run = _ELISION.sub(" ", run)
    found: list[Word] = []
    for compound in _compounds().finditer(run):
        found += _compound_words(compound[1], _SIGNS.get(compound[2] or "", ""), query)
    return [word for word in found if word.term]


def bare(folded: str) -> str:
    """Folded text without accents, which people leave out when they type."""
    if folded.isascii():
        return folded
    letters = unicodedata.normalize("NFD", folded.translate(_WHOLE_LETTERS))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", letters))


def _compound_words(compound: str, sign: str, query: bool) -> Iterator[Word]:
    pieces = _CONNECTORS.split(compound)
    if sign:
        yield Word(bare(pieces[-1].casefold())[: TERM_CHARACTERS - len(sign)] + sign)
    if len(pieces) > 1 and len(compound) <= TERM_CHARACTERS:
        yield Word(bare(".".join(pieces).casefold()))
    for piece in pieces:
        yield from _piece_words(piece, query)


def _piece_words(piece: str, query: bool) -> Iterator[Word]:
    if not piece.isascii() and _UNSPACED.search(piece):
        yield from _unspaced_words(piece, query)
        return
    yield _word(piece)
    parts = _parts(piece)
    if len(parts) > 1:
        yield from (_word(part) for part in parts if len(part) > 1 or part.isdigit())


def _word(letters: str) -> Word:
    spelt = letters.casefold()[:TERM_CHARACTERS]
    return Word(bare(spelt), "" if any(map(str.isdigit, spelt)) else spelt)


def _unspaced_words(piece: str, query: bool) -> Iterator[Word]:
    end = 0
    for found in _UNSPACED.finditer(piece):
        if found.start() > end:
            yield _word(piece[end : found.start()])
        text, end = found[0], found.end()
        if not query or len(text) == 1:
            yield from (Word(character) for character in text if character.isalnum())
        yield from (Word(text[at : at + 2]) for at in range(len(text) - 1))
    if end < len(piece):
        yield _word(piece[end:])


def _parts(piece: str) -> list[str]:
    """The parts of ``getUserName``, ``HTTPServer`` and ``python3``; of any other word only itself.

    Letters and digits that alternate (``a3f9c2``) are one code, not words.
    """
    if piece.islower() and piece.isalpha():
        return [piece]
    halves = _LETTERS_OR_DIGITS.findall(piece)
    return [part for half in halves for part in _humps(half)] if len(halves) <= 2 else [piece]


def _humps(letters: str) -> list[str]:
    last = len(letters) - 1
    starts = [
        at
        for at in range(1, len(letters))
        if letters[at].isupper() and (letters[at - 1].islower() or (at < last and letters[at + 1].islower()))
    ]
    return [letters[start:end] for start, end in zip([0, *starts], [*starts, len(letters)], strict=True)]


@cache
def _compounds() -> re.Pattern[str]:
    """Words joined by connectors, then what makes another word of the last one."""
    word = rf"[^\W_](?:[^\W_]|[{_marks()}])*"
    return re.compile(rf"({word}(?:{_CONNECTORS.pattern}{word})*)(\+\+|#)?")


def _marks() -> str:
    """All marks that belong to letters, as the inside of a character class."""
    characters = map(chr, range(0x300, _MARKS_END))
    marks = (character for character in characters if unicodedata.category(character) in ("Mn", "Mc"))
    return "".join(filter(is_word_character, marks))
