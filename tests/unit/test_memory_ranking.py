"""Fusion of two channels: what each adds, what a missing one means, and the order that comes of it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.commands import SearchMode
from graphmem.memory.ranking import (
    CROWDED_OUT,
    LONG_QUERY_VECTOR_WEIGHT,
    LONG_QUERY_WORDS,
    VECTOR_WEIGHT,
    Fused,
    Weights,
    behind,
    fuse,
    normalised,
    weights_for,
)

HALVES = Weights(0.5, 0.5)

ids = st.text("abcdef", min_size=1, max_size=3)
bm25 = st.dictionaries(ids, st.just(0.0) | st.floats(1e-30, 60), max_size=30)  # Lucene's are 32-bit floats
cosines = st.dictionaries(ids, st.floats(-1, 1), max_size=30)
looks = st.none() | st.integers(1, 40)
weights = st.floats(0, 1).map(lambda vector: Weights(1 - vector, vector))


def values(one: Fused) -> dict[str, float]:
    return {part.channel: part.value for part in one.contributions}


def test_each_channel_adds_its_share_of_the_best_score_times_its_weight() -> None:
    best, second = fuse({"a": 8.0, "b": 2.0}, {"b": 0.6, "a": 0.15}, Weights(0.4, 0.6))

    assert (best.id, second.id) == ("b", "a")
    assert (best.score, second.score) == pytest.approx((0.4 * 0.25 + 0.6 * 1.0, 0.4 * 1.0 + 0.6 * 0.25))
    assert values(best) == pytest.approx({"keyword": 0.1, "vector": 0.6})
    part = second.contributions[1]
    assert (part.channel, part.score, part.weight) == ("vector", 0.25, 0.6)
    assert part.value == pytest.approx(0.15)


def test_without_a_word_in_common_the_keyword_channel_adds_nothing() -> None:
    found = fuse({"a": 8.0}, {"a": 0.2, "b": 0.4}, HALVES)

    assert values(next(one for one in found if one.id == "b"))["keyword"] == 0.0


def test_what_is_not_among_the_nearest_counts_as_the_last_of_them() -> None:
    found = fuse({"a": 8.0, "b": 4.0}, {"c": 0.8, "d": 0.6}, HALVES)

    assert {one.id: values(one)["vector"] for one in found} == pytest.approx(
        {"a": 0.5 * 0.75, "b": 0.5 * 0.75, "c": 0.5, "d": 0.5 * 0.75}
    )
    assert [one.id for one in found] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("looked", "added"), [(2, CROWDED_OUT * 0.25), (1, CROWDED_OUT * 0.25), (3, 0.0), (None, 0.0)]
)
def test_what_more_words_crowded_out_counts_as_half_of_the_last(looked: int | None, added: float) -> None:
    found = fuse({"a": 8.0, "b": 2.0}, {"c": 0.8}, HALVES, looked=looked)

    assert values(next(one for one in found if one.id == "c"))["keyword"] == 0.5 * added


def test_the_best_by_words_beats_the_nearest_without_any_word() -> None:
    nearest = {f"n{number}": 0.9 - number / 1_000 for number in range(100)}

    assert fuse({"word": 12.0}, nearest, HALVES)[0].id == "word"


@pytest.mark.parametrize(
    ("keyword", "vector", "best"),
    [({"a": 3.0, "b": 1.5}, {}, "keyword"), ({}, {"a": 0.5, "b": 0.25}, "vector")],
)
def test_a_channel_that_found_nothing_leaves_its_weight_to_the_other(
    keyword: dict[str, float], vector: dict[str, float], best: str
) -> None:
    found = fuse(keyword, vector, HALVES)

    assert [(one.id, one.score, values(one)) for one in found] == [
        ("a", 1.0, {best: 1.0}),
        ("b", 0.5, {best: 0.5}),
    ]


def test_nothing_found_gives_nothing() -> None:
    assert fuse({}, {}, HALVES) == []


def test_equal_scores_stand_in_the_order_of_their_ids() -> None:
    found = fuse({"c": 1.0, "a": 1.0, "b": 1.0}, {}, HALVES)

    assert [one.id for one in found] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("mode", "query", "expected"),
    [
        (SearchMode.KEYWORD, "kettle", Weights(1.0, 0.0)),
        (SearchMode.VECTOR, "kettle", Weights(0.0, 1.0)),
        (SearchMode.HYBRID, "", Weights(1 - VECTOR_WEIGHT, VECTOR_WEIGHT)),
        (SearchMode.HYBRID, "kettle " * (LONG_QUERY_WORDS - 1), Weights(1 - VECTOR_WEIGHT, VECTOR_WEIGHT)),
        (
            SearchMode.HYBRID,
            "kettle " * LONG_QUERY_WORDS,
            Weights(1 - LONG_QUERY_VECTOR_WEIGHT, LONG_QUERY_VECTOR_WEIGHT),
        ),
        (SearchMode.KEYWORD, "kettle " * LONG_QUERY_WORDS, Weights(1.0, 0.0)),
    ],
)
def test_weights_follow_the_mode_and_the_length_of_the_query(
    mode: SearchMode, query: str, expected: Weights
) -> None:
    assert weights_for(query, mode) == expected


def test_a_longer_query_leans_more_on_meaning_but_words_keep_counting() -> None:
    assert 0 < VECTOR_WEIGHT < LONG_QUERY_VECTOR_WEIGHT < 1


def test_a_channel_is_shown_as_shares_of_its_best_score() -> None:
    assert normalised({"a": 4.0, "b": 1.0, "c": -2.0}) == {"a": 1.0, "b": 0.25, "c": 0.0}
    assert normalised({"a": -0.1, "b": 0.0}) == {"a": 0.0, "b": 0.0}
    assert normalised({}) == {}


@given(keyword=bm25, vector=cosines, weights=weights, looked=looks)
def test_contributions_sum_to_the_score_and_the_order_is_total(
    keyword: dict[str, float],
    vector: dict[str, float],
    weights: Weights,
    looked: int | None,
) -> None:
    found = fuse(keyword, vector, weights, looked=looked)

    assert {one.id for one in found} == keyword.keys() | vector.keys()
    for one in found:
        assert one.score == pytest.approx(math.fsum(values(one).values()), abs=1e-9)
        assert all(part.value == part.score * part.weight for part in one.contributions)
        assert all(0 <= part.score <= 1 for part in one.contributions)
        assert 0 <= one.score <= 1 + 1e-9
    assert found == sorted(found, key=lambda one: (-one.score, one.id))


@given(keyword=bm25, vector=cosines, weights=weights, order=st.randoms(use_true_random=False))
def test_the_order_in_which_candidates_come_changes_nothing(
    keyword: dict[str, float], vector: dict[str, float], weights: Weights, order: object
) -> None:
    turned = dict(reversed(keyword.items())), dict(reversed(vector.items()))

    assert fuse(*turned, weights) == fuse(keyword, vector, weights)


@given(keyword=bm25, vector=cosines, weights=weights, factor=st.floats(0.01, 100))
def test_the_scale_of_a_channel_does_not_matter(
    keyword: dict[str, float], vector: dict[str, float], weights: Weights, factor: float
) -> None:
    scaled = fuse({id: score * factor for id, score in keyword.items()}, vector, weights)

    assert {one.id: one.score for one in scaled} == pytest.approx(
        {one.id: one.score for one in fuse(keyword, vector, weights)}, abs=1e-9
    )


@given(keyword=bm25, vector=cosines, more=st.floats(0.1, 10))
def test_a_better_score_in_one_channel_never_ranks_lower(
    keyword: dict[str, float], vector: dict[str, float], more: float
) -> None:
    for id in keyword:
        before = [one.id for one in fuse(keyword, vector, HALVES)].index(id)
        after = [one.id for one in fuse(keyword | {id: keyword[id] + more}, vector, HALVES)].index(id)
        assert after <= before


@given(first=bm25, wider=bm25, vector=cosines)
def test_a_wider_look_follows_the_first_without_rising_above_it(
    first: dict[str, float], wider: dict[str, float], vector: dict[str, float]
) -> None:
    shown, all_of_it = fuse(first, vector, HALVES), fuse(wider, {}, HALVES)

    found = behind(shown, all_of_it)

    known = {one.id for one in shown}
    assert found[: len(shown)] == shown
    assert [one.id for one in found[len(shown) :]] == [one.id for one in all_of_it if one.id not in known]
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert not shown or shown[-1].score == 0 or all(score < shown[-1].score for score in scores[len(shown) :])
    for one in found:
        assert one.score == pytest.approx(math.fsum(values(one).values()), abs=1e-9)


@pytest.mark.parametrize("cosine", [0.0, -0.4, -1.0])
def test_what_points_away_has_its_place_and_the_rest_stands_behind_it(cosine: float) -> None:
    names = [f"m{number:03}" for number in range(150)]
    first = fuse({}, dict.fromkeys(names[50:], cosine), Weights(0, 1), looked=100)
    everything = fuse({}, dict.fromkeys(names, cosine), Weights(0, 1), looked=1_000)

    found = behind(first, everything)

    assert sorted(one.id for one in found) == names
    assert 0 < max(one.score for one in found[100:]) < min(one.score for one in found[:100])


def test_cosines_below_0_keep_their_order() -> None:
    found = fuse({}, {"a": -0.9, "b": -0.1, "c": 0.0, "d": 1e-12, "e": 0.5}, Weights(0, 1))

    assert [one.id for one in found] == ["e", "d", "c", "b", "a"]
