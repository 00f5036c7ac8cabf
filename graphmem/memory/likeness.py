"""How alike two texts are by their words: for receipts that name similar memories, never for merging them."""

from __future__ import annotations

from graphmem.memory.words import words_of

SIMILAR = 0.5
"""Share of common words from which a receipt calls two texts similar."""


def word_set(text: str) -> frozenset[str]:
    """The different words of a text, folded."""
    return frozenset(word.term for run in text.split() for word in words_of(run))


def word_jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Common words divided by all words of both, 0 to 1; 0 when neither has any."""
    both = one | other
    return len(one & other) / len(both) if both else 0.0
