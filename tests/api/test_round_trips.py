"""How many round trips to Neo4j an operation makes: they grow with its depth, never with the size of a page.

A page of hits takes at most three; each field that leads from there to other things takes one more, for all
things of its level together.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.api.context import Context
from graphmem.api.schema import schema
from graphmem.graph.client import GraphClient
from graphmem.graph.round_trips import round_trips
from graphmem.local.ready import Neo4jAddress
from graphmem.service.platform import Caller
from graphmem.vectors.index import VectorStore
from tests.running import emptied, indexed, open_test_platform

pytestmark = pytest.mark.stores

PLACES = 6
FACTS = 60


@dataclass(frozen=True)
class Case:
    """A named document, and the most round trips that it may make."""

    name: str
    document: str
    most: int


STORE = "mutation M($input: [StoreFactInput!]!) { storeFacts(input: $input) { memoryId } }"
SUPERSEDE = "mutation M($input: SupersedeFactInput!) { supersedeFact(input: $input) { memoryId } }"


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
        'query Q($first: Int) { path(path: "/planes") { parent { path } '
        "children { path memories(first: $first) { nodes { id } } } } }",
        4,
    ),
    Case(
        "several memories by id, with history",
        "query Q($a: ID!, $b: ID!) { a: memory(id: $a) { history { id } } "
        "b: memory(id: $b) { history { id } } c: node(id: $a) { id } }",
        2,
    ),
]


@dataclass(frozen=True)
class Planes:
    """Who asks, and the ids of the heads."""

    caller: Caller
    ids: list[str]


@pytest.fixture(scope="module")
async def planes(
    graph: GraphClient, neo4j_address: Neo4jAddress, edge_store: VectorStore
) -> AsyncIterator[Planes]:
    """Facts about planes at a few places, each linked to the next and to its place, each superseded once."""
    await emptied(neo4j_address)
    async with open_test_platform(graph, edge_store) as platform:
        caller = Caller.of(platform, DEFAULT_SUBJECT)
        rows = [
            {
                "path": f"/planes/p{at % PLACES}",
                "title": f"Note {at}",
                "content": f"plane {at} is like [[Note {(at + 1) % FACTS}]] at [[/planes/p{at % PLACES}]]",
            }
            for at in range(FACTS)
        ]
        stored = await run(caller, STORE, {"input": rows})
        changes = [
            run(caller, SUPERSEDE, {"input": {"id": receipt["memoryId"], "content": row["content"] + "!"}})
            for receipt, row in zip(stored["storeFacts"], rows, strict=True)
        ]
        heads = [changed["supersedeFact"]["memoryId"] for changed in await asyncio.gather(*changes)]
        await indexed(platform)
        yield Planes(caller, heads)


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


async def test_round_trips_grow_with_depth_and_not_with_size(planes: Planes) -> None:
    seen = {}
    for case in CASES:
        few = await counted(planes.caller, case, {"first": 5, "a": planes.ids[0], "b": planes.ids[1]})
        many = await counted(planes.caller, case, {"first": 50, "a": planes.ids[0], "b": planes.ids[1]})
        seen[case.name] = (len(few), len(many), case.most)

    assert len(CASES) == 15
    assert {name: counts for name, counts in seen.items() if not 0 < counts[0] <= counts[2]} == {}
    # A longer page may already hold what its own links lead to, and then reads less.
    assert {name: counts for name, counts in seen.items() if not 0 < counts[1] <= counts[0]} == {}


async def test_the_pages_of_that_test_are_full(planes: Planes) -> None:
    more = (
        "history { version } links { memory { id } path { path } } backlinks(first: 3) { id } place { path }"
    )
    page = await run(planes.caller, search(more), {"first": 50})
    nodes = page["search"]["nodes"]

    assert len(nodes) == 50
    for node in nodes:
        assert [version["version"] for version in node["history"]] == [2, 1]
        assert [link["memory"] is None for link in node["links"]] == [False, True]
        assert [link["path"] is None for link in node["links"]] == [True, False]
        assert len(node["backlinks"]) == 1
        assert node["place"]["path"].startswith("/planes/p")


async def test_similar_memories_cost_nothing_unless_they_are_selected(planes: Planes) -> None:
    def batch(at: int) -> dict[str, object]:
        return {"input": [{"path": "/more", "content": f"plane {at} and {row}"} for row in range(20)]}

    with round_trips() as without:
        await run(planes.caller, STORE, batch(1))
    with round_trips() as within:
        await run(planes.caller, STORE.replace("memoryId", "memoryId similar { id }"), batch(2))

    assert 1 <= within.count - without.count <= 2
