"""Tags and the names of subjects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory.limits import OWN_TAGS
from graphmem.memory.tags import Tag, checked_subject, own_tags, parse_tag, tag_keys


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("env=prod", Tag("env", "prod")),
        ("ENV=Prod", Tag("env", "Prod")),
        (" env = prod ", Tag("env", "prod")),
        ("q=a=b=c", Tag("q", "a=b=c")),
        ("a_b-c1=x y", Tag("a_b-c1", "x y")),
        ("größe=groß", Tag("grösse", "groß")),
        ("k=e\u0301", Tag("k", "é")),
    ],
)
def test_B061_a_tag_is_split_at_the_first_equals_sign(text: str, tag: Tag) -> None:
    assert parse_tag(text, "tags") == tag
    assert parse_tag(str(tag), "tags") == tag


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("env", "has no '='"),
        ("", "has no '='"),
        ("=x", "does not start with a letter"),
        ("1a=x", "does not start with a letter"),
        ("-a=x", "does not start with a letter"),
        ("a.b=x", "with '.'"),
        ("a b=x", "with ' '"),
        ("a=", "without a value"),
        ("a=  ", "without a value"),
        ("a=x\ny", "control character '\\n'"),
        ("a=x\0y", "control character '\\x00'"),
        ("a=\ud800", "control character '\\ud800'"),
        ("a=" + "x" * 257, "257 characters, the limit is 256"),
        ("a" * 65 + "=x", "65 characters, the limit is 64"),
    ],
)
def test_B061_B062_what_is_no_tag_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_tag(text, "input.tags")

    assert refused.value.field == "input.tags"
    assert problem in refused.value.problem


def test_B061_the_longest_value_is_fine() -> None:
    assert parse_tag("a=" + "x" * 256, "tags").value == "x" * 256


def test_B076_own_tags_are_sorted_and_the_owner_is_among_them() -> None:
    assert own_tags(["z=1", "Env=prod", "a=2"], "ann", "tags") == ("a=2", "env=prod", "owner=ann", "z=1")
    assert own_tags([], "ann", "tags") == ("owner=ann",)


@pytest.mark.parametrize("text", ["owner=bob", "OWNER=ann", " Owner = x", "ｏｗｎｅｒ=bob"])
def test_B063_a_caller_cannot_set_the_owner(text: str) -> None:
    with pytest.raises(InvalidInput, match="only GraphMem writes"):
        own_tags(["a=1", text], "ann", "tags")


def test_B061_a_key_has_one_value() -> None:
    assert own_tags(["a=1", "A=1"], "ann", "tags") == ("a=1", "owner=ann")
    with pytest.raises(InvalidInput, match="gives the key 'a' two values"):
        own_tags(["a=1", "A=2"], "ann", "tags")


def test_there_is_a_limit_of_own_tags() -> None:
    tags = [f"k{number}=v" for number in range(OWN_TAGS + 1)]

    assert len(own_tags(tags[:-1], "ann", "tags")) == OWN_TAGS + 1
    with pytest.raises(InvalidInput, match=f"has {OWN_TAGS + 1} tags, the limit is {OWN_TAGS}"):
        own_tags(tags, "ann", "tags")


def test_keys_of_tags_are_sorted_and_unique() -> None:
    assert tag_keys(["z=1", "a=b=c", "owner=ann"]) == ("a", "owner", "z")
    assert tag_keys([]) == ()


@given(st.text())
def test_a_tag_that_is_accepted_means_the_same_when_read_again(text: str) -> None:
    try:
        tag = parse_tag(text, "tags")
    except InvalidInput:
        return

    assert parse_tag(str(tag), "tags") == tag


@pytest.mark.parametrize("name", ["default", "Ann", "ann@example.org", "a" * 128, "日本"])
def test_B078_a_subject_keeps_its_name(name: str) -> None:
    assert checked_subject(name, "subject") == name


def test_a_subject_has_one_spelling() -> None:
    assert checked_subject("e\u0301va", "subject") == "éva"


@pytest.mark.parametrize(
    "name",
    ["", "a b", " a", "a=b", "a,b", "a\tb", "a\nb", "a\0b", "a\ud800", "a\u3000b", "a\u200bb", "a" * 129],
)
def test_B078_what_is_no_subject_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked_subject(name, "subject")

    assert refused.value.field == "subject"
