"""How good a ranking is: recall, nDCG, MRR and hit rate in percent.

Pure arithmetic on ids and grades. A query without a relevant row has no score: the caller leaves it out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

DEPTH = 20
"""Ranks that are looked at; what stands deeper counts nowhere."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of one query, or their mean over several; each 0 to 100."""

    r1: float
    r5: float
    r10: float
    r20: float
    ndcg10: float
    mrr10: float
    hit10: float


def quality(ranking: Sequence[str], relevant: Mapping[str, int]) -> Quality:
    """The figures of one ranking of distinct ids, best first.

    Args:
        relevant: Id to grade, each 1 or more.

    Raises:
        ValueError: Nothing is relevant.
    """
    if not relevant:
        raise ValueError("a query without relevant rows has no score")
    ranks = [rank for rank, row in enumerate(ranking[:DEPTH], start=1) if row in relevant]
    first = ranks[0] if ranks and ranks[0] <= 10 else None
    return Quality(
        r1=_recall(ranks, 1, relevant),
        r5=_recall(ranks, 5, relevant),
        r10=_recall(ranks, 10, relevant),
        r20=_recall(ranks, 20, relevant),
        ndcg10=_ndcg(ranking[:10], relevant),
        mrr10=100 / first if first else 0.0,
        hit10=100.0 if first else 0.0,
    )


def mean(qualities: Sequence[Quality]) -> Quality:
    """The mean of each figure.

    Raises:
        ValueError: There is nothing to take the mean of.
    """
    if not qualities:
        raise ValueError("no query has a relevant row, so there is nothing to score")
    columns = zip(*map(astuple, qualities), strict=True)
    return Quality(*(math.fsum(column) / len(qualities) for column in columns))


def _recall(ranks: Sequence[int], depth: int, relevant: Mapping[str, int]) -> float:
    """The share of the relevant rows that stand in the first ``depth`` ranks."""
    return 100 * sum(rank <= depth for rank in ranks) / len(relevant)


def _ndcg(ranking: Sequence[str], relevant: Mapping[str, int]) -> float:
    """Discounted gain with linear grades, ``grade / log2(rank + 1)``, as a share of the best possible one.

    Source: Järvelin and Kekäläinen 2002, in the form that trec_eval computes.
    """
    best = _gain(sorted(relevant.values(), reverse=True)[:10])
    return 100 * _gain([relevant.get(row, 0) for row in ranking]) / best


def _gain(grades: Sequence[int]) -> float:
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
