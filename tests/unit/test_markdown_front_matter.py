"""Front matter: tags become keywords, aliases and the title become names."""

from __future__ import annotations

import pytest

from graphmem.memory.notes import MarkdownFile, Note, parse_note


def note(front: str, body: str = "Text.") -> Note:
    return parse_note(MarkdownFile("Plan.md", f"---\n{front}\n---\n{body}"))


@pytest.mark.parametrize(
    ("front", "keywords"),
    [
        ("tags: [garden, Trees]", ("garden", "Trees")),
        ("tags:\n  - garden\n  - '#trees'", ("garden", "trees")),
        ("tags: garden, trees", ("garden", "trees")),
        ("tags: garden trees", ("garden", "trees")),
        ("tag: garden", ("garden",)),
        ("Tags: [machine learning]", ("machine learning",)),
        ("tags: [2024, yes, 2024-01-01]", ("2024", "yes", "2024-01-01")),
        ("tags: [Garden, garden]", ("Garden",)),
        ("tags:", ()),
        ("tags: []", ()),
        ("tags: {a: b}", ()),
    ],
)
def test_tags_become_keywords(front: str, keywords: tuple[str, ...]) -> None:
    found = note(front)

    assert [s.keywords for s in found.sections] == [keywords]
    assert found.warnings == ()


def test_every_section_carries_the_tags_of_the_file() -> None:
    assert [s.keywords for s in note("tags: a", "one\n# B\ntwo").sections] == [("a",), ("a",)]


@pytest.mark.parametrize(
    ("front", "names"),
    [
        ("aliases: [The plan, Old plan]", ("The plan", "Old plan")),
        ("aliases: The plan, Old plan", ("The plan", "Old plan")),
        ("aliases:\n- The  plan", ("The plan",)),
        ("alias: The plan", ("The plan",)),
        ("aliases: [PLAN]", ()),
        ("aliases:", ()),
    ],
)
def test_aliases_name_the_first_section(front: str, names: tuple[str, ...]) -> None:
    first, second = note(front, "one\n# B\ntwo").sections

    assert first.names == ("Plan", *names)
    assert not set(second.names) & set(names)


def test_the_title_names_the_first_section_even_when_a_heading_is_its_title() -> None:
    first = note("title: Grand plan", "# Steps\none").sections[0]

    assert first.title == "Steps"
    assert "Grand plan" in first.names


def test_a_broken_entry_does_not_hide_the_others() -> None:
    found = note("globs: **/*\ndescription: a: b: c\ntags: [x]\naliases:\n  - y")

    assert (found.sections[0].keywords, found.sections[0].names) == (("x",), ("Plan", "y"))
    assert found.warnings == ()


def test_an_entry_that_matters_and_cannot_be_read_is_told() -> None:
    found = note("tags: [x\ntitle: T")

    assert (found.sections[0].keywords, found.sections[0].title) == ((), "T")
    assert found.warnings == ("Plan.md: the front matter is not valid YAML",)


@pytest.mark.parametrize("front", ["a: " + "[" * 5_000, "- a\n- b", "a: &x [*x]", "? [a]\n: b", "just text"])
def test_strange_yaml_costs_no_file(front: str) -> None:
    assert [s.content for s in note(front).sections] == ["Text."]


def test_a_block_that_is_too_long_is_told_and_not_read() -> None:
    found = note("tags: x\nnote: " + "y" * 20_000)

    assert [s.keywords for s in found.sections] == [()]
    assert found.warnings == ("Plan.md: the front matter has 20015 characters, the limit is 20000",)


def test_tags_over_the_limits_are_left_out_and_told() -> None:
    tags = [f"t{number}" for number in range(21)]

    found = note(f"tags: [{'y' * 65}, {', '.join(tags)}]")

    assert found.sections[0].keywords == tuple(tags[:20])
    assert found.warnings == (
        "Plan.md: 2 of 22 tags were left out; at most 20 tags of 64 characters are kept",
    )


def test_aliases_over_the_limits_are_left_out_and_told() -> None:
    aliases = [f"a{number}" for number in range(51)]

    found = note(f"aliases: [{', '.join(aliases)}]")

    assert found.sections[0].names == ("Plan", *aliases[:50])
    assert found.warnings == (
        "Plan.md: 1 of 51 aliases were left out; at most 50 aliases of 200 characters are kept",
    )
