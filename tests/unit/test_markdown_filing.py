"""A plan becomes commands: what differs and no more, in an order and in writes that can be carried out."""

from __future__ import annotations

from graphmem.memory.commands import UNSET, ForgetMemory, NewDrawer, SupersedeFact, UpdateMemory
from graphmem.memory.notes import MarkdownFile, parse_note
from graphmem.memory.notes.filing import Step, Tally, writes_of
from graphmem.memory.notes.matching import FiledSection, StoredSection, match_sections
from graphmem.memory.text import content_hash


def filed(path: str, text: str) -> list[FiledSection]:
    note = parse_note(MarkdownFile(path, text))
    rooms = tuple(note.room.split("/"))
    return [FiledSection(path, f"/palace/w/{note.room.lower()}", rooms, section) for section in note.sections]


def stored(*sections: FiledSection) -> list[StoredSection]:
    return [
        StoredSection(
            id=f"{new.source_file}:{at}",
            source_file=new.source_file,
            path=new.path,
            place=new.section.place,
            title=new.section.title,
            content_hash=content_hash(new.section.content),
            line_start=new.section.line_start,
            line_end=new.section.line_end,
            names=new.section.names,
            keywords=new.section.keywords,
            links=frozenset(new.section.links),
        )
        for at, new in enumerate(sections)
    ]


def writes(
    old: list[StoredSection],
    new: list[FiledSection],
    *,
    prune: bool = False,
    size: int = 250,
    limit: int = 1_000,
) -> list[tuple[Step, ...]]:
    return list(writes_of(match_sections(old, new), "W", prune=prune, size=size, limit=limit))


def test_a_new_section_is_filed_with_everything_about_it() -> None:
    new = filed("Deep/Er/Plan.md", "---\ntags: t\n---\n# A\n[[B]]\n")

    assert [[step.command for step in steps] for steps in writes([], new)] == [
        [
            NewDrawer(
                path="/palace/w/deep/er",
                content="# A\n[[B]]",
                title="A",
                wing_name="W",
                room_names=("Deep", "Er"),
                keywords=("t",),
                names=("Plan", "Er/Plan", "Deep/Er/Plan", "Plan#A", "Er/Plan#A", "Deep/Er/Plan#A"),
                links=(("B", "B"),),
                source_file="Deep/Er/Plan.md",
                line_start=4,
                line_end=5,
                section=("A", "1"),
            )
        ]
    ]


def test_a_section_that_only_stands_lower_changes_its_lines_alone() -> None:
    old = stored(*filed("a.md", "# A\none\n# B\ntwo\n"))

    ((step,),) = writes(old, filed("a.md", "# A\none\n\n\n# B\ntwo\n"))

    assert step.tally is Tally.MOVED
    assert step.command == UpdateMemory(id="a.md:1", line_start=5, line_end=6)


def test_a_renamed_file_takes_its_rooms_names_along() -> None:
    old = stored(*filed("Old/a.md", "# A\none\n"))

    ((step,),) = writes(old, filed("New/b.md", "# A\none\n"))

    assert isinstance(step.command, UpdateMemory)
    assert (step.command.path, step.command.wing_name) == ("/palace/w/new", "W")
    assert step.command.room_names == ("New",)
    assert (step.command.source_file, step.command.section) == ("New/b.md", ("A", "1"))
    assert (step.command.names, step.command.links) == (("b", "New/b", "b#A", "New/b#A"), UNSET)


def test_a_changed_section_supersedes_its_drawer() -> None:
    old = stored(*filed("a.md", "# A\none\n"))

    ((step,),) = writes(old, filed("a.md", "# A\n[[two]]\n"))

    assert step.tally is Tally.SUPERSEDED
    assert isinstance(step.command, SupersedeFact)
    assert (step.command.id, step.command.content) == ("a.md:0", "# A\n[[two]]")
    assert step.command.links == (("two", "two"),)


def test_vanished_sections_are_deleted_only_when_asked_for_and_before_all_else() -> None:
    old = stored(*filed("a.md", "# A\none\n# B\ntwo\n"))
    new = filed("a.md", "# B\ntwo\n# C\nthree\n")

    assert [step.tally for steps in writes(old, new) for step in steps] == [Tally.MOVED, Tally.STORED]
    ((first, *_),) = writes(old, new, prune=True)
    assert first.tally is Tally.PRUNED
    assert first.command == ForgetMemory(id="a.md:0", reason="its section is no longer in the file")


def test_a_vanished_section_leaves_its_place_to_one_that_takes_it() -> None:
    old = stored(*filed("a.md", "# F\none\n# F\ntwo\n"))

    ((away, moved),) = writes(old, filed("a.md", "# F\ntwo\n"))

    assert (away.tally, away.command) == (Tally.NOTHING, UpdateMemory(id="a.md:0", section=("F", "2")))
    assert isinstance(moved.command, UpdateMemory)
    assert moved.command.section == ("F", "1")


def test_files_between_which_sections_move_are_written_together() -> None:
    one, two, three = (filed(f"{name}.md", f"# {name}\ntext\n") for name in "abc")
    old = stored(*one) + stored(*two) + stored(*three)
    swapped = filed("a.md", "# b\ntext\n") + filed("b.md", "# a\ntext\n") + filed("c.md", "# c\nother\n")

    found = writes(old, swapped, size=1)

    assert [[step.file for step in steps] for steps in found] == [["a.md", "b.md"], ["c.md"]]


def test_a_file_with_more_steps_than_a_write_holds_is_first_emptied_of_the_places_that_change() -> None:
    old = stored(*filed("a.md", "# F\n1\n# F\n2\n# F\n3\n# G\nx\n"))
    new = filed("a.md", "# F\n0\n# F\n1\n# F\n2\n# F\n3\n# G\nx\n")

    found = writes(old, new, size=3, limit=3)

    away = [step.command for steps in found for step in steps if step.tally is Tally.NOTHING]
    assert away == [
        UpdateMemory(id="a.md:0", section=("F", "1000001")),
        UpdateMemory(id="a.md:1", section=("F", "1000002")),
        UpdateMemory(id="a.md:2", section=("F", "1000003")),
    ]
    tallies = [[step.tally.name for step in steps] for steps in found]
    assert tallies == [["NOTHING"] * 3, ["MOVED"] * 3, ["MOVED", "STORED"]]


def test_nothing_to_do_is_no_write() -> None:
    new = filed("a.md", "# A\none\n")

    assert writes(stored(*new), new) == []


def test_new_sections_follow_in_portions() -> None:
    old = stored(*filed("a.md", "# A\none\n# B\ntwo\n# C\nthree\n"))
    new = filed("a.md", "# 1\n# 2\n# 3\n# A\none\n# B\ntwo\n# C\nthree\n")

    found = writes(old, new, size=2)

    assert [[step.tally.name for step in steps] for steps in found] == [
        ["MOVED"] * 3,
        ["STORED"] * 2,
        ["STORED"],
    ]
