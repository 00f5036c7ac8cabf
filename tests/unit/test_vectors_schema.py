"""Names, times and the list of indexed fields."""

from __future__ import annotations

from graphmem.vectors.index import collection_name, point_id, tombstone
from graphmem.vectors.schema import payload_schema

DESIGN_FIELDS = {
    "path", "ancestors", "tags", "tag_keys", "live", "label", "kind", "keywords", "source", "session_key",
    "wing", "room", "created_at", "valid_from", "valid_to",
}  # fmt: skip


def test_every_field_that_a_filter_may_name_is_indexed() -> None:
    fields = payload_schema().fields

    assert set(fields) == DESIGN_FIELDS | {"memory_id", "dead"}
    assert {name for name, kind in fields.items() if kind == "datetime"} == {
        "created_at",
        "valid_from",
        "valid_to",
    }
    assert {name for name, kind in fields.items() if kind == "bool"} == {"live", "dead"}


def test_point_ids_never_change() -> None:
    """Stored points are found by these ids: a new formula would orphan every index."""
    assert point_id("0199a5f2-0000-7000-8000-000000000001", 0) == "7934c23f-1329-5759-86bf-0b0d86de1170"


def test_a_tombstone_is_a_point_of_its_window_without_a_vector() -> None:
    grave = tombstone("m1", 3, 9)

    assert (grave.id, grave.vector) == (point_id("m1", 3), None)
    assert grave.payload == {"memory_id": "m1", "window": 3, "revision": 9, "dead": True}


def test_a_collection_is_named_after_all_that_makes_vectors() -> None:
    name = collection_name("openai:text-embedding-3@https://api.example.org/v1", 1536, "recipe/1")

    assert name.startswith("memories-openai-text-embedding-3-")
    assert "-1536-" in name
    others = {
        collection_name("minilm", 384, "recipe/1"),
        collection_name("minilm", 384, "recipe/2"),
        collection_name("minilm", 256, "recipe/1"),
        collection_name("mini-lm", 384, "recipe/1"),
    }
    assert len(others) == 4
    assert collection_name("minilm", 384, "recipe/1") in others
