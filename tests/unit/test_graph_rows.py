"""Rows in plain Python, and instants as whole microseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from neo4j.spatial import CartesianPoint
from neo4j.time import DateTime

from graphmem.graph.rows import plain_row

ROME = timezone(timedelta(hours=1))
NOON = datetime(2026, 1, 5, 12, 0, 0, 123456, tzinfo=ROME)


def test_an_instant_of_the_database_becomes_a_datetime_in_utc() -> None:
    row = plain_row({"memory": {"created_at": DateTime.from_native(NOON), "tags": ["a=b"]}, "n": 3})

    assert row == {"memory": {"created_at": NOON, "tags": ["a=b"]}, "n": 3}
    assert row["memory"]["created_at"].tzinfo is UTC


def test_instants_deep_in_lists_are_found() -> None:
    assert plain_row({"memories": [{"at": [DateTime.from_native(NOON)]}, None]}) == {
        "memories": [{"at": [NOON]}, None]
    }


def test_a_value_that_no_query_of_ours_returns_is_refused() -> None:
    with pytest.raises(TypeError, match="a query returned a CartesianPoint"):
        plain_row({"place": CartesianPoint((1.0, 2.0))})
