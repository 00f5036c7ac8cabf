"""Short texts that look written, made from a seed: the memories and the questions of ``bench speed``.

The same seed gives the same texts everywhere. Words are drawn by Zipf's law, with a long tail of invented
names, codes and amounts, so that a keyword index meets common and rare words alike.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from string import Formatter

from graphmem.bench.vocabulary import ACTIONS, MONTHS, PEOPLE, QUALITIES, THINGS, invented_names

NAMES = 20_000
"""Invented names; with the everyday words they make the vocabulary."""

ZIPF_SHIFT = 2.7
"""The word of rank r is drawn in proportion to 1 / (r + shift). Source: Mandelbrot 1953."""

_STATEMENTS = (
    "{who} {did} the {how} {what} and the {what} with {name}.",
    "On {day} {who} {did} a {how} {what}; {name} had asked for it.",
    "{who} said that the {what} from {name} is {how} now, so we {did} the {what}.",
    "We {did} the {what} because {name} needs a {how} {what} before {day}.",
    "The {how} {what} of {name} costs {amount}, and {who} {did} it already.",
    "{who}: I {did} my {what} near {name}, it was {how} and took {amount} minutes.",
    "After the {what} {who} {did} {code}, which {name} uses for the {how} {what}.",
    "{name} {did} the {what} twice; {who} thinks a {how} {what} would do.",
)

_QUESTIONS = (
    "What did {who} do with the {how} {what}?",
    "When was the {what} of {name} {did}?",
    "Who {did} the {what} near {name}?",
    "Which {what} does {name} need, and is it {how}?",
    "why was the {how} {what} {did}",
    "{name} {what} {how}",
)


class Texts:
    """A source of texts; each call gives the next one.

    Args:
        seed: Two sources with the same seed give the same texts in the same order.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        names = invented_names(NAMES)
        self._words: dict[str, tuple[Sequence[str], list[float]]] = {
            slot: (words, _zipf(len(words)))
            for slot, words in (
                ("who", PEOPLE),
                ("did", ACTIONS),
                ("what", THINGS),
                ("how", QUALITIES),
                ("name", names),
            )
        }

    def statement(self) -> str:
        """One or two sentences, 40 to 220 characters."""
        return " ".join(self._filled(_STATEMENTS) for _ in range(self._random.choice((1, 1, 2))))

    def question(self) -> str:
        """A question or a few search words, 10 to 90 characters."""
        return self._filled(_QUESTIONS)

    def _filled(self, patterns: Sequence[str]) -> str:
        pieces = Formatter().parse(self._random.choice(patterns))
        return "".join(literal + (self._drawn(slot) if slot else "") for literal, slot, _, _ in pieces)

    def _drawn(self, slot: str) -> str:
        number = self._random.randint
        match slot:
            case "day":
                return f"{number(1, 28)} {self._random.choice(MONTHS)} {number(2019, 2026)}"
            case "amount":
                return str(number(3, 4_000))
            case "code":
                return f"{self._drawn('what')}_{self._drawn('what')}-{number(100, 999)}"
        words, weights = self._words[slot]
        return self._random.choices(words, cum_weights=weights)[0]


def _zipf(size: int) -> list[float]:
    """Cumulative weights of ranks 1 to ``size``."""
    return list(accumulate(1 / (rank + ZIPF_SHIFT) for rank in range(1, size + 1)))
