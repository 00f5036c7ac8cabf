"""Wings and rooms: which free texts are one place, and which are not."""

from __future__ import annotations

import re
import unicodedata
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory.limits import SEGMENT_CHARACTERS, TITLE_CHARACTERS
from graphmem.memory.paths import normalise_path
from graphmem.memory.rooms import folded_name, room_path, wing_path


@pytest.mark.parametrize(
    "variants",
    [
        ("Front End", "front-end", "FRONT_END", " front  end ", "front - end", "front–end", "Front\tEnd"),
        ("TCP/IP", "tcp-ip", "tcp ip", "TCP\\IP"),
        ("Größe", "GRÖSSE", "grösse", "gro\u0308sse"),
        ("日本 語", "日本_語"),
        ("ab", "a\u00adb", "a\u200bb", "\ufeffab"),
        ("C++", "c++", "C ++".replace(" ", "")),
    ],
    ids=lambda variants: variants[0],
)
def test_variants_of_a_name_are_one_place(variants: tuple[str, ...]) -> None:
    assert len({folded_name(name, "room") for name in variants}) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("C", "C++", "C#", "C--x", "C*"),
        ("🦊", "🐻", "❤️", "!!!"),
        ("Q&A", "QA", "Q A"),
        ("node.js", "node js", "nodejs"),
        ("R&D", "R+D", "RD"),
        (".git", "git"),
        ("resume", "résumé"),
    ],
    ids=lambda names: names[0],
)
def test_names_that_lose_a_character_stay_apart(names: tuple[str, ...]) -> None:
    folded = {name: folded_name(name, "room") for name in names}

    for one, other in combinations(names, 2):
        assert folded[one] != folded[other], (one, other)


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("Kitchen", "kitchen"),
        ("front end", "front-end"),
        ("node.js", "node.js"),
        ("--x--", "x"),
        ("หน้าแรก", "หน\u0e49าแรก"),
    ],
)
def test_a_plain_name_is_its_own_segment(name: str, segment: str) -> None:
    assert folded_name(name, "room") == segment


def test_four_digits_of_a_hash_follow_what_was_dropped() -> None:
    assert re.fullmatch(r"c-[0-9a-f]{4}", folded_name("C++", "room"))
    assert re.fullmatch(r"x-[0-9a-f]{8}", folded_name("🦊", "room"))
    assert folded_name("C++", "room") == "c-cedb"


@given(st.text(min_size=1, max_size=40))
def test_a_folded_name_is_a_legal_segment_and_folds_to_itself(name: str) -> None:
    try:
        segment = folded_name(name, "room")
    except InvalidInput:
        assume(False)
        raise

    assert normalise_path("/" + segment) == "/" + segment
    assert folded_name(segment, "room") == segment


VISIBLE = st.characters(codec="utf-8", categories=("L", "N", "P", "S"))


@given(st.text(alphabet=VISIBLE, min_size=1, max_size=12))
def test_case_and_separators_never_matter(name: str) -> None:
    assume(any(unicodedata.category(character)[0] in "LN" for character in name))
    spaced = f"  {name} x"

    assert folded_name(spaced.replace(" ", "_"), "room") == folded_name(spaced, "room")
    assert folded_name(spaced.replace(" ", "--"), "room") == folded_name(spaced, "room")
    assert folded_name(spaced.casefold(), "room") == folded_name(spaced, "room")


@pytest.mark.parametrize("name", ["", "   ", "---", " _ / ", "\u200b"])
def test_a_name_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="is empty") as refused:
        folded_name(name, "wing")

    assert refused.value.field == "wing"


@pytest.mark.parametrize(("name", "at"), [("a\0b", 1), ("\ud800", 0), ("ok\udfff", 2)])
def test_what_is_no_text_is_refused_with_its_place(name: str, at: int) -> None:
    with pytest.raises(InvalidInput, match=f"at character {at}, which is not text"):
        folded_name(name, "room")


def test_a_name_longer_than_a_segment_is_refused() -> None:
    assert len(folded_name("a" * SEGMENT_CHARACTERS, "room")) == SEGMENT_CHARACTERS
    with pytest.raises(InvalidInput, match="129 characters, the limit is 128") as refused:
        folded_name("a" * (SEGMENT_CHARACTERS + 1), "room")
    assert refused.value.limit == SEGMENT_CHARACTERS


def test_a_name_longer_than_a_display_name_is_refused_however_short_its_segment() -> None:
    assert len(folded_name(f"  C{'!' * (TITLE_CHARACTERS - 1)}  ", "room")) < 10
    with pytest.raises(InvalidInput, match=r"'C!!!.*' has 201 characters, the limit is 200") as refused:
        room_path("w", f"docs/C{'!' * TITLE_CHARACTERS}")
    assert (refused.value.field, refused.value.limit) == ("room", TITLE_CHARACTERS)


def test_a_wing_stands_in_the_palace_and_a_room_in_its_wing() -> None:
    assert wing_path("My Project") == "/palace/my-project"
    assert room_path("My Project", "Design Notes") == "/palace/my-project/design-notes"
    assert room_path("w", "Docs/How To/x") == "/palace/w/docs/how-to/x"
    assert room_path("w", "/docs/") == "/palace/w/docs"


def test_an_empty_room_inside_a_room_is_refused() -> None:
    with pytest.raises(InvalidInput, match="is empty"):
        room_path("w", "a//b")
    with pytest.raises(InvalidInput, match="is empty"):
        room_path("w", "/")


def test_a_room_that_is_too_deep_is_refused() -> None:
    with pytest.raises(InvalidInput, match="the limit is 1024"):
        room_path("w", "/".join(["a" * 100] * 11))
