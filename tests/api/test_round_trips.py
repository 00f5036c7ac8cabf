"""How many round trips to Neo4j an operation makes: they grow with its depth, never with the size of a page.

A page of hits takes at most three; each field that leads from there to other things takes one more, for all
things of its level together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from graphmem.api.context import Context
from graphmem.api.schema import schema
from graphmem.graph.round_trips import round_trips
from graphmem.service.platform import Caller, Platform
from tests.running import indexed

pytestmark = pytest.mark.stores

PLACES = 6
FACTS = 60


@dataclass(frozen=True)
class Case:
    """A named document, and the most round trips that it may make."""

    name: str
    document: str
    most: int


def search(selection: str) -> str:
    return (
        f'query Q($first: Int) {{ search(query: "plane", first: $first) {{ nodes {{ id {selection} }} }} }}'
    )


def facts(selection: str) -> str:
    return f"query Q($first: Int) {{ facts(first: $first) {{ nodes {{ id {selection} }} }} }}"


CASES = [
    Case("hits", search("content title score: signalStrength tags"), 3),
    Case("hits with their history", search("history { version content }"), 4),
    Case("hits with their links", search("links { text target }"), 4),
    Case("hits with linked memories", search("links { memory { id title } }"), 5),
    Case("hits with linked memories and their places", search("links { memory { place { path } } }"), 6),
    Case("hits with linked paths", search("links { path { path memoryCount } }"), 5),
    Case("hits with their backlinks", search("backlinks(first: 3) { id }"), 4),
    Case("hits with their places", search("place { path memoryCountBelow }"), 4),
    Case("hits with the neighbours of their places", search("place { parent { children { path } } }"), 6),
    Case("hits with what stands beside them", search("place { memories(first: 3) { nodes { id } } }"), 5),
    Case("facts", facts("content path"), 1),
    Case("facts with history and links", facts("history { id } links { memory { id } }"), 4),
    Case(
        "a tree with memories",
        "query Q($first: Int) { tree { path memories(first: $first) { nodes { id } } } }",
        2,
    ),
    Case(
        "a path, its parent, its children and their memories",
        'query Q($first: Int) { path(path: "/planes") { parent { path } children { path memories(first: $first) '
        "{ nodes { id } } } } }",
        4,
    ),
    Case(
        "several memories by id, with history",
        "query Q($a: ID!, $b: ID!) { a: memory(id: $a) { history { id } } "
        "b: memory(id: $b) { history { id } } c: node(id: $a) { id } }",
        2,
    ),
]


@pytest.fixture
async def ids(platform: Platform, caller: Caller) -> list[str]:
    """Facts about planes at a few places, each linked to the next and to its place, each superseded once."""
    rows = [
        {
            "path": f"/planes/p{at % PLACES}",
            "title": f"Note {at}",
            "content": f"plane {at} is like [[Note {(at + 1) % FACTS}]] at [[/planes/p{at % PLACES}]]",
        }
        for at in range(FACTS)
    ]
    stored = await run(
        caller,
        "mutation M($input: [StoreFactInput!]!) { storeFacts(input: $input) { memoryId } }",
        {"input": rows},
    )
    first = [receipt["memoryId"] for receipt in stored["storeFacts"]]
    heads = []
    for id, row in zip(first, rows, strict=True):
        changed = await run(
            caller,
            "mutation M($input: SupersedeFactInput!) { supersedeFact(input: $input) { memoryId } }",
            {"input": {"id": id, "content": row["content"] + " again"}},
        )
        heads.append(changed["supersedeFact"]["memoryId"])
    await indexed(platform)
    return heads


async def run(caller: Caller, document: str, variables: dict[str, object]) -> dict[str, Any]:
    """The data of an operation that runs in this process."""
    result = await schema.execute(document, variable_values=variables, context_value=Context.of(caller))
    assert result.errors is None
    assert result.data is not None
    return result.data


async def counted(caller: Caller, case: Case, variables: dict[str, object]) -> list[str]:
    """The names of the round trips that the operation made."""
    with round_trips() as counter:
        await run(caller, case.document, variables)
    return counter.names


async def test_round_trips_grow_with_depth_and_not_with_size(caller: Caller, ids: list[str]) -> None:
    seen = {}
    for case in CASES:
        few = await counted(caller, case, {"first": 5, "a": ids[0], "b": ids[1]})
        many = await counted(caller, case, {"first": 50, "a": ids[0], "b": ids[1]})
        seen[case.name] = (len(few), len(many), case.most)

    assert len(CASES) == 15
    assert {name: counts for name, counts in seen.items() if not 0 < counts[0] <= counts[2]} == {}
    assert {name: counts for name, counts in seen.items() if counts[0] != counts[1]} == {}


async def test_the_pages_of_that_test_are_full(caller: Caller, ids: list[str]) -> None:
    document = search(
        "history { version } links { memory { id } path { path } } backlinks(first: 3) { id } place { path }"
    )
    page = await run(caller, document, {"first": 50})
    nodes = page["search"]["nodes"]

    assert len(nodes) == 50
    for node in nodes:
        assert [version["version"] for version in node["history"]] == [2, 1]
        assert [link["memory"] is None for link in node["links"]] == [False, True]
        assert [link["path"] is None for link in node["links"]] == [True, False]
        assert len(node["backlinks"]) == 1
        assert node["place"]["path"].startswith("/planes/p")


async def test_similar_memories_cost_nothing_unless_they_are_selected(caller: Caller, ids: list[str]) -> None:
    def store(at: int, selection: str) -> tuple[str, dict[str, object]]:
        document = (
            f"mutation M($input: [StoreFactInput!]!) {{ storeFacts(input: $input) {{ action {selection} }} }}"
        )
        rows = [{"path": "/more", "content": f"plane {at} and {row}"} for row in range(20)]
        return document, {"input": rows}

    with round_trips() as without:
        await run(caller, *store(1, ""))
    with round_trips() as within:
        await run(caller, *store(2, "similar { id }"))

    assert within.count - without.count in (1, 2)
