"""Links inside texts, as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.memory.keys import link_key
from graphmem.memory.links import LinkText, find_links


@pytest.mark.parametrize(
    ("content", "text", "target", "heading"),
    [
        ("see [[/Work/Acme]]", "/Work/Acme", "/Work/Acme", None),
        ("see [[Project Plan]]", "Project Plan", "Project Plan", None),
        ("see [[plan|the plan]]", "the plan", "plan", None),
        ("see [[ plan | ]]", "plan", "plan", None),
        ("see [[plan#Next steps]]", "plan#Next steps", "plan", "Next steps"),
        ("see [[plan#^block1|b]]", "b", "plan", "^block1"),
        ("see [[C#]]", "C#", "C#", None),
        ("see [[C# basics]]", "C# basics", "C# basics", None),
        ("see ![[image.png]]", "image.png", "image.png", None),
        ("see [[日本|Japan]]", "Japan", "日本", None),
        ("see [[a|b|c]]", "b|c", "a", None),
    ],
)
def test_B023_a_link_has_a_text_and_a_target(
    content: str, text: str, target: str, heading: str | None
) -> None:
    (link,) = find_links(content)

    assert (link.text, link.target, link.heading) == (text, target, heading)
    assert content[link.start : link.end].startswith("[[")
    assert content[link.start : link.end].endswith("]]")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[[]]",
        "[[  ]]",
        "[[|x]]",
        "[[#heading]]",
        "[one]",
        "[[open",
        "[[a\nb]]",
        "[[1,2],[3,4]]",
        "[[" + "x" * 1025 + "]]",
    ],
)
def test_B024_what_names_nothing_is_plain_text(content: str) -> None:
    assert find_links(content) == ()


def test_B024_targets_stand_in_the_order_of_the_text_without_repeats() -> None:
    content = "[[b]] [[/a/B]] [[B|again]] [[a]] [[/A/b/]] [[b#h]]"

    assert find_links(content) == (
        LinkText("b", "b", 0, 5),
        LinkText("/a/B", "/a/B", 6, 14),
        LinkText("a", "a", 27, 32),
    )


def test_brackets_around_a_link_do_not_hide_it() -> None:
    (link,) = find_links("[[[x]]]")

    assert link.target == "x"


@given(st.text(alphabet="[]|#/ab \n", max_size=40))
def test_every_link_stands_where_it_says(content: str) -> None:
    links = find_links(content)

    assert [link.start for link in links] == sorted(link.start for link in links)
    assert len({link_key(link.target) for link in links}) == len(links)
    for link in links:
        assert link.target
        assert link.target in content[link.start : link.end]
        assert content[link.start : link.start + 2] == "[["
        assert content[link.end - 2 : link.end] == "]]"
