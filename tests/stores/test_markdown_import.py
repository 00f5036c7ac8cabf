"""Importing Markdown on the real stores: what is filed, what a second import does, where links lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.errors import InvalidInput
from graphmem.graph.round_trips import round_trips
from graphmem.memory.commands import NewDrawer
from graphmem.memory.model import Drawer
from graphmem.memory.notes import FailedFile, MarkdownFile
from graphmem.service.browsing import tree
from graphmem.service.markdown_import import MarkdownReport, import_markdown, imported_files
from graphmem.service.platform import Caller
from graphmem.service.reading import backlinks_of, histories, links_of, memory
from graphmem.service.writing import write
from tests.running import indexed
from tests.stores.drawers import drawers_of

pytestmark = pytest.mark.stores

PLAN = """---
tags: [garden]
aliases: [The plan]
---
Where to begin.

# Dig
A deep hole.

# Plant
See [[Trees]].
"""
TREES = "# Oak\nStrong. [back](../Plan.md#dig)\n"


def files(**texts: str) -> list[MarkdownFile]:
    """Keyword ``Deep__a`` stands for the file ``Deep/a.md``."""
    return [MarkdownFile(f"{name.replace('__', '/')}.md", text) for name, text in texts.items()]


async def test_a_section_becomes_a_drawer_with_its_source_and_lines(caller: Caller) -> None:
    report = await import_markdown(caller, "My Garden", files(Plan=PLAN, Plants__Trees=TREES))

    assert report == MarkdownReport(stored=4)
    found = await drawers_of(caller)
    assert [(d.path, d.title, d.content, d.source_file, d.line_start, d.line_end) for d in found] == [
        ("/palace/my-garden/general", "Plan", "Where to begin.", "Plan.md", 5, 5),
        ("/palace/my-garden/general", "Dig", "# Dig\nA deep hole.", "Plan.md", 7, 8),
        ("/palace/my-garden/general", "Plant", "# Plant\nSee [[Trees]].", "Plan.md", 10, 11),
        (
            "/palace/my-garden/plants",
            "Oak",
            "# Oak\nStrong. [back](../Plan.md#dig)",
            "Plants/Trees.md",
            1,
            2,
        ),
    ]
    assert [d.keywords for d in found] == [("garden",)] * 3 + [()]
    assert found[0].names == ("Plan", "The plan")
    named = {node.path: node.display_name for node in await tree(caller, "/palace", 3)}
    assert named["/palace/my-garden"] == "My Garden"
    assert named["/palace/my-garden/plants"] == "Plants"


async def test_links_lead_to_notes_and_sections_that_came_before_or_later(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Plan=PLAN))
    await import_markdown(caller, "w", files(Plants__Trees=TREES))

    _, dig, plant, oak = await drawers_of(caller)
    links = await links_of(caller, [plant.id, oak.id])
    assert [(one.text, one.target, one.memory_id) for one in links[plant.id]] == [("Trees", "Trees", oak.id)]
    assert [(one.text, one.target, one.memory_id) for one in links[oak.id]] == [("back", "Plan#dig", dig.id)]
    assert [m.id for m in (await backlinks_of(caller, [oak.id], 20))[oak.id]] == [plant.id]


async def test_a_note_is_found_before_a_section_whose_heading_is_its_name(caller: Caller) -> None:
    texts = files(Alpha="# Zebra\nA heading.\n", Zebra="The note.\n", Guide="[[Zebra]]\n")
    await import_markdown(caller, "w", texts)

    found = {d.content: d for d in await drawers_of(caller)}
    (link,) = (await links_of(caller, [found["[[Zebra]]"].id]))[found["[[Zebra]]"].id]
    assert link.memory_id == found["The note."].id


async def test_importing_twice_changes_nothing(caller: Caller) -> None:
    texts = files(Plan=PLAN, Plants__Trees=TREES)
    await import_markdown(caller, "w", texts)
    await indexed(caller.platform)
    before = await drawers_of(caller)

    with round_trips() as made:
        report = await import_markdown(caller, "w", texts)

    assert report == MarkdownReport(unchanged=4)
    assert made.count == 1
    assert await drawers_of(caller) == before


async def test_an_inserted_section_moves_the_others_without_new_versions(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Log="# Fix\none\n# Fix\ntwo\n"))
    before = await drawers_of(caller)

    report = await import_markdown(caller, "w", files(Log="# Fix\nzero\n# Fix\none\n# Fix\ntwo\n"))

    assert report == MarkdownReport(stored=1, moved=2)
    after = {d.content: d for d in await drawers_of(caller)}
    for old in before:
        new = after[old.content]
        assert (new.id, new.version) == (old.id, 1)
        assert (new.line_start, new.section) == (
            (old.line_start or 0) + 2,
            ("Fix", str(int(old.section[1]) + 1)),
        )


async def test_sections_that_change_places_keep_their_drawers(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Log="# Fix\none\n# Fix\ntwo\n"))
    before = {d.content: d.id for d in await drawers_of(caller)}

    report = await import_markdown(caller, "w", files(Log="# Fix\ntwo\n# Fix\none\n"))

    assert report == MarkdownReport(moved=2)
    assert {d.content: d.id for d in await drawers_of(caller)} == before


async def test_a_changed_section_supersedes(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Plan="# Dig\none [[A]]\n# Rest\n"))
    (old, _) = await drawers_of(caller)

    report = await import_markdown(caller, "w", files(Plan="# Dig\n\ntwo [[B]]\n# Rest\n"))

    assert report == MarkdownReport(superseded=1, moved=1)
    new = await memory(caller, old.id)
    assert isinstance(new, Drawer)
    assert (new.content, new.version, new.chain_id) == ("# Dig\n\ntwo [[B]]", 2, old.id)
    assert (new.line_start, new.line_end, new.section) == (1, 3, ("Dig", "1"))
    assert [version.content for version in (await histories(caller, [old.id]))[old.id]] == [
        new.content,
        old.content,
    ]
    assert [link.target for link in (await links_of(caller, [new.id]))[new.id]] == ["B"]


async def test_a_vanished_section_is_told_and_deleted_only_when_asked_for(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Log="# Fix\none\n# Fix\ntwo\n## Sub\nx\n"))

    told = await import_markdown(caller, "w", files(Log="# Fix\ntwo\n"))
    again = await import_markdown(caller, "w", files(Log="# Fix\ntwo\n"))

    assert told == MarkdownReport(moved=1, vanished=("Log.md#Fix", "Log.md#Fix > Sub"))
    assert again == MarkdownReport(unchanged=1, vanished=("Log.md#Fix", "Log.md#Fix > Sub"))
    assert len(await drawers_of(caller)) == 3
    pruned = await import_markdown(caller, "w", files(Log="# Fix\ntwo\n"), prune=True)
    assert pruned == MarkdownReport(unchanged=1, vanished=("Log.md#Fix", "Log.md#Fix > Sub"), pruned=2)
    assert [d.content for d in await drawers_of(caller)] == ["# Fix\ntwo"]


async def test_files_that_a_request_does_not_name_are_left_alone(caller: Caller) -> None:
    await import_markdown(caller, "w", files(One="one\n", Two="two\n"))

    report = await import_markdown(caller, "w", files(One="one\n"), prune=True)

    assert report == MarkdownReport(unchanged=1)
    assert await imported_files(caller, "w") == ["One.md", "Two.md"]


async def test_a_gone_file_lends_its_sections_until_the_import_is_complete(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Old__Plan="intro\n# A\none\n# B\ntwo\n"))
    before = {d.content: d.id for d in await drawers_of(caller)}
    gone = ["Old/Plan.md"]

    first = await import_markdown(
        caller, "w", files(New__Plan="intro\n# A\none\n"), gone_files=gone, prune=True, complete=False
    )
    last = await import_markdown(caller, "w", files(Other="other\n"), gone_files=gone, prune=True)

    assert first == MarkdownReport(moved=2)
    assert last == MarkdownReport(stored=1, vanished=("Old/Plan.md#B",), pruned=1)
    after = {d.content: d for d in await drawers_of(caller)}
    assert {text: d.id for text, d in after.items() if text in before} == {
        text: id for text, id in before.items() if text != "# B\ntwo"
    }
    assert {d.path for d in after.values()} == {"/palace/w/new", "/palace/w/general"}
    assert {d.version for d in after.values()} == {1}
    assert await imported_files(caller, "w") == ["New/Plan.md", "Other.md"]


async def test_a_renamed_file_gives_its_new_name_to_the_text_before_the_first_heading(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Old="intro [[x]]\n# A\none\n"))
    intro, section = await drawers_of(caller)

    report = await import_markdown(caller, "w", files(New="intro [[x]]\n# A\none\n"), gone_files=["Old.md"])

    assert report == MarkdownReport(moved=2)
    renamed, same = await drawers_of(caller)
    assert (renamed.title, renamed.names, renamed.chain_id) == ("New", ("New",), intro.chain_id)
    assert (same.id, same.source_file, same.version) == (section.id, "New.md", 1)
    assert [link.target for link in (await links_of(caller, [renamed.id]))[renamed.id]] == ["x"]
    assert await import_markdown(caller, "w", files(New="intro [[x]]\n# A\none\n")) == MarkdownReport(
        unchanged=2
    )


async def test_a_file_that_cannot_be_read_stops_nothing_and_is_not_judged(caller: Caller) -> None:
    await import_markdown(caller, "w", files(Good="good\n", Bad="bad\n"))

    report = await import_markdown(
        caller, "w", [*files(Good="better\n", Bad="b\0d\n"), MarkdownFile("../x.md", "x")], prune=True
    )

    assert (report.superseded, report.vanished, report.pruned) == (1, (), 0)
    assert report.failed == (
        FailedFile("Bad.md", "text holds a NUL character at character 1; send valid Unicode text"),
        FailedFile(
            "../x.md", "path '../x.md' is no path inside the folder; send it relative, like 'notes/plan.md'"
        ),
    )
    assert {d.content for d in await drawers_of(caller)} == {"better", "bad"}


async def test_bad_input_stores_nothing(caller: Caller) -> None:
    with pytest.raises(InvalidInput, match=r"^wing .* is empty"):
        await import_markdown(caller, " ", files(One="one\n"))
    with pytest.raises(InvalidInput, match=r"^files\[1\].path 'One.md' is given twice"):
        await import_markdown(caller, "w", [*files(One="one\n"), *files(One="two\n")])
    assert await drawers_of(caller) == []


async def test_drawers_that_were_filed_by_hand_are_never_judged(caller: Caller) -> None:
    await write(caller, [NewDrawer(path="/palace/w/general", content="by hand", source_file="One.md")])

    report = await import_markdown(caller, "w", files(One="one\n"), prune=True)

    assert report == MarkdownReport(stored=1)
    assert [d.content for d in await drawers_of(caller)] == ["by hand", "one"]


async def test_drawers_of_another_owner_are_never_judged(caller: Caller) -> None:
    await import_markdown(replace(caller, subject="ada"), "w", files(One="one\n"))

    report = await import_markdown(caller, "w", files(One="other\n"), prune=True)

    assert report == MarkdownReport(stored=1)
    assert [(d.owner, d.content) for d in await drawers_of(caller)] == [("ada", "one"), ("default", "other")]


async def test_more_sections_than_one_write_holds_are_filed_and_turned_round(caller: Caller) -> None:
    sections = [f"# F\ntext {number}\n" for number in range(1_001)]
    await import_markdown(caller, "w", files(Big="".join(sections)))

    report = await import_markdown(caller, "w", files(Big="".join(["# F\nfirst\n", *sections])))

    assert report == MarkdownReport(stored=1, moved=1_001)
    found = await drawers_of(caller)
    assert [d.content for d in found] == ["# F\nfirst", *(text.strip() for text in sections)]
    assert {d.version for d in found} == {1}
