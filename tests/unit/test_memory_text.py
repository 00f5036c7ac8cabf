"""Texts: what is refused, and that nothing is changed that is stored."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory.text import checked_text, content_hash, normal_form

VALID = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"))


@given(VALID)
def test_R22_any_valid_text_comes_back_code_point_for_code_point(text: str) -> None:
    assert checked_text(text, "content", 10_000, allow_empty=True) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ab\0c", "holds a NUL character at character 2"),
        ("\ud800", "holds half of a surrogate pair at character 0"),
        ("🦊\udfff", "holds half of a surrogate pair at character 1"),
        ("", "is empty"),
        (" \n\t\u3000", "is empty"),
        ("x" * 11, "has 11 characters, the limit is 10"),
    ],
)
def test_R22_what_cannot_be_stored_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked_text(text, "input[3].content", 10)

    assert str(refused.value).startswith(f"input[3].content {problem}")


def test_T025_the_limit_itself_is_fine_and_counts_code_points() -> None:
    assert checked_text("🦊" * 500, "content", 500) == "🦊" * 500
    with pytest.raises(InvalidInput) as refused:
        checked_text("🦊" * 501, "content", 500)
    assert refused.value.limit == 500


def test_an_empty_text_may_be_allowed() -> None:
    assert checked_text("", "title", 10, allow_empty=True) == ""
    assert checked_text("  ", "title", 10, allow_empty=True) == "  "


@pytest.mark.parametrize(
    "variants",
    [
        ("Use  Redis", "use redis", "\tUSE\nredis ", "use\u00a0redis"),
        ("é", "e\u0301", "É"),
        ("straße", "STRASSE"),
    ],
)
def test_T020_texts_that_differ_in_case_and_space_have_one_normal_form(variants: tuple[str, ...]) -> None:
    assert len(set(map(normal_form, variants))) == 1


def test_compatibility_characters_and_accents_count() -> None:
    assert normal_form("x²") != normal_form("x2")
    assert normal_form("resume") != normal_form("résumé")


@given(st.text())
def test_a_normal_form_is_its_own(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


@given(VALID)
def test_the_hash_is_sha256_of_the_exact_text(text: str) -> None:
    assert content_hash(text) == hashlib.sha256(text.encode()).hexdigest()
    assert content_hash(text + " ") != content_hash(text)
