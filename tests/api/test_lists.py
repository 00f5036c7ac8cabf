"""Lists, trees and links over HTTP: pages without gaps, counts, and walks from one thing to the next."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.asking import ADD_DRAWERS, Asker, store, store_many
from tests.running import Probe

pytestmark = pytest.mark.stores

FACTS = """
query Facts($filter: MemoryFilter, $orderBy: MemoryOrder, $first: Int, $after: String) {
  facts(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    edges { cursor node { id content } }
    nodes { content }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}
"""


def contents_of(page: Any) -> list[str]:
    """The contents of a connection's nodes, in order."""
    return [node["content"] for node in page["nodes"]]


async def all_pages(ask: Asker, first: int, **arguments: object) -> list[Any]:
    """The connections of every page, walked by their cursors."""
    pages = []
    after = None
    while True:
        page = (await ask(FACTS, first=first, after=after, **arguments))["facts"]
        pages.append(page)
        if not page["pageInfo"]["hasNextPage"]:
            return pages
        after = page["pageInfo"]["endCursor"]


async def test_pages_of_any_size_show_each_fact_once_and_in_order(ask: Asker) -> None:
    contents = [f"fact number {at}" for at in range(7)]
    await store_many(ask, [{"path": "/list", "content": content} for content in contents])

    for first in (1, 3, 7, 100):
        pages = await all_pages(ask, first, filter={"under": "/list"}, orderBy="OLDEST")

        assert [content for page in pages for content in contents_of(page)] == contents
        before = [page["pageInfo"]["hasPreviousPage"] for page in pages]
        assert before == [False] + [True] * (len(pages) - 1)
        for page in pages:
            assert [edge["node"]["content"] for edge in page["edges"]] == contents_of(page)
            assert page["pageInfo"]["startCursor"] == page["edges"][0]["cursor"]
            assert page["pageInfo"]["endCursor"] == page["edges"][-1]["cursor"]


async def test_the_newest_facts_come_first_unless_told_otherwise(ask: Asker) -> None:
    for content in ("first", "second", "third"):
        await store(ask, "/list", content)

    page = (await ask(FACTS, filter={"under": "/list"}))["facts"]

    assert contents_of(page) == ["third", "second", "first"]


async def test_an_empty_list_has_no_cursors(ask: Asker) -> None:
    page = (await ask(FACTS, filter={"under": "/nothing"}))["facts"]

    assert page == {
        "edges": [],
        "nodes": [],
        "pageInfo": {"hasNextPage": False, "hasPreviousPage": False, "startCursor": None, "endCursor": None},
    }


FILTERS: list[tuple[dict[str, object], list[str]]] = [
    ({"under": "/list/a"}, ["run in a", "deep in a"]),
    ({"kinds": ["RUN", "PIN"]}, ["run in a", "pin in b"]),
    ({"tags": ["team=core"]}, ["deep in a"]),
    ({"keywords": ["blue"]}, ["pin in b"]),
    ({"source": "minutes.md"}, ["deep in a"]),
    ({"under": "/list/b", "kinds": ["RUN"]}, []),
    ({"createdAfter": "2100-01-01T00:00:00Z"}, []),
    ({"createdBefore": "2100-01-01T00:00:00Z", "labels": ["FACT"]}, ["run in a", "deep in a", "pin in b"]),
]
"""Each filter below ``/list`` and what it lets through."""


async def test_every_field_of_a_filter_narrows_the_list(ask: Asker) -> None:
    await store(ask, "/list/a", "run in a", kind="RUN")
    await store(ask, "/list/a/deep", "deep in a", tags=["team=core"], sources=["minutes.md"])
    await store(ask, "/list/b", "pin in b", kind="PIN", keywords=["blue"])

    shown = []
    for wanted, _ in FILTERS:
        page = (await ask(FACTS, filter={"under": "/list"} | wanted, orderBy="OLDEST"))["facts"]
        shown.append((wanted, contents_of(page)))

    assert shown == FILTERS


TREE = """
query Tree($root: String, $depth: Int) {
  tree(root: $root, depth: $depth) {
    path segment labels displayName memoryCount memoryCountBelow childCount
  }
}
"""


async def a_small_tree(ask: Asker) -> None:
    await store_many(
        ask,
        [
            {"path": "/work", "content": "at work"},
            {"path": "/work/plans", "content": "one plan"},
            {"path": "/work/plans", "content": "another plan"},
            {"path": "/work/plans/2026/q1", "content": "a quarter"},
            {"path": "/home", "content": "at home"},
        ],
    )


async def test_a_tree_shows_paths_with_their_counts(ask: Asker) -> None:
    await a_small_tree(ask)

    tree = (await ask(TREE, root="/work", depth=2))["tree"]

    assert [
        (node["path"], node["memoryCount"], node["memoryCountBelow"], node["childCount"]) for node in tree
    ] == [("/work", 1, 4, 1), ("/work/plans", 2, 3, 1), ("/work/plans/2026", 0, 1, 1)]


async def test_without_arguments_a_tree_begins_at_the_root_and_is_two_levels_deep(ask: Asker) -> None:
    await a_small_tree(ask)

    tree = (await ask("{ tree { path } }"))["tree"]

    assert [node["path"] for node in tree] == ["/", "/home", "/work", "/work/plans"]


async def test_wings_and_rooms_keep_the_names_that_were_written(ask: Asker) -> None:
    await ask(
        ADD_DRAWERS, input=[{"wing": "Team Notes", "room": "Build Times", "content": "It takes an hour."}]
    )

    tree = (await ask(TREE, root="/palace", depth=2))["tree"]

    assert [(node["path"], node["displayName"], node["labels"]) for node in tree[1:]] == [
        ("/palace/team-notes", "Team Notes", ["Path", "Wing"]),
        ("/palace/team-notes/build-times", "Build Times", ["Path", "Room"]),
    ]


async def test_one_walks_from_a_path_to_its_children_its_memories_and_back(ask: Asker) -> None:
    await a_small_tree(ask)

    found = await ask(
        """
        { path(path: "/WORK/") {
            path parent { path parent { path } }
            children {
              path memories(first: 1) { nodes { content place { path } } pageInfo { hasNextPage } } } } }
        """
    )

    assert found["path"] == {
        "path": "/work",
        "parent": {"path": "/", "parent": None},
        "children": [
            {
                "path": "/work/plans",
                "memories": {
                    "nodes": [{"content": "one plan", "place": {"path": "/work/plans"}}],
                    "pageInfo": {"hasNextPage": True},
                },
            }
        ],
    }


async def test_the_memories_at_a_path_are_paged(ask: Asker) -> None:
    await store_many(ask, [{"path": "/list", "content": str(at)} for at in range(5)])
    document = """
        query Q($after: String) {
          path(path: "/list") {
            memories(first: 2, after: $after) { nodes { content } pageInfo { hasNextPage endCursor } } } }
    """

    seen: list[str] = []
    after = None
    more = True
    while more:
        page = (await ask(document, after=after))["path"]["memories"]
        seen += [node["content"] for node in page["nodes"]]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]

    assert seen == ["0", "1", "2", "3", "4"]


async def test_links_lead_to_memories_and_paths_and_back(ask: Asker) -> None:
    target = await store(ask, "/notes", "The engine has four parts.", title="Engine")
    source = await store(ask, "/notes/log", "Read [[Engine|the notes]] at [[/notes]] and [[Nowhere]].")

    found = await ask(
        """
        query Q($source: ID!, $target: ID!) {
          memory(id: $source) { links { text target memory { id title } path { path } } }
          back: memory(id: $target) { backlinks { id } links { text } }
        }
        """,
        source=source,
        target=target,
    )

    assert found["memory"]["links"] == [
        {
            "text": "the notes",
            "target": "Engine",
            "memory": {"id": target, "title": "Engine"},
            "path": None,
        },
        {"text": "/notes", "target": "/notes", "memory": None, "path": {"path": "/notes"}},
        {"text": "Nowhere", "target": "Nowhere", "memory": None, "path": None},
    ]
    assert found["back"] == {"backlinks": [{"id": source}], "links": []}


async def test_a_link_leads_to_a_declared_path_and_to_the_root(ask: Asker, probe: Probe) -> None:
    await probe(
        "CREATE (:Path:Ruled {path: '/plans', segment: 'plans', ancestors: ['/', '/plans'], tags: [],"
        " tag_keys: [], declared: true})"
    )
    source = await store(ask, "/notes", "See [[/plans]], [[/]] and [[/nowhere]].")

    found = await ask("query Q($id: ID!) { memory(id: $id) { links { target path { path } } } }", id=source)

    assert found["memory"]["links"] == [
        {"target": "/plans", "path": {"path": "/plans"}},
        {"target": "/", "path": {"path": "/"}},
        {"target": "/nowhere", "path": None},
    ]


async def test_a_deleted_memory_is_shown_though_its_place_shows_nothing(ask: Asker) -> None:
    id = await store(ask, "/alone", "The only thing here.")

    forgotten = await ask(
        "mutation F($id: ID!) { forgetMemory(input: {id: $id}) { action memory { id place { path } } } }",
        id=id,
    )
    found = await ask("query Q($id: ID!) { memory(id: $id) { id place { path } } }", id=id)

    assert forgotten["forgetMemory"] == {"action": "DELETED", "memory": {"id": id, "place": None}}
    assert found["memory"] == {"id": id, "place": None}
