"""Ranking: what two channels found becomes one order, with what each of them added.

Scores of the channels are not comparable: BM25 has no upper end, and cosines of one query lie close together.
Each channel is divided by its best score, so that gaps inside it keep their meaning, and the two are summed
with weights. What a channel lacks is unknown rather than 0: a memory that is not among the nearest gets what
the last of them gets, one that is not among the best by words half of that, or 0 where all that share a word
were found. Measured against other ways in ``docs/explanation/ranking.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphmem.memory.commands import SearchMode

VECTOR_WEIGHT = 0.6
"""Share of the vector channel in a hybrid search; the keyword channel has the rest."""

LONG_QUERY_VECTOR_WEIGHT = 0.65
"""The same for a query of ``LONG_QUERY_WORDS`` or more: so many words find something everywhere."""

LONG_QUERY_WORDS = 40
"""Words, stop words included, from which a query is a passage or a conversation rather than a question."""

CROWDED_OUT = 0.5
"""Share of the last keyword score for a memory behind it: its own lies between that and 0."""

FAR = 1e-6
"""Score below which stand those whose cosine is not above 0: as good as nothing, and still in order."""

JUST_BELOW = 1 - 1e-9
"""Factor between the last score of a first look and the best one of what follows it."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each channel counts; they sum to 1."""

    keyword: float
    vector: float


class Part(NamedTuple):
    """What one channel adds: ``value = score * weight``.

    Attributes:
        channel: ``keyword`` or ``vector``.
        score: 0 to 1; 1 is the best of this answer.
    """

    channel: str
    score: float
    weight: float
    value: float


class Fused(NamedTuple):
    """A candidate with its final score, and what each channel adds to it.

    Parts are made when they are asked for: of two hundred candidates ten are shown.

    Attributes:
        channels: Names and weights, shared by all candidates of one order.
        scores: What each of these channels gives it, 0 to 1.
    """

    id: str
    score: float
    channels: tuple[tuple[str, float], ...]
    scores: tuple[float, ...]

    @property
    def contributions(self) -> tuple[Part, ...]:
        """One part a channel; their values sum to the score."""
        return tuple(
            Part(name, score, weight, score * weight)
            for (name, weight), score in zip(self.channels, self.scores, strict=True)
        )


def weights_for(query: str, mode: SearchMode) -> Weights:
    """The weights of a query: they follow its mode and its length, and nothing else."""
    match mode:
        case SearchMode.KEYWORD:
            return Weights(1.0, 0.0)
        case SearchMode.VECTOR:
            return Weights(0.0, 1.0)
        case SearchMode.HYBRID:
            long = len(query.split()) >= LONG_QUERY_WORDS
            vector = LONG_QUERY_VECTOR_WEIGHT if long else VECTOR_WEIGHT
            return Weights(1 - vector, vector)


def fuse(
    keyword: Mapping[str, float],
    vector: Mapping[str, float],
    weights: Weights,
    *,
    looked: int | None = None,
) -> list[Fused]:
    """All candidates of both channels, best first, ties by id.

    A channel that found nothing leaves its weight to the other one.

    Args:
        keyword: BM25 by id; a score that is not above 0 counts 0.
        vector: Cosine by id; one that is not above 0 counts next to nothing.
        looked: Most candidates that each channel was asked for; ``None``: for all.
    """
    if not keyword or not vector:
        weights = Weights(float(bool(keyword)), float(bool(vector)))
    words, meaning = normalised(keyword), _near(vector)
    crowded = looked is not None and len(words) >= looked
    behind_words = CROWDED_OUT * min(words.values(), default=0.0) if crowded else 0.0
    behind_meaning = min(meaning.values(), default=0.0)
    both = [
        ("keyword", weights.keyword, words, behind_words),
        ("vector", weights.vector, meaning, behind_meaning),
    ]
    given = [channel for channel in both if channel[1]]
    channels = tuple((name, weight) for name, weight, _, _ in given)
    found = [
        _fused(id, channels, tuple(scores.get(id, missing) for _, _, scores, missing in given))
        for id in keyword.keys() | vector.keys()
    ]
    return sorted(found, key=lambda one: (-one.score, one.id))


def behind(first: Sequence[Fused], wider: Sequence[Fused]) -> list[Fused]:
    """The first list unchanged, then what only the wider one has, in its own order.

    Where the rest would not stand below the end of the first list, all of its scores shrink by one factor.
    """
    known = {one.id for one in first}
    rest = [one for one in wider if one.id not in known]
    if not first or not rest or rest[0].score < first[-1].score:
        return [*first, *rest]
    # Strictly below, so that a cursor on the last of the first list has all of the rest behind it.
    factor = JUST_BELOW * first[-1].score / rest[0].score if rest[0].score else 0.0
    return [*first, *(_shrunk(one, factor) for one in rest)]


def normalised(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores as shares of the best one, 0 to 1; all are 0 when none is above 0."""
    best = max(scores.values(), default=0.0)
    return {id: max(0.0, score) / best if best > 0 else 0.0 for id, score in scores.items()}


def _near(cosines: Mapping[str, float]) -> dict[str, float]:
    """Cosines as shares of the best one, more than 0 to 1.

    What points away keeps its order within ``FAR``: a score of 0 has nothing below it, and a page that ends
    there would have no page behind it.
    """
    shares = normalised(cosines)
    return {
        id: max(shares[id], FAR if cosine > 0 else FAR * (2 + cosine) / 3) for id, cosine in cosines.items()
    }


def _shrunk(one: Fused, factor: float) -> Fused:
    return _fused(one.id, tuple((name, weight * factor) for name, weight in one.channels), one.scores)


def _fused(id: str, channels: tuple[tuple[str, float], ...], scores: tuple[float, ...]) -> Fused:
    values = [score * weight for (_, weight), score in zip(channels, scores, strict=True)]
    return Fused(id, sum(values), channels, scores)
