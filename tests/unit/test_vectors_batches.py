"""Points go in batches that no search can meet half of a memory in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphmem.vectors.batches import checked_batches
from graphmem.vectors.index import UPSERT_BATCH, Point, point_id


def windows(memory: str, number: int) -> list[Point]:
    return [
        Point(point_id(memory, at), [1.0, 0.0], {"memory_id": memory, "window": at, "revision": 1})
        for at in range(number)
    ]


@given(sizes=st.lists(st.integers(1, 150), max_size=12))
def test_windows_of_a_memory_stay_together_and_batches_stay_small(sizes: list[int]) -> None:
    points = [point for at, size in enumerate(sizes) for point in windows(f"m{at}", size)]

    batches = list(checked_batches(points, 2))

    assert [point for batch in batches for point in batch] == points
    memories = [{str(point.payload["memory_id"]) for point in batch} for batch in batches]
    assert sum(map(len, memories)) == len(sizes)
    assert all(
        len(batch) <= UPSERT_BATCH or len(found) == 1 for batch, found in zip(batches, memories, strict=True)
    )


def test_as_many_memories_share_a_batch_as_fit() -> None:
    points = [point for at in range(3) for point in windows(f"m{at}", UPSERT_BATCH // 2)]

    assert [len(batch) for batch in checked_batches(points, 2)] == [UPSERT_BATCH, UPSERT_BATCH // 2]
