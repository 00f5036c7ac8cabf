"""From windows to memories, and when a page is complete."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphmem.vectors.grouping import FETCH_GROWTH, TIE_FETCH, best_windows, first_fetch, is_complete
from graphmem.vectors.index import VectorHit

WINDOWS = st.builds(
    VectorHit,
    memory_id=st.sampled_from("abcdefgh"),
    window=st.integers(0, 5),
    revision=st.just(1),
    score=st.sampled_from([0.9, 0.8, 0.5, 0.1]),
)


def hit(memory_id: str, score: float, window: int = 0) -> VectorHit:
    return VectorHit(memory_id, window, 1, score)


def test_the_best_window_stands_for_its_memory() -> None:
    windows = [hit("a", 0.5), hit("a", 0.9, 3), hit("b", 0.7), hit("a", 0.9, 2)]

    assert best_windows(windows, 5) == [hit("a", 0.9, 2), hit("b", 0.7)]


def test_equal_scores_are_in_the_order_of_memory_ids() -> None:
    assert best_windows([hit("c", 0.5), hit("a", 0.5), hit("b", 0.6)], 2) == [hit("b", 0.6), hit("a", 0.5)]


def test_no_windows_give_no_page() -> None:
    assert best_windows([], 3) == []


@given(st.lists(WINDOWS, max_size=60), st.integers(1, 8))
def test_a_complete_page_is_the_page_of_all_windows(windows: list[VectorHit], limit: int) -> None:
    """Fetching on until complete finds what a look at everything finds, whatever the order among equals."""
    ranked = sorted(windows, key=lambda one: -one.score)
    asked = 1
    while True:
        fetched = ranked[:asked]
        page = best_windows(fetched, limit)
        worst = fetched[-1].score if fetched else 0.0
        if is_complete(page, limit, fetched=len(fetched), asked=asked, worst=worst):
            break
        asked *= FETCH_GROWTH

    wanted = best_windows(windows, limit)
    assert [(one.memory_id, one.score) for one in page] == [(one.memory_id, one.score) for one in wanted]


def test_a_page_that_ends_in_a_tie_is_not_complete() -> None:
    page = [hit("a", 0.9), hit("b", 0.5)]

    assert not is_complete(page, 2, fetched=8, asked=8, worst=0.5)
    assert is_complete(page, 2, fetched=8, asked=8, worst=0.4)
    assert is_complete(page, 2, fetched=7, asked=8, worst=0.5)
    assert not is_complete(page, 3, fetched=8, asked=8, worst=0.4)


def test_endless_ties_are_cut() -> None:
    page = [hit("a", 0.5)]

    assert not is_complete(page, 1, fetched=TIE_FETCH - 1, asked=TIE_FETCH - 1, worst=0.5)
    assert is_complete(page, 1, fetched=TIE_FETCH, asked=TIE_FETCH, worst=0.5)


def test_the_first_fetch_leaves_room_for_windows() -> None:
    assert [first_fetch(limit) for limit in (1, 10, 100)] == [17, 28, 141]
