"""The door: what callers may send, and what they are told when it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.memory.change_checks import (
    checked_forget,
    checked_restore,
    checked_supersede,
    checked_update,
)
from graphmem.memory.checks import checked_drawer, checked_fact, checked_filter
from graphmem.memory.commands import UNSET, MemoryFilter
from graphmem.memory.model import Kind, Label
from graphmem.memory.questions import checked_first, checked_query

ID = "0190a000-0000-7000-8000-000000000001"
MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
ROME = timezone(timedelta(hours=1))


@dataclass(frozen=True)
class Limits:
    fact_characters: int = 500
    drawer_characters: int = 100_000


LIMITS = Limits()
FACT: Mapping[str, Any] = {"path": "/work/plans", "content": "The launch is on Monday."}
DRAWER: Mapping[str, Any] = {"wing": "Team Notes", "room": "C++/Build times", "content": "It takes an hour."}


def refusal(call: Callable[[], object]) -> tuple[str, object, str]:
    """Field, limit and message of the refusal."""
    with pytest.raises(InvalidInput) as found:
        call()
    return found.value.field, found.value.limit, str(found.value)


def test_a_fact_arrives_in_its_normal_form() -> None:
    fact = checked_fact(
        LIMITS,
        path=" /Work/Plans/ ",
        content=" The launch is on Monday. ",
        tags=["Team=Core", "area=x=y"],
        keywords=["Launch", "launch", "monday"],
        names=["D-Day"],
        valid_from=datetime(2026, 1, 5, 1, tzinfo=ROME),
        language="EN",
    )

    assert fact.path == "/work/plans"
    assert fact.content == " The launch is on Monday. "
    assert fact.kind is Kind.FACT
    assert fact.tags == ("area=x=y", "team=Core")
    assert fact.keywords == ("Launch", "monday")
    assert fact.names == ("D-Day",)
    assert fact.valid_from == MONDAY
    assert fact.valid_from is not None
    assert fact.valid_from.tzinfo is UTC
    assert fact.language == "en"


def test_content_of_exactly_the_limit_passes() -> None:
    assert len(checked_fact(LIMITS, path="/a", content="x" * 500).content) == 500


@pytest.mark.parametrize(
    ("given", "field", "limit", "problem"),
    [
        ({"path": "/"}, "path", None, "is the root, which holds no memories"),
        ({"path": "work"}, "path", None, "does not start with /"),
        ({"path": "/a//b"}, "path", None, "empty segment"),
        ({"path": "/a/../b"}, "path", None, "'..'"),
        ({"path": "/" + "x" * 129}, "path", 128, "the limit is 128"),
        ({"path": "/" + "/".join(["x" * 100] * 11)}, "path", 1024, "the limit is 1024"),
        ({"content": ""}, "content", None, "is empty"),
        ({"content": " \n\t "}, "content", None, "is empty"),
        ({"content": "x" * 501}, "content", 500, "has 501 characters, the limit is 500"),
        ({"content": "ab\ud800"}, "content", None, "half of a surrogate pair at character 2"),
        ({"content": "a\0b"}, "content", None, "a NUL character at character 1"),
        ({"title": "x" * 201}, "title", 200, "the limit is 200"),
        ({"title": ""}, "title", None, "is empty"),
        ({"summary": "x" * 501}, "summary", 500, "the limit is 500"),
        ({"tags": ["owner=me"]}, "tags", None, "'owner'"),
        ({"tags": ["team"]}, "tags", None, "has no '='"),
        ({"tags": ["team=a", "team=b"]}, "tags", None, "two values"),
        ({"keywords": [f"k{at}" for at in range(21)]}, "keywords", 20, "the limit is 20"),
        ({"keywords": [" "]}, "keywords", None, "is empty"),
        ({"names": [f"n{at}" for at in range(21)]}, "names", 20, "the limit is 20"),
        ({"sources": [f"s{at}" for at in range(21)]}, "sources", 20, "the limit is 20"),
        ({"importance": 1.01}, "importance", 1, "lies between 0 and 1"),
        ({"confidence": -0.1}, "confidence", 1, "lies between 0 and 1"),
        ({"importance": float("nan")}, "importance", 1, "lies between 0 and 1"),
        ({"valid_from": datetime(2026, 1, 5)}, "validFrom", None, "has no time zone"),  # noqa: DTZ001
        ({"valid_from": MONDAY, "valid_to": MONDAY}, "validTo", None, "is not after validFrom"),
        ({"expires_at": datetime(2026, 1, 5)}, "expiresAt", None, "has no time zone"),  # noqa: DTZ001
        ({"expires_at": datetime(1, 1, 1, tzinfo=ROME)}, "expiresAt", None, "the years 1 to 9999"),
        ({"language": "english"}, "language", None, "ISO 639-1"),
        ({"idempotency_key": "k" * 201}, "idempotencyKey", 200, "the limit is 200"),
        ({"idempotency_key": ""}, "idempotencyKey", None, "is empty"),
    ],
)
def test_a_refused_fact_names_field_value_and_limit(
    given: Mapping[str, Any], field: str, limit: object, problem: str
) -> None:
    refused = refusal(lambda: checked_fact(LIMITS, **{**FACT, **given}))

    assert refused[:2] == (field, limit)
    assert problem in refused[2]


def test_a_drawer_stands_in_its_room_and_keeps_the_names_that_were_written() -> None:
    drawer = checked_drawer(LIMITS, **DRAWER, line_start=3, line_end=3, source_file="notes/a.md")

    assert drawer.path.startswith("/palace/team-notes/c-")
    assert drawer.path.endswith("/build-times")
    assert (drawer.wing_name, drawer.room_names) == ("Team Notes", ("C++", "Build times"))
    assert (drawer.source_file, drawer.line_start, drawer.line_end) == ("notes/a.md", 3, 3)


@pytest.mark.parametrize(
    ("given", "field", "problem"),
    [
        ({"wing": " "}, "wing", "is empty"),
        ({"room": ""}, "room", "is empty"),
        ({"room": "a//b"}, "room", "is empty"),
        ({"wing": "a\ud800"}, "wing", "is not text"),
        ({"content": "x" * 100_001}, "content", "the limit is 100000"),
        ({"line_start": 0}, "lineStart", "lines count from 1"),
        ({"line_start": 5, "line_end": 4}, "lineEnd", "before lineStart 5"),
        ({"line_end": 4}, "lineEnd", "without lineStart"),
        ({"emotional_weight": 2.0}, "emotionalWeight", "lies between 0 and 1"),
        ({"source_file": "x" * 1_025}, "sourceFile", "the limit is 1024"),
    ],
)
def test_a_refused_drawer_names_the_field(given: Mapping[str, Any], field: str, problem: str) -> None:
    refused = refusal(lambda: checked_drawer(LIMITS, **{**DRAWER, **given}))

    assert refused[0] == field
    assert problem in refused[2]


@pytest.mark.parametrize(
    "id",
    [
        "",
        "1",
        "memory-1",
        ID.upper().replace("0190", "ABCD"),
        ID.replace("-7000-", "-4000-"),
        ID + "0",
        "{" + ID + "}",
        ID.replace("-", ""),
    ],
)
def test_an_id_of_the_wrong_shape_is_refused_everywhere(id: str) -> None:
    for call in (
        lambda: checked_supersede(LIMITS, id=id, content="x"),
        lambda: checked_update(LIMITS, id=id),
        lambda: checked_forget(id=id),
        lambda: checked_restore(id=id),
    ):
        field, _, message = refusal(call)
        assert field == "id"
        assert "is not the id of a memory" in message


def test_an_update_tells_what_was_left_out_from_what_is_taken_away() -> None:
    update = checked_update(LIMITS, id=ID, title=None, keywords=None, importance=0.5)

    assert (update.title, update.keywords, update.importance) == (None, (), 0.5)
    assert update.content is UNSET
    assert update.valid_from is UNSET
    assert update.tags is UNSET


@pytest.mark.parametrize("field", ["content", "kind", "path"])
def test_what_every_memory_has_cannot_be_taken_away(field: str) -> None:
    refused = refusal(lambda: checked_update(LIMITS, id=ID, **{field: None}))

    assert refused[0] == field
    assert refused[2] == f"{field} cannot be taken away; leave it out to keep it"


def test_an_update_may_have_the_length_of_a_drawer() -> None:
    checked_update(LIMITS, id=ID, content="x" * 100_000)

    assert refusal(lambda: checked_update(LIMITS, id=ID, content="x" * 100_001))[:2] == ("content", 100_000)


@pytest.mark.parametrize("version", [0, -1])
def test_versions_count_from_one(version: int) -> None:
    assert refusal(lambda: checked_update(LIMITS, id=ID, expected_version=version))[0] == "expectedVersion"


def test_a_changed_span_is_checked_where_both_ends_are_given() -> None:
    tuesday = MONDAY + timedelta(days=1)

    assert checked_supersede(LIMITS, id=ID, content="x", valid_to=MONDAY).valid_to == MONDAY
    assert (
        refusal(lambda: checked_supersede(LIMITS, id=ID, content="x", valid_from=tuesday, valid_to=MONDAY))[0]
        == "validTo"
    )


def test_no_filter_narrows_nothing() -> None:
    assert checked_filter() == MemoryFilter()


def test_a_filter_arrives_in_its_normal_form() -> None:
    wanted = checked_filter(
        under="/Work/",
        labels=[Label.FACT, Label.FACT],
        kinds=[Kind.PIN],
        tags=["Team=Core"],
        keywords=["a", "A"],
    )

    assert wanted == MemoryFilter(
        under="/work", labels=(Label.FACT,), kinds=(Kind.PIN,), tags=("team=Core",), keywords=("a",)
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"under": "work"}, "filter.under"),
        ({"tags": ["x"]}, "filter.tags"),
        ({"keywords": [""]}, "filter.keywords"),
        ({"created_after": datetime(2026, 1, 5)}, "filter.createdAfter"),  # noqa: DTZ001
        ({"source": "\0"}, "filter.source"),
    ],
)
def test_a_refused_filter_names_the_field_inside_it(given: Mapping[str, Any], field: str) -> None:
    assert refusal(lambda: checked_filter(**given))[0] == field


@pytest.mark.parametrize("query", ["", " ", '+-&&||!(){}[]^"~*?:\\/', "a AND NOT", "日本語", "x" * 10_000])
def test_any_text_is_a_query(query: str) -> None:
    assert checked_query(query) == query


@pytest.mark.parametrize("query", ["x" * 10_001, "\ud800", "\0"])
def test_what_is_no_text_or_too_long_is_no_query(query: str) -> None:
    assert refusal(lambda: checked_query(query))[0] == "query"


@pytest.mark.parametrize(("first", "limit"), [(0, 1), (-1, 1), (101, 100), (2**31 - 1, 100)])
def test_a_page_holds_one_to_a_hundred(first: int, limit: int) -> None:
    assert (checked_first(1), checked_first(100)) == (1, 100)
    assert refusal(lambda: checked_first(first))[:2] == ("first", limit)
