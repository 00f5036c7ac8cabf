"""Filters and access rules in every vector engine; each engine's test module runs this by a subclass."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from qdrant_client import models as q

from graphmem.access.predicate import At, Everything, HasTag, Predicate, Under, all_of, any_of, holds, not_
from graphmem.access.qdrant import to_qdrant
from graphmem.errors import InvalidInput
from graphmem.memory.paths import ancestors
from graphmem.vectors.index import Point, VectorIndex, point_id, tombstone
from tests.stores.test_vector_contract import EAST, VectorBattery, found, match, window

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def between(key: str, **bounds: datetime) -> q.FieldCondition:
    return q.FieldCondition(key=key, range=q.DatetimeRange.model_validate(bounds))


class VectorFilterContract(VectorBattery):
    """What a filter lets through."""

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            (q.Filter(must=[match("kind", "FACT")]), ["one", "two"]),
            (q.Filter(must=[match("live", False)]), ["two"]),
            (q.Filter(must_not=[match("live", False)]), ["one", "three"]),
            (
                q.Filter(must=[q.FieldCondition(key="tags", match=q.MatchAny(any=["a=1", "b=2"]))]),
                ["one", "three"],
            ),
            (q.Filter(must=[q.FieldCondition(key="kind", match=q.MatchAny(any=[]))]), []),
            (q.Filter(must=[q.HasIdCondition(has_id=[point_id("two", 0), point_id("x", 0)])]), ["two"]),
            (q.Filter(must=[q.HasIdCondition(has_id=[])]), []),
            (q.Filter(must_not=[q.HasIdCondition(has_id=[])]), ["one", "two", "three"]),
            (q.Filter(must=[q.IsEmptyCondition(is_empty=q.PayloadField(key="tags"))]), ["two"]),
            (q.Filter(must=[q.IsEmptyCondition(is_empty=q.PayloadField(key="valid_to"))]), ["one", "three"]),
            (q.Filter(must=[between("created_at", gte=NOON)]), ["two", "three"]),
            (q.Filter(must=[between("created_at", gt=NOON)]), ["three"]),
            (q.Filter(must=[between("created_at", lt=NOON)]), ["one"]),
            (q.Filter(must=[between("created_at", lte=NOON - timedelta(microseconds=1))]), ["one"]),
            (q.Filter(must_not=[between("valid_to", lte=NOON)]), ["one", "three"]),
            (
                q.Filter(must=[q.FieldCondition(key="revision", range=q.Range(gte=1, lt=2))]),
                ["one", "two", "three"],
            ),
            (q.Filter(should=[match("kind", "LESSON"), match("path", "/a/b")]), ["two", "three"]),
            (
                q.Filter(
                    must=[q.Filter(should=[match("path", "/a"), match("path", "/a/b")])],
                    must_not=[match("kind", "LESSON")],
                ),
                ["one", "two"],
            ),
            (q.Filter(must=match("kind", "LESSON")), ["three"]),
            (q.Filter(must=[match("path", "/größe/猫")]), []),
            (q.Filter(must=[match("keywords", "Größe 猫")]), ["three"]),
            (q.Filter(), ["one", "two", "three"]),
        ],
    )
    async def test_a_filter_lets_exactly_its_points_through(
        self, index: VectorIndex, where: q.Filter, expected: list[str]
    ) -> None:
        before = (NOON - timedelta(microseconds=1)).isoformat()
        await index.upsert(
            [
                window("one", kind="FACT", tags=["a=1"], created_at=before, vector=(1, 0.1, 0, 0)),
                window(
                    "two", kind="FACT", tags=[], live=False, path="/a/b", created_at=NOON.isoformat(),
                    valid_to=NOON.isoformat(), vector=(1, 0.2, 0, 0),
                ),
                window(
                    "three", kind="LESSON", tags=["b=2", "c=3"], keywords=["Größe 猫"], vector=(1, 0.3, 0, 0),
                    created_at=(NOON + timedelta(days=1)).isoformat(),
                ),
            ]
        )  # fmt: skip

        assert await found(index, where) == expected

    async def test_access_rules_let_exactly_their_points_through(self, index: VectorIndex) -> None:
        points = [
            window("root", path="/"),
            window("notes", path="/notes", tags=["owner=ann"], vector=(1, 0.1, 0, 0)),
            window("inner", path="/notes/x", tags=["owner=ann", "a=b=c"], vector=(1, 0.2, 0, 0)),
            window("sibling", path="/notesx", tags=["owner=bob"], vector=(1, 0.3, 0, 0)),
        ]
        await index.upsert([*points, tombstone("gone", 0, 1)])
        rules: list[Predicate] = [
            Everything(),
            Under("/notes"),
            At("/notes"),
            HasTag("a=b=c"),
            not_(HasTag("owner=ann")),
            all_of([Under("/"), not_(Under("/notes"))]),
            any_of([At("/"), all_of([Under("/notes"), not_(HasTag("a=b=c"))]), HasTag("owner=bob")]),
        ]
        resources = [(point.payload["memory_id"], _Resource(point)) for point in points]

        for rule in rules:
            assert await found(index, to_qdrant(rule)) == [n for n, one in resources if holds(rule, one)], (
                rule
            )

    @pytest.mark.parametrize("clause", ["must", "should", "must_not"])
    @pytest.mark.parametrize("nested", [False, True])
    async def test_an_empty_clause_is_refused(self, index: VectorIndex, clause: str, nested: bool) -> None:
        empty = q.Filter.model_validate({clause: []})

        with pytest.raises(InvalidInput, match=f"where has an empty '{clause}' clause"):
            await index.search(EAST, q.Filter(must=[empty]) if nested else empty, 5)


class _Resource:
    """The payload of a point as access rules read a memory."""

    def __init__(self, point: Point) -> None:
        self.path: str = str(point.payload["path"])
        self.ancestors: tuple[str, ...] = ancestors(self.path)
        tags = point.payload["tags"]
        assert isinstance(tags, list)
        self.tags: tuple[str, ...] = tuple(tags)
        self.tag_keys: tuple[str, ...] = tuple(tag.partition("=")[0] for tag in tags)
