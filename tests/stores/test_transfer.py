"""A store goes out as lines and comes into another one as it was."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from graphmem.errors import NotFound
from graphmem.memory.commands import (
    ForgetMemory,
    MemoryFilter,
    MemoryOrder,
    NewFact,
    RestoreMemory,
    SupersedeFact,
    UpdateMemory,
)
from graphmem.memory.fields import SEED_SOURCE
from graphmem.memory.model import Kind, Memory, WriteAction
from graphmem.memory.transfer import line_of
from graphmem.service.browsing import tree
from graphmem.service.exporting import export
from graphmem.service.importing import ImportReport
from graphmem.service.markdown_import import MarkdownReport, import_markdown
from graphmem.service.platform import Caller
from graphmem.service.reading import facts, histories, links_of, memory
from graphmem.service.seeding import seed
from graphmem.service.writing import write
from tests.running import indexed
from tests.stores.transferring import NOTES, Another, exported, filled, imported, store

pytestmark = pytest.mark.stores


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


async def test_what_is_purged_during_an_export_is_purged_by_its_import(
    caller: Caller, another: Another
) -> None:
    id = await store(caller, "/a", "A secret.")
    other = await store(caller, "/b", "Other.")
    lines = []
    async for document in export(caller):
        lines.append(line_of(document))
        if document.get("content") == "A secret.":
            await write(caller, [ForgetMemory(id=id, purge=True)])
    there = await another()
    kept = await store(there, "/c", "Here.")

    report = await imported(there, lines)

    assert (report.stored, report.tombstones, report.failed, report.skipped) == (2, 1, 0, 0)
    assert (await memory(there, other)).content == "Other."
    assert (await memory(there, kept)).content == "Here."
    with pytest.raises(NotFound):
        await memory(there, id)
    assert "secret" not in "".join(await exported(there))


async def test_imported_versions_are_brought_to_the_index(caller: Caller, another: Another) -> None:
    id = await store(caller, "/a", "One.")
    lines = await exported(caller)
    there = await another()

    await imported(there, lines)
    await indexed(there.platform)

    assert (await memory(there, id)).indexed_revision == 1


async def test_what_was_done_to_the_facts_of_a_new_store_goes_out(caller: Caller, another: Another) -> None:
    await seed(caller)
    deleted, raised, superseded, weighed, *untouched = await under_memory(caller)
    await write(caller, [ForgetMemory(id=deleted.id)])
    await write(caller, [UpdateMemory(id=raised.id, kind=Kind.LESSON, keywords=("tree",))])
    new = (await write(caller, [SupersedeFact(id=superseded.id, content="Told anew.")]))[0].memory_id
    await write(caller, [UpdateMemory(id=weighed.id, importance=0.5)])

    lines = await exported(caller)

    documents = [json.loads(line) for line in lines]
    gone_out = {deleted.id, raised.id, superseded.id, new, weighed.id}
    assert {d["id"] for d in documents if d["type"] == "memory"} == gone_out
    assert {d["memory_id"] for d in documents if d["type"] == "audit"} == gone_out
    there = await another()
    await imported(there, lines)
    await seed(there)
    again = {d["id"]: d for d in map(json.loads, await exported(there)) if d["type"] == "memory"}
    assert {id: again[id]["content"] for id in gone_out if id is not None} == {
        d["id"]: d["content"] for d in documents if d["type"] == "memory"
    }
    assert len(untouched) == 3


async def test_an_imported_fact_that_calls_itself_seeded_goes_out_again(
    caller: Caller, another: Another
) -> None:
    await store(caller, "/memory/mine", "Mine.")
    header, line, *_ = await exported(caller)
    claimed = line_of(json.loads(line) | {"sources": [SEED_SOURCE]})
    there = await another()

    await imported(there, [header, claimed])

    assert await exported(there) == [header, claimed]


async def under_memory(caller: Caller) -> list[Memory]:
    """The live facts of a new store."""
    where = MemoryFilter(under="/memory")
    return list((await facts(caller, where, MemoryOrder.OLDEST, 50, None)).items)
