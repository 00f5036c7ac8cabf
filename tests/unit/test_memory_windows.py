"""Windows over the tokens of a long text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.windows import split_windows


def spans(count: int) -> list[tuple[int, int]]:
    """Tokens of two characters with a space between them."""
    return [(3 * at, 3 * at + 2) for at in range(count)]


def test_no_tokens_make_no_window() -> None:
    assert split_windows([]) == []


@pytest.mark.parametrize("count", [1, 219, 220])
def test_a_short_text_is_one_window(count: int) -> None:
    assert split_windows(spans(count)) == [(0, 3 * count - 1)]


def test_windows_overlap_and_the_last_one_is_as_long_as_the_others() -> None:
    assert split_windows(spans(10), size=4, overlap=1) == [(0, 11), (9, 20), (18, 29)]
    assert split_windows(spans(11), size=4, overlap=1) == [(0, 11), (9, 20), (18, 29), (21, 32)]


@given(st.integers(1, 300), st.integers(1, 40), st.integers(0, 39))
def test_windows_cover_every_token_and_overlap_as_asked(count: int, size: int, overlap: int) -> None:
    if overlap >= size:
        with pytest.raises(ValueError, match="cannot overlap"):
            split_windows(spans(count), size, overlap)
        return

    windows = [(start // 3, end // 3) for start, end in split_windows(spans(count), size, overlap)]

    assert windows[0][0] == 0
    assert windows[-1][1] == count - 1
    for first, last in windows:
        assert last - first + 1 == min(size, count)
    for before, after in pairwise(windows):
        assert before[0] < after[0]
        assert before[1] - after[0] + 1 >= overlap
    shared = [before[1] - after[0] + 1 for before, after in pairwise(windows[:-1])]
    assert shared == [overlap] * len(shared)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (4, 4), (4, 5), (4, -1)])
def test_windows_that_would_not_move_on_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="cannot overlap"):
        split_windows(spans(3), size, overlap)
