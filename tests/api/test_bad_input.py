"""Bad input over HTTP: one clear error with code, field and limit, and nothing stored."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.asking import ADD_DRAWERS, IMPORT, STORE, STORE_MANY, Asker, store

pytestmark = pytest.mark.stores

NOBODY = "0190a000-0000-7000-8000-000000000001"
COUNT = '{ status { memories } path(path: "/") { memoryCountBelow } }'


async def stored(ask: Asker) -> Any:
    """What the store says it holds."""
    return await ask(COUNT)


@pytest.mark.parametrize(
    ("given", "field", "limit"),
    [
        ({"path": "work"}, "path", None),
        ({"path": "/"}, "path", None),
        ({"path": "/a/" + "x" * 129}, "path", 128),
        ({"content": ""}, "content", None),
        ({"content": "x" * 501}, "content", 500),
        ({"content": "\ud800"}, "content", None),
        ({"content": "a\0"}, "content", None),
        ({"tags": ["owner=somebody"]}, "tags", None),
        ({"importance": 7.0}, "importance", 1),
        ({"sources": ["a", "graphmem:seed"]}, "sources", None),
        ({"validFrom": "2026-01-06T00:00:00Z", "validTo": "2026-01-05T00:00:00Z"}, "validTo", None),
        ({"idempotencyKey": "k" * 201}, "idempotencyKey", 200),
    ],
)
async def test_a_refused_fact_is_not_stored(
    shared_ask: Asker, given: dict[str, object], field: str, limit: object
) -> None:
    before = await stored(shared_ask)

    refused = await shared_ask.refusal(STORE, input={"path": "/work/a", "content": "x", **given})

    assert (refused.code, refused.field, refused.limit) == ("INVALID_INPUT", field, limit)
    assert await stored(shared_ask) == before


async def test_a_bad_row_refuses_its_batch_and_is_named(shared_ask: Asker) -> None:
    before = await stored(shared_ask)
    rows: list[dict[str, object]] = [{"path": "/work/a", "content": f"fact {at}"} for at in range(5)]
    rows[3] = {"path": "/work/a", "content": "x" * 501}

    refused = await shared_ask.refusal(STORE_MANY, input=rows)

    assert (refused.code, refused.field, refused.limit) == ("INVALID_INPUT", "input[3].content", 500)
    assert refused.index == 3
    assert refused.message == "input[3].content has 501 characters, the limit is 500"
    assert await stored(shared_ask) == before


async def test_a_bad_drawer_refuses_its_batch_and_is_named(shared_ask: Asker) -> None:
    rows = [{"wing": "w", "room": "r", "content": "good"}, {"wing": "w", "room": " ", "content": "bad"}]

    refused = await shared_ask.refusal(ADD_DRAWERS, input=rows)

    assert (refused.code, refused.field) == ("INVALID_INPUT", "input[1].room")


async def test_a_batch_of_more_than_a_thousand_is_refused(shared_ask: Asker) -> None:
    rows = [{"path": "/a", "content": str(at)} for at in range(1_001)]

    refused = await shared_ask.refusal(STORE_MANY, input=rows)

    assert (refused.code, refused.limit) == ("LIMIT_EXCEEDED", 1_000)


@pytest.mark.parametrize(
    "document",
    [
        "query Q($id: ID!) { memory(id: $id) { id } }",
        "query Q($id: ID!) { node(id: $id) { id } }",
        'query Q($id: ID!) { whyNot(id: $id, query: "x") { found } }',
        'mutation M($id: ID!) { supersedeFact(input: {id: $id, content: "x"}) { action } }',
        "mutation M($id: ID!) { updateMemory(input: {id: $id, keywords: []}) { action } }",
        "mutation M($id: ID!) { forgetMemory(input: {id: $id}) { action } }",
        "mutation M($id: ID!) { restoreMemory(input: {id: $id}) { action } }",
    ],
)
async def test_ids_that_are_not_there_and_ids_of_the_wrong_shape(shared_ask: Asker, document: str) -> None:
    unknown = await shared_ask.refusal(document, id=NOBODY)
    misshapen = await shared_ask.refusal(document, id="42")

    assert unknown.code == "NOT_FOUND"
    assert (misshapen.code, misshapen.field) == ("INVALID_INPUT", "id")


async def test_a_memory_that_is_not_there_is_null_beside_what_is(shared_ask: Asker) -> None:
    id = await store(shared_ask, "/work/a", "here")

    answer = await shared_ask.answer(
        f'{{ here: memory(id: "{id}") {{ id }} gone: memory(id: "{NOBODY}") {{ id }} }}'
    )

    assert answer["data"] == {"here": {"id": id}, "gone": None}
    assert [error["path"] for error in answer["errors"]] == [["gone"]]


@pytest.mark.parametrize("path", ["/nowhere", "/work/a/b"])
async def test_a_path_below_which_nothing_stands_is_not_found(shared_ask: Asker, path: str) -> None:
    await store(shared_ask, "/work/a", f"not at {path}")

    refused = await shared_ask.refusal("query Q($p: String!) { path(path: $p) { path } }", p=path)

    assert (refused.code, refused.message) == ("NOT_FOUND", f"no path '{path}'")


@pytest.mark.parametrize(
    ("document", "field", "limit"),
    [
        ("{ facts(first: 101) { nodes { id } } }", "first", 100),
        ("{ facts(first: 0) { nodes { id } } }", "first", 1),
        ('{ search(query: "x", first: 500) { nodes { id } } }', "first", 100),
        ('{ facts(after: "nonsense") { nodes { id } } }', "after", None),
        ('{ search(query: "x", after: "") { nodes { id } } }', "after", None),
        ('{ path(path: "/") { memories(first: 101) { nodes { id } } } }', "first", 100),
        ('{ facts(filter: {under: "work"}) { nodes { id } } }', "filter.under", None),
    ],
)
async def test_pages_cursors_and_filters_out_of_range(
    shared_ask: Asker, document: str, field: str, limit: object
) -> None:
    refused = await shared_ask.refusal(document)

    assert (refused.code, refused.field, refused.limit) == ("INVALID_INPUT", field, limit)


async def test_a_cursor_of_another_list_is_refused(shared_ask: Asker) -> None:
    await store(shared_ask, "/work/a", "one of two lists")
    page = (await shared_ask("{ facts(first: 1) { pageInfo { endCursor } } }"))["facts"]
    cursor = page["pageInfo"]["endCursor"]

    refused = await shared_ask.refusal(
        "query Q($after: String) { facts(orderBy: OLDEST, after: $after) { nodes { id } } }", after=cursor
    )

    assert (refused.code, refused.field) == ("INVALID_INPUT", "after")
    assert cursor[:20] in refused.message
    assert "is of another list; begin again without it" in refused.message


async def test_a_time_without_a_zone_is_refused_before_anything_runs(shared_ask: Asker) -> None:
    answer = await shared_ask.answer(
        STORE, input={"path": "/work/a", "content": "x", "validFrom": "2026-01-05T00:00:00"}
    )

    [error] = answer["errors"]
    assert error["extensions"]["code"] == "INVALID_INPUT"
    assert "end it with Z" in error["message"]
    assert "data" not in answer


@pytest.mark.parametrize(
    ("given", "field", "limit"),
    [
        ({"goneFiles": ["a.md", "\ud800"]}, "goneFiles[1]", None),
        ({"goneFiles": ["a\0.md"]}, "goneFiles[0]", None),
        ({"goneFiles": [" "]}, "goneFiles[0]", None),
        ({"goneFiles": ["x" * 1_025]}, "goneFiles[0]", 1_024),
        ({"files": [{"path": "\ud800.md", "text": "x"}]}, "files[0].path", None),
        ({"files": [{"path": "a\0.md", "text": "x"}]}, "files[0].path", None),
        ({"wing": "C++" + "!" * 400}, "wing", 200),
    ],
)
async def test_notes_that_no_report_could_name_are_refused(
    shared_ask: Asker, given: dict[str, object], field: str, limit: object
) -> None:
    refused = await shared_ask.refusal(IMPORT, input={"wing": "W", "files": [], **given})

    assert (refused.code, refused.field, refused.limit) == ("INVALID_INPUT", field, limit)


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("", "x", "path is empty"),
        ("x" * 1_025, "x", "path has 1025 characters, the limit is 1024"),
        ("a.md", "\ud800", "text holds half of a surrogate pair at character 0; send valid Unicode text"),
        ("a.md", "a\0", "text holds a NUL character at character 1; send valid Unicode text"),
        (f"C{'!' * 200}/a.md", "x", f"folder 'C{'!' * 59}…' has 201 characters, the limit is 200"),
    ],
)
async def test_a_file_that_cannot_be_filed_fails_alone(
    shared_ask: Asker, path: str, text: str, reason: str
) -> None:
    files = [{"path": path, "text": text}, {"path": "fine.md", "text": "Fine."}]

    report = (await shared_ask(IMPORT, input={"wing": "Alone", "files": files}))["importMarkdown"]

    assert report["failed"] == [{"path": path, "reason": reason}]
    assert report["stored"] + report["unchanged"] == 1


@pytest.mark.parametrize("query", ['"', "a AND (", "/.*/", "field:value", "[* TO *]", "~~~", "\\", "   ", ""])
async def test_any_text_is_a_legal_search(shared_ask: Asker, query: str) -> None:
    await store(shared_ask, "/work/a", f"something to find beside {query!a}")

    found = await shared_ask("query Q($q: String!) { search(query: $q) { degraded } }", q=query)

    assert found["search"]["degraded"] == []
