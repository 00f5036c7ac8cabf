"""Times in the API: RFC 3339 in, UTC out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from graphql import GraphQLError
from hypothesis import given
from hypothesis import strategies as st

from graphmem.api.scalars import read, written

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECONDS = st.integers(min_value=-60_000_000_000_000_000, max_value=250_000_000_000_000_000)


def test_a_time_is_written_in_utc_with_a_z() -> None:
    rome = timezone(timedelta(hours=1))

    assert written(datetime(2026, 1, 5, 9, 30, tzinfo=rome)) == "2026-01-05T08:30:00Z"


def test_microseconds_are_kept() -> None:
    assert written(datetime(2026, 1, 5, 8, 30, 0, 123456, tzinfo=UTC)) == "2026-01-05T08:30:00.123456Z"


def test_an_offset_names_the_same_instant() -> None:
    assert read("2026-01-05T09:30:00+01:00") == datetime(2026, 1, 5, 8, 30, tzinfo=UTC)


@given(MICROSECONDS)
def test_what_is_written_is_read_back(microseconds: int) -> None:
    time = EPOCH + timedelta(microseconds=microseconds)

    assert read(written(time)) == time


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("2026-01-05T08:30:00", "time zone"),
        ("2026-01-05", "time zone"),
        ("yesterday", "looks like"),
        ("", "looks like"),
        (1767601800, "is text"),
        (None, "is text"),
    ],
)
def test_anything_else_is_refused_with_the_way_out(text: object, problem: str) -> None:
    with pytest.raises(GraphQLError, match=problem):
        read(text)
