"""The metrics of a ranking, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.bench.metrics import Quality, mean, quality

TWENTY_FIVE = [f"x{number}" for number in range(25)]


def test_the_figures_of_one_ranking_are_those_worked_out_by_hand() -> None:
    found = quality(["a", "b", "c", "d", "e", "f", "g"], {"b": 3, "f": 1, "z": 2})

    gained = 3 / math.log2(3) + 1 / math.log2(7)
    best = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert (found.r1, found.mrr10, found.hit10) == (0.0, 50.0, 100.0)
    assert (found.r5, found.r10, found.r20) == pytest.approx((100 / 3, 200 / 3, 200 / 3))
    assert found.ndcg10 == pytest.approx(100 * gained / best)
    assert found.ndcg10 == pytest.approx(47.23, abs=0.005)


def test_a_perfect_ranking_has_every_gain() -> None:
    found = quality(["b", "a", "c"], {"a": 1, "b": 2})

    assert found.ndcg10 == pytest.approx(100)
    assert (found.mrr10, found.hit10) == (100.0, 100.0)
    assert (found.r1, found.r5) == (50.0, 100.0)


def test_two_equal_grades_give_the_same_gain_in_either_order() -> None:
    assert quality(["a", "b"], {"a": 1, "b": 1}) == quality(["b", "a"], {"a": 1, "b": 1})


def test_a_higher_grade_first_gains_more() -> None:
    first, second = quality(["a", "b"], {"a": 2, "b": 1}), quality(["b", "a"], {"a": 2, "b": 1})

    assert first.ndcg10 == pytest.approx(100)
    assert second.ndcg10 == pytest.approx(100 * (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)))


@pytest.mark.parametrize(
    ("rank", "r10", "r20", "mrr10", "hit10"),
    [(1, 100.0, 100.0, 100.0, 100.0), (10, 100.0, 100.0, 10.0, 100.0), (11, 0.0, 100.0, 0.0, 0.0)],
)
def test_each_figure_looks_as_deep_as_its_name_says(
    rank: int, r10: float, r20: float, mrr10: float, hit10: float
) -> None:
    found = quality(TWENTY_FIVE, {TWENTY_FIVE[rank - 1]: 1})

    assert (found.r10, found.r20, found.mrr10, found.hit10) == (r10, r20, mrr10, hit10)
    assert found.ndcg10 == (pytest.approx(100 / math.log2(rank + 1)) if rank <= 10 else 0.0)


def test_what_stands_beyond_rank_20_counts_nowhere() -> None:
    assert quality(TWENTY_FIVE, {"x20": 1}) == Quality(0, 0, 0, 0, 0, 0, 0)


def test_more_than_ten_relevant_rows_can_still_give_full_ndcg() -> None:
    relevant = dict.fromkeys(TWENTY_FIVE[:15], 1)

    found = quality(TWENTY_FIVE, relevant)

    assert found.ndcg10 == pytest.approx(100.0)
    assert found.r10 == pytest.approx(100 * 10 / 15)


def test_an_empty_ranking_scores_nothing() -> None:
    assert quality([], {"a": 1}) == Quality(0, 0, 0, 0, 0, 0, 0)


def test_a_query_without_relevant_rows_has_no_score() -> None:
    with pytest.raises(ValueError, match="without relevant rows"):
        quality(["a"], {})


def test_the_mean_is_taken_figure_by_figure() -> None:
    found = mean([Quality(0, 10, 20, 30, 40, 50, 100), Quality(100, 30, 40, 50, 60, 0, 0)])

    assert found == Quality(50, 20, 30, 40, 50, 25, 50)


def test_the_mean_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to score"):
        mean([])


@given(
    ranking=st.permutations([f"r{number}" for number in range(12)]),
    relevant=st.dictionaries(
        st.sampled_from([f"r{number}" for number in range(14)]), st.integers(1, 3), min_size=1
    ),
)
def test_every_figure_is_a_percentage_and_recall_grows_with_depth(
    ranking: list[str], relevant: dict[str, int]
) -> None:
    found = quality(ranking, relevant)

    assert 0 <= found.r1 <= found.r5 <= found.r10 <= found.r20 <= 100
    assert 0 <= found.ndcg10 <= 100 + 1e-9
    assert found.hit10 == (100.0 if found.r10 > 0 else 0.0)
    assert found.mrr10 in {0.0, *(100 / rank for rank in range(1, 11))}
