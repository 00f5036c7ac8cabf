"""Batches of rows, and the drawers that rows become."""

from __future__ import annotations

from graphmem.bench.client import BODY_BYTES, body_bytes
from graphmem.bench.corpus import Row
from graphmem.bench.documents import ADD_DRAWERS
from graphmem.bench.ingest import batches, drawer


def rows(number: int, characters: int = 10) -> list[Row]:
    return [Row(f"row {index}", "g", "é" * characters) for index in range(number)]


def test_batches_keep_the_order_and_every_row() -> None:
    found = list(batches(rows(450), most=200))

    assert [len(batch) for batch in found] == [200, 200, 50]
    assert [row.id for batch in found for row in batch] == [f"row {index}" for index in range(450)]


def test_a_batch_of_long_texts_stays_within_the_body() -> None:
    found = list(batches(rows(60, characters=30_000)))

    sizes = [body_bytes(ADD_DRAWERS, {"input": [drawer(row) for row in batch]}) for batch in found]
    assert sum(map(len, found)) == 60
    assert all(size <= BODY_BYTES for size in sizes)
    assert sizes[0] > 0.9 * BODY_BYTES


def test_a_row_larger_than_a_body_is_sent_alone_for_the_service_to_refuse() -> None:
    found = list(batches([*rows(1), Row("large", "g", "x" * 2_000_000), *rows(1)]))

    assert [[row.id for row in batch] for batch in found] == [["row 0"], ["large"], ["row 0"]]


def test_no_rows_make_no_batches() -> None:
    assert list(batches([])) == []


def test_a_drawer_stands_in_the_room_of_its_group_and_names_its_row() -> None:
    assert drawer(Row("t1", "Talk B", "The kettle.", "Kitchen")) == {
        "wing": "bench",
        "room": "Talk B",
        "content": "The kettle.",
        "sourceFile": "t1",
        "title": "Kitchen",
    }
    assert "title" not in drawer(Row("t1", "Talk B", "The kettle."))
