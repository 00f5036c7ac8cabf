"""What every vector engine must do; each engine's test module runs this battery by a subclass.

A subclass's module gives the fixture ``vector_store``.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from itertools import count

import pytest
from qdrant_client import models as q

from graphmem.access.predicate import Everything
from graphmem.access.qdrant import to_qdrant
from graphmem.errors import InvalidInput, Misconfigured
from graphmem.memory.paths import ancestors
from graphmem.vectors.index import Point, VectorIndex, VectorStore, point_id, tombstone

NUMBERS = count()
EAST, NORTH, UP = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
ALL = to_qdrant(Everything())


def window(
    memory_id: str, number: int = 0, revision: object = 1, vector: Sequence[float] = EAST, **payload: object
) -> Point:
    """A living point at ``/a`` unless the payload says otherwise."""
    path = str(payload.get("path", "/a"))
    fields = {
        "memory_id": memory_id,
        "window": number,
        "revision": revision,
        "path": path,
        "ancestors": list(ancestors(path)),
        "tags": ["owner=default"],
        "tag_keys": ["owner"],
        "live": True,
    }
    return Point(point_id(memory_id, number), vector, fields | payload)


async def found(index: VectorIndex, where: q.Filter = ALL, limit: int = 50) -> list[str]:
    """Ids of the memories nearest to east."""
    return [hit.memory_id for hit in await index.search(EAST, where, limit)]


async def stored_revisions(index: VectorIndex) -> dict[tuple[str, int], tuple[int, bool]]:
    """Revision and death of every window."""
    return {
        (one.memory_id, one.window): (one.revision, one.dead) for one in await index.revisions(None, 1000)
    }


def match(key: str, value: str | bool) -> q.FieldCondition:
    """Points whose field is, or holds, the value."""
    return q.FieldCondition(key=key, match=q.MatchValue(value=value))


class VectorBattery:
    """What both parts of the battery work on."""

    @pytest.fixture
    async def index(self, vector_store: VectorStore) -> AsyncIterator[VectorIndex]:
        """An empty collection of width 4."""
        name = f"battery-{next(NUMBERS)}"
        yield await vector_store.open(name, 4)
        await vector_store.drop(name)


class VectorContract(VectorBattery):
    """Writing, finding, listing."""

    async def test_a_stored_point_is_found_with_its_cosine(self, index: VectorIndex) -> None:
        await index.upsert([window("m1", vector=(3.0, 4.0, 0.0, 0.0), revision=7)])

        (hit,) = await index.search(EAST, ALL, 10)

        assert (hit.memory_id, hit.window, hit.revision) == ("m1", 0, 7)
        assert hit.score == pytest.approx(0.6, abs=1e-6)

    async def test_an_empty_collection_finds_nothing(self, index: VectorIndex) -> None:
        assert await index.search(EAST, ALL, 10) == []
        assert (await index.count(), await index.revisions(None, 10)) == (0, [])

    @pytest.mark.parametrize("late", [1, 2, 3], ids=["older", "equal", "newer"])
    async def test_only_a_newer_revision_takes_a_points_place(self, index: VectorIndex, late: int) -> None:
        await index.upsert([window("m1", revision=2, kind="FACT")])

        await index.upsert([window("m1", revision=late, vector=NORTH, kind="LESSON")])

        newer = late > 2
        (hit,) = await index.search(EAST, ALL, 1)
        assert hit.revision == (3 if newer else 2)
        assert hit.score == pytest.approx(0.0 if newer else 1.0, abs=1e-6)
        assert await found(index, q.Filter(must=[match("kind", "LESSON")])) == (["m1"] if newer else [])

    async def test_the_points_of_one_batch_are_judged_one_by_one(self, index: VectorIndex) -> None:
        await index.upsert([window("a", revision=5), window("b", revision=5), window("c", revision=1)])

        batch = [window(name, revision=r) for name, r in (("a", 4), ("b", 6), ("c", 2), ("new", 1))]
        await index.upsert(batch)

        held = {name: revision for (name, _), (revision, _) in (await stored_revisions(index)).items()}
        assert held == {"a": 5, "b": 6, "c": 2, "new": 1}

    async def test_of_one_id_twice_in_a_batch_the_newest_stays(self, index: VectorIndex) -> None:
        await index.upsert([window("m", revision=2), window("m", revision=3), window("m", revision=1)])

        assert await stored_revisions(index) == {("m", 0): (3, False)}

    async def test_shuffled_and_doubled_deliveries_end_at_the_newest_revision(
        self, index: VectorIndex
    ) -> None:
        order = random.Random(20261130)
        last = {f"m{n}": order.randint(1, 6) for n in range(40)}
        sent = [window(name, revision=r) for name, top in last.items() for r in range(1, top + 1)] * 2
        order.shuffle(sent)

        for start in range(0, len(sent), 7):
            await index.upsert(sent[start : start + 7])

        assert {name: r for (name, _), (r, _) in (await stored_revisions(index)).items()} == last

    async def test_a_tombstone_is_never_found_and_beats_late_upserts(self, index: VectorIndex) -> None:
        await index.upsert([window("m1"), window("m2", vector=NORTH)])

        await index.upsert([tombstone("m1", 0, 3)])
        for late in (1, 2, 3):
            await index.upsert([window("m1", revision=late)])

        assert await found(index) == ["m2"]
        assert await found(index, q.Filter(must_not=[match("kind", "NONE")])) == ["m2"]
        assert await index.vectors([point_id("m1", 0), point_id("m2", 0)]) == {
            point_id("m2", 0): [0, 1, 0, 0]
        }
        assert await index.count() == 1
        assert await stored_revisions(index) == {("m1", 0): (3, True), ("m2", 0): (1, False)}

    async def test_a_tombstone_can_come_before_its_point(self, index: VectorIndex) -> None:
        await index.upsert([tombstone("m1", 0, 2)])
        await index.upsert([window("m1", revision=1)])

        assert await found(index) == []

    async def test_a_newer_revision_takes_a_tombstones_place(self, index: VectorIndex) -> None:
        await index.upsert([tombstone("m1", 0, 2)])
        await index.upsert([window("m1", revision=3)])

        assert await found(index) == ["m1"]
        assert await stored_revisions(index) == {("m1", 0): (3, False)}

    async def test_a_memory_with_many_windows_takes_one_place_on_the_page(self, index: VectorIndex) -> None:
        crowd = [window("crowd", n, vector=(1.0, 0.001 * (n + 1), 0.0, 0.0)) for n in range(150)]
        others = [window(f"m{n}", vector=(1.0, float(n + 1), 0.0, 0.0)) for n in range(12)]
        await index.upsert([*crowd, *others])

        hits = await index.search(EAST, ALL, 10)

        assert [hit.memory_id for hit in hits] == ["crowd", *(f"m{n}" for n in range(9))]
        assert hits[0].window == 0

    async def test_a_page_is_short_only_when_the_index_is_exhausted(self, index: VectorIndex) -> None:
        await index.upsert([window(f"m{n % 3}", n, vector=(1.0, 0.1 * n, 0.0, 0.0)) for n in range(90)])

        assert await found(index, limit=3) == ["m0", "m1", "m2"]
        assert await found(index, limit=50) == ["m0", "m1", "m2"]
        assert await found(index, limit=0) == []

    async def test_equal_scores_are_ordered_and_cut_by_memory_id(self, index: VectorIndex) -> None:
        names = [f"m{n:03}" for n in range(200)]
        shuffled = random.Random(1).sample(names, len(names))
        await index.upsert([window(name) for name in shuffled])
        await index.upsert([window("best-but-last-by-id", vector=EAST), window("far", vector=NORTH)])

        assert await found(index, limit=5) == ["best-but-last-by-id", *names[:4]]

    async def test_vectors_are_given_back_at_length_1(self, index: VectorIndex) -> None:
        await index.upsert([window("m1", vector=(3.0, 4.0, 0.0, 0.0)), window("m2", vector=UP)])

        vectors = await index.vectors([point_id("m1", 0), point_id("unknown", 0)])

        assert list(vectors) == [point_id("m1", 0)]
        assert vectors[point_id("m1", 0)] == pytest.approx([0.6, 0.8, 0.0, 0.0], abs=1e-6)

    async def test_revisions_page_through_every_point_in_the_order_of_ids(self, index: VectorIndex) -> None:
        names = [f"m{n}" for n in range(23)]
        await index.upsert([window(name, revision=n + 1) for n, name in enumerate(names)])
        await index.upsert([tombstone("gone", 2, 9)])
        pages, after = [], None

        while page := await index.revisions(after, 10):
            pages.append(page)
            after = page[-1].id

        assert [len(page) for page in pages] == [10, 10, 4]
        listed = [one for page in pages for one in page]
        assert [one.id for one in listed] == sorted([point_id(n, 0) for n in names] + [point_id("gone", 2)])
        assert {one.memory_id: one.revision for one in listed} == {n: i + 1 for i, n in enumerate(names)} | {
            "gone": 9
        }

    async def test_revisions_of_some_memories_are_all_of_theirs_and_no_others(
        self, index: VectorIndex
    ) -> None:
        await index.upsert([window(name, n) for name in ("a", "b", "c") for n in range(3)])
        await index.upsert([tombstone("b", 1, 9)])

        pages = [await index.revisions(None, 4, ["a", "b"])]
        pages.append(await index.revisions(pages[0][-1].id, 4, ["a", "b"]))

        assert [len(page) for page in pages] == [4, 2]
        named = {(one.memory_id, one.window): one.dead for page in pages for one in page}
        assert named == {(name, n): (name, n) == ("b", 1) for name in ("a", "b") for n in range(3)}
        assert await index.revisions(None, 4, []) == []

    async def test_more_than_one_batch_is_stored_whole(self, index: VectorIndex) -> None:
        await index.upsert([window(f"m{n}", vector=(1.0, n / 100, 0.0, 0.0)) for n in range(257)])

        assert await index.count() == 257
        assert await found(index, limit=257) == [f"m{n}" for n in range(257)]

    @pytest.mark.parametrize(
        ("bad", "problem"),
        [
            (window("m", vector=(1.0, 0.0)), r"points\[1\].vector has 2 values, the collection has width 4"),
            (
                window("m", vector=(1.0, float("nan"), 0, 0)),
                r"points\[1\].vector holds a value that is not finite",
            ),
            (window("m", vector=(0.0, 0.0, 0.0, 0.0)), r"points\[1\].vector has length 0"),
            (window("m", revision="1"), r"points\[1\].payload.revision is missing or no whole number"),
            (window("m", window=None), r"points\[1\].payload.window is missing or no whole number"),
            (Point("x", EAST, {"window": 0, "revision": 1}), r"points\[1\].payload.memory_id is missing"),
            (window("m", dead=True), r"points\[1\].payload.dead must be true on a point without a vector"),
            (Point(point_id("m", 0), None, window("m").payload), r"points\[1\].payload.dead must be true"),
        ],
    )
    async def test_a_bad_point_is_named_and_nothing_is_stored(
        self, index: VectorIndex, bad: Point, problem: str
    ) -> None:
        with pytest.raises(InvalidInput, match=problem):
            await index.upsert([window("good"), bad])

        assert await index.count() == 0

    async def test_a_query_of_another_width_is_refused(self, index: VectorIndex) -> None:
        with pytest.raises(InvalidInput, match="vector has 3 values, the collection has width 4"):
            await index.search((1.0, 0.0, 0.0), ALL, 5)

    async def test_opening_again_finds_the_points(
        self, vector_store: VectorStore, index: VectorIndex
    ) -> None:
        await index.upsert([window("m1")])
        await index.close()

        again = await vector_store.open(index.collection, 4)

        assert (again.collection, again.width) == (index.collection, 4)
        assert await found(again) == ["m1"]

    async def test_another_width_is_refused_with_the_way_out(
        self, vector_store: VectorStore, index: VectorIndex
    ) -> None:
        await index.upsert([window("m1")])

        with pytest.raises(Misconfigured, match=r"stored width 4, the embedder gives 5.*graphmem reindex"):
            await vector_store.open(index.collection, 5)

        assert await found(index) == ["m1"]

    async def test_collections_are_listed_and_dropped(
        self, vector_store: VectorStore, index: VectorIndex
    ) -> None:
        other = await vector_store.open("battery-other", 4)
        await other.upsert([window("m1")])
        assert {index.collection, "battery-other"} <= set(await vector_store.collections())

        await vector_store.drop("battery-other")
        await vector_store.drop("battery-other")

        assert "battery-other" not in await vector_store.collections()
        assert await (await vector_store.open("battery-other", 4)).count() == 0
        await vector_store.drop("battery-other")

    async def test_a_store_that_answers_is_healthy(self, vector_store: VectorStore) -> None:
        await vector_store.health()
