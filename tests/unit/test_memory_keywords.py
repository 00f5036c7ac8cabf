"""Keywords: word labels for search."""

from __future__ import annotations

import pytest

from graphmem.errors import InvalidInput
from graphmem.memory.keywords import checked_keywords, joined_keywords


def test_keywords_keep_order_and_case_and_lose_repeats() -> None:
    assert checked_keywords([" Redis ", "cache", "REDIS", "e\u0301te\u0301", "ÉTÉ"], "keywords") == (
        "Redis",
        "cache",
        "été",
    )
    assert checked_keywords([], "keywords") == ()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["ok", " "], "is empty"),
        (["x" * 65], "has 65 characters, the limit is 64"),
        (["a\0b"], "holds a NUL character"),
        ([f"w{number}" for number in range(21)], "has 21 keywords, the limit is 20"),
    ],
)
def test_keywords_beyond_the_limits_are_refused(words: list[str], problem: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked_keywords(words, "input.keywords")

    assert refused.value.field == "input.keywords"
    assert problem in refused.value.problem


def test_twenty_keywords_and_their_repeats_are_fine() -> None:
    words = [f"w{number}" for number in range(20)]

    assert checked_keywords([*words, *words], "keywords") == tuple(words)


def test_joining_keeps_the_first_of_equal_words_and_no_more_than_twenty() -> None:
    first, second = [f"w{number}" for number in range(15)], [f"v{number}" for number in range(15)]

    assert joined_keywords(["Redis", "a"], ["redis", "b"]) == ("Redis", "a", "b")
    assert joined_keywords(first, second) == (*first, *second[:5])
