"""Keys: equal for equal things, different for all others, whatever stands inside a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.keys import (
    dedupe_key,
    idempotency_key,
    input_hash,
    link_key,
    linked_path,
    scope_key,
    section_key,
)
from graphmem.memory.text import normal_form

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
SEPARATORS = st.text(alphabet='ab|/,:=\0\x1f"[]\\ \n', max_size=6)


def fact(**changes: object) -> str:
    """The key of a fact that differs from another one in ``changes`` only."""
    values: dict[str, object] = {
        "path": "/a",
        "owner": "ann",
        "tags": ("env=prod", "owner=ann"),
        "valid_from": NOON,
        "valid_to": None,
        "pin_key": None,
        "content": "Use Redis",
    }
    return dedupe_key(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "same",
    [
        {"content": "  use\nREDIS "},
        {"tags": ("owner=ann", "env=prod")},
        {"valid_from": NOON.astimezone(timezone(timedelta(hours=5)))},
    ],
    ids=["case and white space", "order of tags", "time zone"],
)
def test_T020_what_does_not_count_makes_no_other_fact(same: dict[str, object]) -> None:
    assert fact(**same) == fact()


@pytest.mark.parametrize(
    "other",
    [
        {"path": "/b"},
        {"owner": "bob"},
        {"tags": ("owner=ann",)},
        {"valid_from": None},
        {"valid_from": None, "valid_to": NOON},
        {"valid_from": NOON + timedelta(microseconds=1)},
        {"pin_key": ""},
        {"pin_key": "x"},
        {"content": "Use Rediss"},
    ],
    ids=str,
)
def test_R18_merging_never_crosses_place_owner_tags_validity_or_pin(other: dict[str, object]) -> None:
    assert fact(**other) != fact()


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="without a time zone"):
        fact(valid_from=datetime(2026, 1, 5))  # noqa: DTZ001 - the point of the test


@given(st.lists(SEPARATORS, min_size=3, max_size=3), st.lists(SEPARATORS, min_size=3, max_size=3))
def test_no_separator_inside_a_value_makes_two_sections_meet(one: list[str], other: list[str]) -> None:
    keys = [section_key(owner, path, file, [], 0) for owner, path, file in (one, other)]

    assert (keys[0] == keys[1]) == (one == other)


@given(st.lists(SEPARATORS, max_size=4), st.lists(SEPARATORS, max_size=4))
def test_no_separator_inside_a_heading_makes_two_sections_meet(one: list[str], other: list[str]) -> None:
    keys = [section_key("ann", "/a", "f.md", headings, 0) for headings in (one, other)]

    assert (keys[0] == keys[1]) == (one == other)


@given(SEPARATORS, st.lists(SEPARATORS, max_size=3), SEPARATORS, st.lists(SEPARATORS, max_size=3))
def test_a_scope_is_its_path_and_its_tags(path: str, tags: list[str], other: str, others: list[str]) -> None:
    same = (path, sorted(tags)) == (other, sorted(others))

    assert (scope_key(path, tags) == scope_key(other, others)) == same


@given(SEPARATORS, SEPARATORS, SEPARATORS, SEPARATORS)
def test_two_subjects_never_share_an_idempotency_key(one: str, key: str, other: str, second: str) -> None:
    same = (one, key) == (other, second)

    assert (idempotency_key(one, key) == idempotency_key(other, second)) == same


def test_the_ordinal_tells_equal_headings_apart() -> None:
    assert section_key("ann", "/a", "f.md", ["X"], 1) != section_key("ann", "/a", "f.md", ["X"], 2)


def test_keys_of_different_kinds_never_meet() -> None:
    assert idempotency_key("/a", "b") != scope_key("/a", ["b"])
    assert link_key("a") != input_hash("a")


def test_a_key_shows_nothing_of_what_it_was_made_from() -> None:
    for key in (fact(), scope_key("/a", ["owner=ann"]), link_key("secret"), input_hash({"a": 1})):
        assert re.fullmatch(r"[0-9a-f]{40}", key)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Project Plan", " project  plan "),
        ("/A/B/", "/a/b"),
        ("/ｗｏｒｋ", "/work"),
        ("/a b", "/A  B"),
        ("É", "e\u0301"),
    ],
)
def test_a_link_meets_what_it_names(one: str, other: str) -> None:
    assert link_key(one) == link_key(other)


@pytest.mark.parametrize(("one", "other"), [("a/b", "/a/b"), ("a", "/a"), ("C", "C++"), ("x2", "x²")])
def test_a_link_does_not_meet_other_names(one: str, other: str) -> None:
    assert link_key(one) != link_key(other)


@given(st.text(), st.text())
def test_titles_meet_by_their_normal_form(one: str, other: str) -> None:
    titles = [f"t{one}", f"t{other}"]

    assert (link_key(titles[0]) == link_key(titles[1])) == (normal_form(titles[0]) == normal_form(titles[1]))


@dataclass(frozen=True, slots=True)
class Sent:
    text: str
    at: datetime | None = None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4))
def test_the_order_of_fields_does_not_count(value: dict[str, object]) -> None:
    assert input_hash(value) == input_hash(dict(reversed(value.items())))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": "1"}),
        ({"a": None}, {}),
        ([1, 2], [2, 1]),
        (Sent("x"), {"text": "x", "at": None}),
        (Sent("x", NOON), Sent("x", NOON + timedelta(seconds=1))),
        (["ab"], ["a", "b"]),
        (True, 1),
    ],
    ids=str,
)
def test_other_inputs_have_other_hashes(one: object, other: object) -> None:
    assert input_hash(one) != input_hash(other)


def test_equal_inputs_have_one_hash() -> None:
    assert input_hash(Sent("x", NOON)) == input_hash(Sent("x", NOON.astimezone(timezone(timedelta(hours=2)))))
    assert input_hash({"a", "b"}) == input_hash({"b", "a"})
    assert input_hash(("a", 1)) == input_hash(["a", 1])


def test_what_has_no_hash_is_refused() -> None:
    with pytest.raises(TypeError, match="of type object"):
        input_hash({"a": object()})
    with pytest.raises(ValueError, match="not JSON compliant"):
        input_hash(float("nan"))


@pytest.mark.parametrize(
    ("text", "path"),
    [(" /A/b/ ", "/a/b"), ("/", "/"), ("a/b", None), ("/a b", None), ("", None), ("//x", None)],
)
def test_a_link_that_is_a_path_names_its_normal_path(text: str, path: str | None) -> None:
    assert linked_path(text) == path
