"""Terms: what the keyword index holds of a text, and what a search asks it for.

The index splits at white space and changes nothing, so stems, stop words and weights are decided here. Which
words a text has, code and scripts without spaces included, is found in ``words``. The weights were measured:
``docs/explanation/keyword-search.md``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

import Stemmer  # type: ignore[import-not-found]  # a C module without types

from graphmem.memory.languages import LANGUAGES, detect
from graphmem.memory.limits import QUERY_TERMS
from graphmem.memory.stop_words import STOP_WORDS
from graphmem.memory.words import Word, bare, words_of

SPELLING_WEIGHT = 0.3
"""Of a word exactly as it is written, beside 1 for its stem in the query's own language."""

OTHER_LANGUAGE_WEIGHT = 0.3
"""Of a stem in another configured language: it finds texts in that language and little else."""

PREFIX_WEIGHT = 0.1
"""Of a word that only begins like a word of the query; constant, below any whole match worth showing."""

PREFIX_LETTERS = 3
"""Letters from which a word also finds words that begin with it. Source: TSUKA."""

PREFIXES = 8
"""Most prefix clauses of one search: each walks through the dictionary of the index."""

STEM_LETTERS = 3
"""Shorter words have no stem: what Snowball leaves of ``js`` or ``vs`` means nothing."""

CACHED_RUNS = 32_768
"""Runs between white space whose terms are remembered, over all languages; about 10 MB when full."""

CACHED_CHARACTERS = 40
"""Longer runs are rarely met again."""


class _Stemmer(Protocol):
    def stemWord(self, word: str, /) -> str: ...


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """What a search asks the keyword index for.

    Attributes:
        weights: Weight of every unique term, more than 0; any of them may match. First the stems in the
            query's own language, then spellings, then the stems of other languages.
        prefixes: Words that also find what begins with them; unique, in the order of the text.
        dropped: Unique terms that were left out because there are too many.
    """

    weights: Mapping[str, float]
    prefixes: tuple[str, ...]
    dropped: int

    @property
    def words(self) -> tuple[str, ...]:
        """The unique terms."""
        return tuple(self.weights)

    def lucene(self, field: str = "search_terms") -> str:
        """One clause of a keyword query, any part of which may match; empty when there are no terms.

        A repeated word counts as often as it stands in the query.
        """
        if not self.weights:
            return ""
        words = [term if weight == 1 else f"{term}^{weight:.4g}" for term, weight in self.weights.items()]
        beginnings = [f"{prefix}*^{PREFIX_WEIGHT}" for prefix in self.prefixes]
        return f"{field}:({' '.join(words + beginnings)})"


def search_terms(text: str, language: str) -> list[str]:
    """All terms of a text in its order, repeats included: how often a term stands there counts.

    A word gives itself and, where that differs, its stem in the language.
    """
    found: list[str] = []
    for run in unicodedata.normalize("NFKC", text).split():
        found += _known_terms(run, language) if len(run) <= CACHED_CHARACTERS else _terms(run, language)
    return found


def query_terms(text: str, languages: Sequence[str], limit: int = QUERY_TERMS) -> QueryTerms:
    """The terms that find texts in any of the languages.

    Stop words of the query's own language are left out, unless there is nothing else. A text without any
    letter or digit gives no terms.

    Args:
        text: Anything a person may type.
        languages: ISO 639-1 codes of the languages that texts are in; the first is taken for the query's own
            when the query is too short to tell.
        limit: Most unique terms; prefixes come on top.
    """
    runs = unicodedata.normalize("NFKC", text).split()
    words = [word for run in runs for word in words_of(run, query=True)]
    language = detect(text, default=languages[0] if languages else "en")
    stop_words = STOP_WORDS.get(language, frozenset())
    words = [word for word in words if word.term not in stop_words] or words
    others = [code for code in dict.fromkeys(languages) if code != language]
    weights: dict[str, float] = {}
    for term, weight in _weighed(words, language, others):
        weights[term] = weights.get(term, 0) + weight
    kept = dict(list(weights.items())[:limit])
    prefixes = dict.fromkeys(word.term for word in words if word.spelt and len(word.term) >= PREFIX_LETTERS)
    return QueryTerms(kept, tuple(prefixes)[:PREFIXES], len(weights) - len(kept))


def _weighed(words: Sequence[Word], language: str, others: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Every word once for each reading that differs; every word weighs the same in its own language."""
    own = [(word, _stem(word, language)) for word in words]
    for word, stem in own:
        yield stem, 1 + SPELLING_WEIGHT if stem == word.term else 1
    for word, stem in own:
        if stem != word.term:
            yield word.term, SPELLING_WEIGHT
    for word, stem in own:
        readings = dict.fromkeys(_stem(word, code) for code in others)
        yield from ((other, OTHER_LANGUAGE_WEIGHT) for other in readings if other != stem)


def _terms(run: str, language: str) -> tuple[str, ...]:
    """The terms of a run without white space."""
    found: list[str] = []
    for word in words_of(run):
        found.append(word.term)
        stem = _stem(word, language)
        if stem != word.term:
            found.append(stem)
    return tuple(found)


_known_terms = lru_cache(maxsize=CACHED_RUNS)(_terms)


def _stem(word: Word, language: str) -> str:
    """The stem without accents; the term itself where there is none."""
    algorithm = LANGUAGES.get(language)
    if algorithm is None or len(word.spelt) < STEM_LETTERS:
        return word.term
    return bare(_stemmer(algorithm).stemWord(word.spelt)) or word.term


@cache
def _stemmer(algorithm: str) -> _Stemmer:
    stemmer: _Stemmer = Stemmer.Stemmer(algorithm)
    return stemmer
