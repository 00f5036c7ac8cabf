"""A Markdown file becomes sections: where they begin and end, and what they are called."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory.notes import MarkdownFile, Note, Section, parse_note

TEXT = """Before any heading.

# Plan

Why.

## Steps

1. Dig.

## Steps

2. Fill.
"""


def note(text: str, path: str = "Garden/Plan.md") -> Note:
    return parse_note(MarkdownFile(path, text))


def sections(text: str, path: str = "Garden/Plan.md") -> tuple[Section, ...]:
    return note(text, path).sections


def test_a_section_runs_from_its_heading_to_the_next_of_any_level() -> None:
    assert [(s.line_start, s.line_end, s.content) for s in sections(TEXT)] == [
        (1, 1, "Before any heading."),
        (3, 5, "# Plan\n\nWhy."),
        (7, 9, "## Steps\n\n1. Dig."),
        (11, 13, "## Steps\n\n2. Fill."),
    ]


def test_equal_heading_paths_are_told_apart_by_their_number() -> None:
    assert [s.place for s in sections(TEXT)] == [
        ("1",),
        ("Plan", "1"),
        ("Plan", "Steps", "1"),
        ("Plan", "Steps", "2"),
    ]


def test_the_text_before_the_first_heading_takes_the_title_of_the_file() -> None:
    assert [s.title for s in sections(TEXT)] == ["Plan", "Plan", "Steps", "Steps"]
    assert sections("---\ntitle: The big plan\n---\nText.")[0].title == "The big plan"


def test_a_heading_path_leaves_out_headings_of_the_same_or_a_deeper_level() -> None:
    found = sections("## A\n### B\n# C\n### D\n## E")

    assert [s.heading_path for s in found] == [("A",), ("A", "B"), ("C",), ("C", "D"), ("C", "E")]


def test_underlined_headings_start_sections_too() -> None:
    found = sections("Big\n===\n\none\n\nSmall\nstill\n---\ntwo\n")

    assert [(s.title, s.line_start, s.line_end) for s in found] == [("Big", 1, 4), ("Small still", 6, 9)]
    assert found[1].heading_path == ("Big", "Small still")


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no heading\n```",
        "~~~md\n# no heading\n~~~",
        "    # no heading",
        "<div>\n# no heading\n</div>",
        "<!--\n# no heading\n-->",
        "> # of the quote",
        "- # of the list",
        "#tag and #other",
    ],
    ids=["fence", "tildes", "indented", "HTML block", "comment", "quote", "list", "tags"],
)
def test_what_only_looks_like_a_heading_starts_no_section(text: str) -> None:
    assert [s.content for s in sections(text)] == [text.rstrip("\n")]


def test_a_heading_with_nothing_under_it_is_a_section() -> None:
    assert [s.content for s in sections("# A\n\n## B\ntext")] == ["# A", "## B\ntext"]


def test_front_matter_is_no_content_but_counts_as_lines() -> None:
    found = sections("---\ntags: [a]\n---\n\n# Plan\nWhy.\n")

    assert [(s.content, s.line_start, s.line_end) for s in found] == [("# Plan\nWhy.", 5, 6)]


def test_a_first_line_of_dashes_that_is_never_closed_is_text() -> None:
    assert [s.content for s in sections("---\nno end")] == ["---\nno end"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_line_ends_stay_as_they_are(end: str) -> None:
    found = sections("\ufeff" + "---\ntags: x\n---\n# A\none\n\n# B\ntwo\n".replace("\n", end))

    assert [(s.content, s.line_start, s.line_end) for s in found] == [
        (f"# A{end}one", 4, 5),
        (f"# B{end}two", 7, 8),
    ]
    assert found[0].keywords == ("x",)


def test_only_line_ends_of_markdown_end_a_line() -> None:
    assert [(s.line_start, s.line_end) for s in sections("a\x0cb\u2028c\x0b\n# D")] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("text", ["", "\n \n\t\n", "---\ntags: a\n---\n"])
def test_a_file_without_text_is_reported_and_has_no_section(text: str) -> None:
    found = note(text)

    assert found.sections == ()
    assert found.warnings == ("Garden/Plan.md: holds no text, so nothing of it is stored",)


@pytest.mark.parametrize(
    ("path", "room"),
    [("a.md", "general"), ("Plants/a.md", "Plants"), ("Plants/Trees/a.md", "Plants/Trees")],
)
def test_the_room_is_the_folder(path: str, room: str) -> None:
    assert note("x", path).room == room


@pytest.mark.parametrize("path", ["", "/a.md", "../a.md", "a//b.md", "a/./b.md", "a\\b.md", "a/", "x" * 1025])
def test_a_path_that_is_none_inside_the_folder_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match=r"^path "):
        note("x", path)


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"], ids=["NUL", "half a surrogate pair"])
def test_what_is_no_text_is_refused_with_its_position(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"^text holds .* at character 1"):
        note(text)


def test_a_section_is_never_split_so_one_that_is_too_long_refuses_the_file() -> None:
    text = "# A\n" + "x" * 20

    assert parse_note(MarkdownFile("a.md", text), limit=24).sections[0].content == text
    with pytest.raises(
        InvalidInput, match=r"24 characters in one section \(lines 1 to 2 of 'a.md'\), the limit is 23"
    ):
        parse_note(MarkdownFile("a.md", text), limit=23)


def test_a_long_heading_is_cut_as_a_title_and_kept_as_content() -> None:
    found = sections("# " + "long " * 100)[0]

    assert found.title is not None
    assert (len(found.title), found.title[-1]) == (200, "…")
    assert len(found.content) == 2 + 5 * 100


def test_a_bare_mark_is_a_section_without_a_title() -> None:
    found = sections("# A\n#\ntext")[1]

    assert (found.title, found.heading_path, found.content) == (None, ("",), "#\ntext")


LINES = st.sampled_from(
    [
        "",
        "  ",
        "text",
        "# A",
        "## B",
        "### A",
        "A\n===",
        "```",
        "~~~",
        "> q",
        "- i",
        "---",
        "<p>",
        "\r",
        "tags: a",
    ]
)


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_every_line_with_text_stands_in_exactly_one_section_or_in_the_front_matter(
    written: list[str], end: str
) -> None:
    text = end.join(written)
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
    found = sections(text)

    covered = [line for s in found for line in range(s.line_start, s.line_end + 1)]
    assert covered == sorted(set(covered))
    begin = covered[0] - 1 if covered else len(lines)
    head = [line.strip() for line in lines[:begin] if line.strip()]
    assert not head or (head[0] == "---" and head[-1] == "---")
    outside = set(range(begin + 1, len(lines) + 1)) - set(covered)
    assert all(not lines[line - 1].strip() for line in outside)
    for s in found:
        assert (
            "".join(lines[s.line_start - 1 : s.line_end]).removesuffix("\n").removesuffix("\r") == s.content
        )
    assert len({s.place for s in found}) == len(found)
