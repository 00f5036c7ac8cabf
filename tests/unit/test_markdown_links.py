"""Links in Markdown files: what they name, and that the sections are called so."""

from __future__ import annotations

import pytest

from graphmem.memory.keys import link_key
from graphmem.memory.notes import MarkdownFile, Section, parse_note


def first(text: str, path: str = "a/b/here.md") -> Section:
    return parse_note(MarkdownFile(path, text)).sections[0]


@pytest.mark.parametrize(
    ("written", "text", "target"),
    [
        ("[[Views]]", "Views", "Views"),
        ("[[ Views ]]", "Views", "Views"),
        ("[[Views|the views]]", "the views", "Views"),
        ("[[Views\\|the views]]", "the views", "Views"),
        ("[[Views.md]]", "Views.md", "Views"),
        ("[[Bases/Views]]", "Bases/Views", "Bases/Views"),
        ("[[Views#Sort and group]]", "Views#Sort and group", "Views#Sort and group"),
        ("[[Views#Layout#Sort]]", "Views#Layout#Sort", "Views#Sort"),
        ("[[Views#^block]]", "Views#^block", "Views"),
        ("[[#Steps]]", "#Steps", "a/b/here#Steps"),
        ("[[../other]]", "../other", "a/other"),
        ("[[C# basics]]", "C# basics", "C# basics"),
        ("[[/projects/acme]]", "/projects/acme", "/projects/acme"),
        ("![[Views]]", "Views", "Views"),
        ("![[plan.png]]", "plan.png", "plan.png"),
        ("[x](other.md)", "x", "a/b/other"),
        ("[x](../other.md)", "x", "a/other"),
        ("[x](../../top.md#some-part)", "x", "top#some-part"),
        ("[x](/top/file.md)", "x", "top/file"),
        ("[x](other%20one.md#Some%20part)", "x", "a/b/other one#Some part"),
        ("[x](<other one.md> 'title')", "x", "a/b/other one"),
        ("[x](other)", "x", "a/b/other"),
        ("[x](other.md?plain=1)", "x", "a/b/other"),
        ("[**x** `y`](other.MD)", "x y", "a/b/other"),
        ("[x](#steps)", "x", "a/b/here#steps"),
        ("[x][ref]\n\n[ref]: other.md", "x", "a/b/other"),
    ],
)
def test_a_link_has_a_label_and_names_a_note_or_section(written: str, text: str, target: str) -> None:
    assert first(f"See {written}").links == ((text, target),)


@pytest.mark.parametrize(
    "written",
    [
        "`[[Views]]`",
        "```\n[[Views]]\n```",
        "    [[Views]]",
        "<!-- [[Views]] -->",
        "\\[[Views]]",
        "[[]]",
        "[[ ]]",
        "[[two\nlines]]",
        "[[|label]]",
        "[x](https://example.org/a.md)",
        "[x](//example.org/a.md)",
        "[x](mailto:a@example.org)",
        "<https://example.org/a.md>",
        "[x](picture.png)",
        "![x](picture.png)",
        "[x](../../../outside.md)",
        "[x]()",
        "[x](#)",
    ],
)
def test_what_names_nothing_in_the_folder_is_no_link(written: str) -> None:
    assert first(f"See\n\n{written}").links == ()


def test_links_stand_in_the_order_of_the_text_and_each_target_once() -> None:
    text = "[[B]] [a](a.md) [[b|again]] [[C]]"

    assert first(text, "x.md").links == (("B", "B"), ("a", "a"), ("C", "C"))


def test_a_link_belongs_to_the_section_in_which_it_stands() -> None:
    found = parse_note(
        MarkdownFile("a.md", "---\ntags: x\n---\n[[A]]\n# About [[B]]\n\n- [[C]]\n\n> [[D]]\n# E\n[[F]]")
    )

    assert [[target for _, target in s.links] for s in found.sections] == [["A"], ["B", "C", "D"], ["F"]]
    assert [s.title for s in found.sections] == ["a", "About B", "E"]


def test_the_first_section_is_called_by_the_path_from_each_folder_on() -> None:
    text, path = "Text.\n# More\nText.", "en/Bases/Views.md"

    assert first(text, path).title == "Views"
    assert first(text, path).names == ("Views", "Bases/Views", "en/Bases/Views")
    assert first("# Title", path).names[:3] == ("Views", "Bases/Views", "en/Bases/Views")


def test_a_section_is_called_by_note_and_heading() -> None:
    section = parse_note(MarkdownFile("Bases/Views.md", "x\n# Sort & group: `rows`\ny")).sections[1]

    assert section.names == (
        "Views#Sort & group rows",
        "Bases/Views#Sort & group rows",
        "Bases/Views#sort--group-rows",
    )


def test_of_repeated_headings_the_first_has_the_name_and_the_others_a_number() -> None:
    found = parse_note(MarkdownFile("Log.md", "# Fix\na\n# Other\nb\n# Fix\nc")).sections

    assert [s.names for s in found] == [("Log", "Log#Fix"), ("Log#Other",), ("Log#fix-1",)]


@pytest.mark.parametrize(
    ("heading", "link"),
    [
        ("Sort and group", "[[Views#Sort and group]]"),
        ("Sort and group", "[[Bases/Views#sort and group|x]]"),
        ("Step 1: dig", "[[Views#Step 1 dig]]"),
        ("What's `new`?", "[[Views#What's `new`?]]"),
        ("Sort and group", "[x](Views.md#sort-and-group)"),
        ("Sort and group", "[x](Views.md#Sort%20and%20group)"),
        ("Dig (deep)", "[x](Views.md#dig-deep)"),
        ("Größe", "[x](Views.md#größe)"),
    ],
)
def test_a_link_to_a_heading_meets_the_name_of_its_section(heading: str, link: str) -> None:
    section = parse_note(MarkdownFile("Bases/Views.md", f"x\n# {heading}\ny")).sections[1]

    ((_, target),) = first(link, "Bases/Other.md").links
    assert link_key(target) in {link_key(name) for name in section.names}
