"""A store goes out as lines and comes into another one as it was."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from graphmem.access.actions import Action
from graphmem.access.guard import DEFAULT_SUBJECT
from graphmem.access.predicate import Nothing
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.client import GraphClient
from graphmem.local.ready import Neo4jAddress
from graphmem.memory.commands import ForgetMemory, NewFact, RestoreMemory, SupersedeFact, UpdateMemory
from graphmem.memory.model import Kind, Memory, WriteAction
from graphmem.memory.notes import MarkdownFile
from graphmem.memory.transfer import line_of
from graphmem.service.browsing import tree
from graphmem.service.exporting import export
from graphmem.service.importing import ImportReport, ToldLine, import_lines
from graphmem.service.markdown_import import MarkdownReport, import_markdown
from graphmem.service.platform import Caller
from graphmem.service.reading import histories, links_of, memory
from graphmem.service.seeding import seed
from graphmem.service.writing import write
from graphmem.vectors.index import VectorStore
from tests.running import emptied, indexed, open_test_platform

pytestmark = pytest.mark.stores

NOTES = [
    MarkdownFile("Plan.md", "---\naliases: [P]\n---\nOne.\r\n# Dig\n`[[no]]` [[Trees]]\n"),
    MarkdownFile("In/Trees.md", "Oak."),
]
HEADER = '{"format":1,"type":"graphmem"}\n'


Another = Callable[[], Awaitable[Caller]]
"""Empties the graph and opens a new platform over it; its caller."""


@pytest.fixture
async def another(
    graph: GraphClient, edge_store: VectorStore, neo4j_address: Neo4jAddress
) -> AsyncIterator[Another]:
    async with AsyncExitStack() as stack:

        async def opened() -> Caller:
            await emptied(neo4j_address)
            platform = await stack.enter_async_context(open_test_platform(graph, edge_store))
            return Caller.of(platform, DEFAULT_SUBJECT)

        yield opened


async def exported(caller: Caller) -> list[str]:
    """The lines of the store."""
    return [line_of(document) async for document in export(caller)]


async def imported(caller: Caller, lines: Iterable[str]) -> ImportReport:
    async def stream() -> AsyncIterator[bytes]:
        for line in lines:
            yield line.removesuffix("\n").encode()

    return await import_lines(caller, stream())


async def store(caller: Caller, path: str, content: str, **more: Any) -> str:
    receipt = (await write(caller, [NewFact(path=path, content=content, **more)]))[0]
    assert receipt.memory_id is not None
    return receipt.memory_id


async def filled(caller: Caller) -> dict[str, str]:
    """A store with some of everything; ids by name."""
    await seed(caller)
    ada = replace(caller, subject="ada")
    now = caller.now()
    chain = await store(caller, "/projects/acme", "Ports are 80.", kind=Kind.DECISION, keywords=("port",))
    receipt = (await write(ada, [SupersedeFact(id=chain, content="Ports are 8420.", reason="moved")]))[0]
    assert receipt.memory_id is not None
    await write(caller, [UpdateMemory(id=receipt.memory_id, keywords=("ports", "Net"), importance=0.25)])
    deleted = await store(ada, "/projects/acme", "Gone – for now 🜁.", tags=("team=blue",))
    await write(ada, [ForgetMemory(id=deleted, reason="wrong")])
    back = await store(caller, "/projects/beta", "Back again. [[/projects/acme]]")
    await write(caller, [ForgetMemory(id=back)])
    await write(caller, [RestoreMemory(id=back)])
    purged = await store(caller, "/projects/beta", "A secret.")
    await write(caller, [ForgetMemory(id=purged, purge=True)])
    await store(
        caller,
        "/projects/beta",
        "Only next year.",
        valid_from=now + timedelta(days=300),
        valid_to=now + timedelta(days=600),
        expires_at=now + timedelta(days=900),
    )
    await store(caller, "/projects/beta", "Said twice.")
    await store(caller, "/projects/beta", "said  TWICE.", kind=Kind.LESSON)
    await import_markdown(
        caller,
        "Gärten & Co",
        NOTES,
    )
    return {"chain": chain, "deleted": deleted, "back": back, "purged": purged}


async def timeless(caller: Caller, id: str) -> list[Memory]:
    """The versions of a chain without what only an index tells."""
    return [replace(version, indexed_revision=0) for version in (await histories(caller, [id]))[id]]


async def test_an_export_imports_into_an_empty_store_and_exports_the_same(
    caller: Caller, another: Another
) -> None:
    ids = await filled(caller)
    await indexed(caller.platform)
    first = await exported(caller)
    kept = [await timeless(caller, ids[name]) for name in ("chain", "back")]
    there = await another()
    await seed(there)

    report = await imported(there, first)
    await indexed(there.platform)

    assert (report.failed_lines, report.skipped_lines) == ([], [])
    assert await exported(there) == first
    assert [await timeless(there, ids[name]) for name in ("chain", "back")] == kept


async def test_an_export_is_sorted_by_kind_and_id_and_leaves_out_what_every_store_has(caller: Caller) -> None:
    ids = await filled(caller)

    documents = [json.loads(line) for line in await exported(caller)]

    kinds = ["graphmem", "path", "memory", "audit", "tombstone"]
    assert [kind for kind in dict.fromkeys(d["type"] for d in documents)] == kinds
    for kind, key in (("path", "path"), ("memory", "id"), ("audit", "id"), ("tombstone", "memory_id")):
        keys = [d[key] for d in documents if d["type"] == kind]
        assert keys == sorted(set(keys))
        assert keys
    assert [d["memory_id"] for d in documents if d["type"] == "tombstone"] == [ids["purged"]]
    assert not [d for d in documents if "/memory" in str(d.get("path"))]
    memories = {d["id"]: d for d in documents if d["type"] == "memory"}
    about = {d["memory_id"] for d in documents if d["type"] == "audit"}
    assert about == memories.keys() | {ids["purged"]}
    assert all(
        field not in d
        for d in memories.values()
        for field in ("search_terms", "indexed_revision", "ancestors")
    )
    assert [d["display_name"] for d in documents if d["type"] == "path"] == ["Gärten & Co", "general", "In"]


async def test_what_was_imported_works_as_before(caller: Caller, another: Another) -> None:
    ids = await filled(caller)
    lines = await exported(caller)
    there = await another()
    await imported(there, lines)

    head = await memory(there, ids["chain"])
    assert (head.content, head.author, head.owner, head.version) == ("Ports are 8420.", "ada", "default", 2)
    again = (await write(there, [NewFact(path="/projects/acme", content="ports are 8420.")]))[0]
    assert (again.action, again.memory_id) == (WriteAction.MERGED, head.id)
    deleted = (await write(replace(there, subject="ada"), [RestoreMemory(id=ids["deleted"])]))[0]
    assert deleted.action is WriteAction.RESTORED
    back = await memory(there, ids["back"])
    assert [link.path for link in (await links_of(there, [back.id]))[back.id]] == ["/projects/acme"]
    nodes = {node.path: node for node in await tree(there, "/", 3)}
    assert nodes["/projects/acme"].memories_here == 2
    assert nodes["/projects/beta"].memories_here == 2
    assert await import_markdown(there, "Gärten & Co", NOTES) == MarkdownReport(unchanged=3)


async def test_importing_the_same_lines_again_changes_nothing(caller: Caller, another: Another) -> None:
    await filled(caller)
    lines = await exported(caller)
    there = await another()
    first = await imported(there, lines)

    again = await imported(there, lines)

    total = first.stored + first.paths + first.audits + first.tombstones
    assert total == len(lines) - 1
    assert again == ImportReport(unchanged=total)
    assert await exported(there) == lines


async def test_a_purged_memory_does_not_come_back(caller: Caller) -> None:
    id = await store(caller, "/a", "A secret.")
    lines = await exported(caller)
    await write(caller, [ForgetMemory(id=id, purge=True)])

    report = await imported(caller, lines)

    assert (report.stored, report.skipped_lines) == (0, [ToldLine(2, "it was purged here")])
    with pytest.raises(NotFound):
        await memory(caller, id)
    assert "secret" not in "".join(await exported(caller))


async def test_a_twin_that_lives_here_takes_what_an_imported_fact_says(
    caller: Caller, another: Another
) -> None:
    other = await store(caller, "/a", "Ports are 80.", kind=Kind.LESSON, keywords=("port",))
    chain = await store(caller, "/a", "Old.")
    await write(caller, [SupersedeFact(id=chain, content="New.")])
    lines = await exported(caller)
    there = await another()
    here = await store(there, "/a", "ports are 80.", keywords=("net",))
    new = await store(there, "/a", "new.")

    report = await imported(there, lines)

    assert (report.stored, report.merged, report.failed, report.skipped) == (1, 2, 0, 0)
    twin = await memory(there, here)
    assert (twin.hits, twin.keywords, getattr(twin, "kind", None)) == (1, ("net", "port"), Kind.LESSON)
    with pytest.raises(NotFound):
        await memory(there, other)
    ended = await memory(there, chain)
    assert (ended.content, ended.live, ended.deleted_by) == ("New.", False, "default")
    assert [version.content for version in (await histories(there, [chain]))[chain]] == ["New.", "Old."]
    assert (await memory(there, new)).hits == 1


async def test_a_memory_that_is_there_in_another_state_is_left_alone(caller: Caller) -> None:
    id = await store(caller, "/a", "Ports are 80.")
    lines = await exported(caller)
    await write(caller, [SupersedeFact(id=id, content="Ports are 81.")])

    report = await imported(caller, lines)

    assert report.skipped_lines == [ToldLine(2, "it is there with other content or state")]
    assert (await memory(caller, id)).content == "Ports are 81."


async def test_a_broken_line_is_told_by_its_number_and_stops_nothing(
    caller: Caller, another: Another
) -> None:
    await store(caller, "/a", "One.")
    await store(caller, "/b", "Two.")
    header, one, two, *audits = await exported(caller)
    there = await another()
    foreign = json.loads(two) | {"path": "/B"}

    report = await imported(there, [header, "{", one, "", header, line_of(foreign), two, *audits])

    assert (report.stored, report.audits, report.failed) == (2, 2, 3)
    assert [told.line for told in report.failed_lines] == [2, 5, 6]
    assert report.failed_lines[0].reason.startswith("line is not JSON at character 1")
    assert report.failed_lines[2].reason == "path is '/B', not in its stored form '/b'"


async def test_a_version_waits_for_the_one_that_it_superseded(caller: Caller, another: Another) -> None:
    id = await store(caller, "/a", "One.")
    await write(caller, [SupersedeFact(id=id, content="Two.")])
    header, one, two, *audits = await exported(caller)
    there = await another()

    lone = await imported(there, [header, two])
    whole = await imported(there, [header, two, one, *audits])

    assert lone.skipped_lines == [ToldLine(2, f"the version {id} that it superseded is not here")]
    assert (whole.stored, whole.skipped) == (2, 0)
    assert await exported(there) == [header, one, two, *audits]


async def test_a_later_line_about_a_version_that_the_import_brought_holds(
    caller: Caller, another: Another
) -> None:
    id = await store(caller, "/a", "One. [[x]]")
    header, early, *_ = await exported(caller)
    await write(caller, [SupersedeFact(id=id, content="Two.")])
    _, one, two, *_ = await exported(caller)
    there = await another()

    report = await imported(there, [header, early, one, two])

    assert (report.stored, report.unchanged, report.skipped) == (2, 1, 0)
    assert (await exported(there))[1:3] == [one, two]
    assert (await memory(there, id)).content == "Two."


async def test_what_is_written_during_an_export_follows_behind_the_pages(caller: Caller) -> None:
    id = await store(caller, "/a", "One.")
    await store(caller, "/b", "Other.")
    documents = []
    async for document in export(caller):
        documents.append(document)
        if document.get("content") == "One." and document["live"]:
            await write(caller, [SupersedeFact(id=id, content="Two.")])

    said = [(d["content"], d["live"]) for d in documents if d["type"] == "memory"]
    assert said == [("One.", True), ("Other.", True), ("One.", False), ("Two.", True)]


async def test_lines_without_a_header_and_callers_without_the_right_are_refused(caller: Caller) -> None:
    nobody = replace(caller, rules={**caller.rules, Action.ADMIN: Nothing()})

    for lines, message in (
        ([], "line 1 is missing"),
        ([""], "line 1.line is not JSON"),
        (['{"type":"path","path":"/a","declared":true}'], "line 1 is not the header"),
        (['{"type":"graphmem","format":9}'], "line 1.format is 9"),
    ):
        with pytest.raises(InvalidInput, match=message):
            await imported(caller, lines)
    with pytest.raises(NotFound):
        await imported(nobody, [HEADER])
    with pytest.raises(NotFound):
        await exported(nobody)


async def test_imported_versions_are_brought_to_the_index(caller: Caller, another: Another) -> None:
    id = await store(caller, "/a", "One.")
    lines = await exported(caller)
    there = await another()

    await imported(there, lines)
    await indexed(there.platform)

    assert (await memory(there, id)).indexed_revision == 1
