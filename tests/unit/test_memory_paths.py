"""Paths: one normal form, whole segments, and refusals that say what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory.limits import PATH_CHARACTERS, SEGMENT_CHARACTERS
from graphmem.memory.paths import (
    ancestors,
    depth,
    fold,
    is_at_or_under,
    joined,
    last_segment,
    normalise_path,
    parent,
)

SEGMENTS = st.from_regex(r"[a-z0-9ä日][a-z0-9ä日._-]{0,6}", fullmatch=True)
PATHS = st.lists(SEGMENTS, max_size=5).map(lambda segments: "/" + "/".join(segments))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/", "/"),
        ("//", "/"),
        ("///", "/"),
        (" /Work/Acme/ ", "/work/acme"),
        ("/work///", "/work"),
        ("/STRASSE", "/strasse"),
        ("/straße", "/strasse"),
        ("/ｆｕｌｌ／ｗｉｄｔｈ", "/full/width"),
        ("/㎑", "/khz"),
        ("/e\u0301te\u0301", "/été"),
        ("/日本/หน้า/हिन्दी", "/日本/หน้า/हिन्दी"),
        ("/v1.2_rc-3", "/v1.2_rc-3"),
        ("/1", "/1"),
    ],
)
def test_B010_B012_a_path_has_one_normal_form(text: str, path: str) -> None:
    assert normalise_path(text) == path


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("work", "'work' does not start with /"),
        ("/a//b", "has an empty segment"),
        ("/a/./b", "has the segment '.'"),
        ("/a/../b", "has the segment '..'"),
        ("/.git", "has the segment '.git', which does not start with a letter or digit"),
        ("/-x", "does not start with a letter or digit"),
        ("/_x", "does not start with a letter or digit"),
        ("/\u0301x", "does not start with a letter or digit"),
        ("/a b", "with the character ' '"),
        ("/c++", "with the character '+'"),
        ("/a\\b", "with the character '\\\\'"),
        ("/a\0b", "with the character '\\x00'"),
        ("/a\ud800b", "with the character '\\ud800'"),
        ("/a\u200bb", "with the character '\\u200b'"),
        ("/a\ufe0fb", "with the character '\\ufe0f'"),
        ("/fox🦊", "with the character '\\U0001f98a'"),
    ],
)
def test_B011_B012_what_is_no_path_is_refused_with_its_reason(text: str, problem: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        normalise_path(text, "input.path")

    assert refused.value.field == "input.path"
    assert problem in refused.value.problem


@pytest.mark.parametrize("letter", ["a", "ä"])
def test_B011_a_segment_and_a_path_have_limits(letter: str) -> None:
    longest = "/" + letter * SEGMENT_CHARACTERS
    assert normalise_path(longest) == longest
    with pytest.raises(InvalidInput, match="129 characters, the limit is 128") as refused:
        normalise_path(longest + "a")
    assert refused.value.limit == SEGMENT_CHARACTERS

    whole = "/aaaaaaa" * (PATH_CHARACTERS // 8)
    assert normalise_path(whole) == whole
    with pytest.raises(InvalidInput, match="1025 characters, the limit is 1024") as refused:
        normalise_path(whole + "a")
    assert refused.value.limit == PATH_CHARACTERS


def test_a_refusal_shows_a_long_path_shortened() -> None:
    with pytest.raises(InvalidInput) as refused:
        normalise_path("/x y" + "z" * 500)

    assert len(str(refused.value)) < 300


@given(st.text(max_size=30).map(lambda text: "/" + text) | PATHS)
def test_normalising_twice_changes_nothing(text: str) -> None:
    try:
        path = normalise_path(text)
    except InvalidInput:
        assume(False)
        raise

    assert normalise_path(path) == path
    assert normalise_path(f" {path}/ ") == path
    assert normalise_path(path.upper().replace("ß", "SS")) in (path, normalise_path(path.upper()))


@given(st.text(max_size=30))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_B017_the_ancestors_of_a_path_start_at_the_root_and_end_with_itself() -> None:
    assert ancestors("/a/b") == ("/", "/a", "/a/b")
    assert ancestors("/a") == ("/", "/a")
    assert ancestors("/") == ("/",)


@given(PATHS)
def test_ancestors_parent_segment_and_depth_agree(text: str) -> None:
    path = normalise_path(text)
    chain = ancestors(path)

    assert chain[0] == "/"
    assert chain[-1] == path
    assert [parent(step) for step in chain] == [None, *chain[:-1]]
    assert [depth(step) for step in chain] == list(range(len(chain)))
    assert joined(*(last_segment(step) for step in chain)) == path
    assert all(is_at_or_under(path, above) for above in chain)


@given(PATHS, PATHS)
def test_R17_under_means_by_whole_segments(one: str, other: str) -> None:
    path, root = normalise_path(one), normalise_path(other)

    assert is_at_or_under(path, root) == (root in ancestors(path))


def test_B072_a_path_that_only_starts_the_same_is_not_under() -> None:
    assert not is_at_or_under("/workshop", "/work")
    assert is_at_or_under("/work", "/work")
    assert is_at_or_under("/work/shop", "/work")
    assert not is_at_or_under("/work", "/work/shop")
    assert is_at_or_under("/anything", "/")


def test_joining_makes_a_normal_path() -> None:
    assert joined("/A", "b/c", "/d/") == "/a/b/c/d"
    assert joined() == "/"
    assert joined("/", "", "x") == "/x"
    with pytest.raises(InvalidInput):
        joined("/a", "..")
