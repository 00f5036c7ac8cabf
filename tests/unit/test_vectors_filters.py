"""Filters on their way to the embedded engine."""

from __future__ import annotations

from typing import Any

import pytest
import qdrant_edge as edge
from qdrant_client import models as q

from graphmem.errors import InvalidInput
from graphmem.vectors.edge_filter import UnknownCondition, edge_filter, edge_value
from graphmem.vectors.filters import filter_values


def test_what_is_unset_is_not_sent() -> None:
    where = q.Filter(must=[q.FieldCondition(key="kind", match=q.MatchValue(value="FACT"))])

    assert filter_values(where) == {"must": [{"key": "kind", "match": {"value": "FACT"}}]}


@pytest.mark.parametrize("clause", ["must", "should", "must_not"])
def test_an_empty_clause_is_refused_at_any_depth(clause: str) -> None:
    empty = q.Filter.model_validate({clause: []})
    deep = q.Filter(must_not=[q.Filter(should=[q.Filter(must=[empty])])])

    for where in (empty, deep, q.Filter(must=empty)):
        with pytest.raises(InvalidInput, match=f"empty '{clause}' clause"):
            filter_values(where)


def test_booleans_are_asked_for_as_the_texts_that_are_stored() -> None:
    assert edge_value({"live": True}["live"]) == "true"
    assert edge_value([False, "x", 3]) == ["false", "x", 3]
    (condition,) = edge_filter({"must": [{"key": "live", "match": {"value": False}}]}).must or []
    assert isinstance(condition, edge.FieldCondition)
    assert isinstance(condition.match, edge.MatchValue)
    assert condition.match.value == "false"


def test_a_number_stays_a_number() -> None:
    (condition,) = edge_filter({"must": [{"key": "revision", "match": {"value": 1}}]}).must or []
    assert isinstance(condition, edge.FieldCondition)
    assert isinstance(condition.match, edge.MatchValue)
    assert condition.match.value == 1


@pytest.mark.parametrize(
    ("bounds", "kind"),
    [({"gte": 1.5}, edge.RangeFloat), ({"lt": "2026-01-05T00:00:00Z"}, edge.RangeDateTime)],
)
def test_a_range_is_of_numbers_or_of_times(bounds: dict[str, Any], kind: type) -> None:
    (condition,) = edge_filter({"must": [{"key": "x", "range": bounds}]}).must or []
    assert isinstance(condition, edge.FieldCondition)
    assert isinstance(condition.range, kind)


SOME_ID = q.HasIdCondition(has_id=[1])
HERE = q.GeoRadius(center=q.GeoPoint(lon=0, lat=0), radius=1)
NESTED = q.NestedCondition(nested=q.Nested(key="x", filter=q.Filter(must=[SOME_ID])))


@pytest.mark.parametrize(
    "condition",
    [
        q.Filter(min_should=q.MinShould(conditions=[SOME_ID], min_count=1)),
        q.FieldCondition(key="x", match=q.MatchText(text="words")),
        q.FieldCondition(key="x", values_count=q.ValuesCount(gte=1)),
        q.FieldCondition(key="x"),
        q.FieldCondition(key="x", range=q.Range()),
        q.FieldCondition(key="x", match=q.MatchValue(value=1), geo_radius=HERE),
        q.HasVectorCondition(has_vector=""),
        NESTED,
    ],
)
def test_a_condition_that_the_worker_is_not_taught_is_refused(condition: q.Condition) -> None:
    with pytest.raises(UnknownCondition):
        edge_filter(filter_values(q.Filter(must=[condition])))
