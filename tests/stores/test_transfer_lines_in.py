"""Lines that come into a store that is not empty, or that are not what an export wrote."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from graphmem.access.actions import Action
from graphmem.access.predicate import Nothing
from graphmem.errors import InvalidInput, NotFound
from graphmem.memory.commands import ForgetMemory, SupersedeFact
from graphmem.memory.model import Kind
from graphmem.memory.transfer import line_of
from graphmem.service.importing import ToldLine
from graphmem.service.platform import Caller
from graphmem.service.reading import histories, memory
from graphmem.service.writing import write
from tests.stores.transferring import HEADER, Another, exported, imported, store

pytestmark = pytest.mark.stores


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


async def test_a_memory_here_is_not_purged_because_it_was_elsewhere(caller: Caller) -> None:
    id = await store(caller, "/a", "Kept.")
    tombstone = {
        "type": "tombstone",
        "memory_id": id,
        "chain_id": id,
        "purged_at": "2026-01-05T12:30:00.000000Z",
        "actor": "ada",
    }

    report = await imported(caller, [HEADER, line_of(tombstone)])

    assert report.skipped_lines == [ToldLine(2, "the memory is here; purge it where it shall go too")]
    assert (await memory(caller, id)).content == "Kept."


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


async def test_an_import_does_not_fork_a_chain_that_went_on_here(caller: Caller) -> None:
    id = await store(caller, "/a", "One.")
    here = (await write(caller, [SupersedeFact(id=id, content="Two, here.")]))[0].memory_id
    lines = [json.loads(line) for line in await exported(caller)]
    one, two = (line for line in lines if line["type"] == "memory")
    second, third = (f"019a0000-0000-7000-8000-{number:012}" for number in (2, 3))
    foreign = {**two, "id": second, "content": "Two, there.", "head": False, "live": False}
    after = {"id": second, "actor": "ada"}
    head = {**two, "id": third, "version": 3, "content": "Three.", "supersedes": after}
    ended = {**foreign, "known_to": two["known_from"]}

    report = await imported(caller, [HEADER, *map(line_of, (one, ended, head))])

    assert (report.stored, report.unchanged, report.failed) == (0, 1, 0)
    assert report.skipped_lines == [
        ToldLine(3, f"the version {id} that it superseded has another successor here, {here}"),
        ToldLine(4, f"the version {second} that it superseded is not here"),
    ]
    assert [one.version for one in (await histories(caller, [id]))[id]] == [2, 1]
