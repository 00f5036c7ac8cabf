"""Cursors come back as they went out, or not at all."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.memory.cursors import decode, encode

VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
PAYLOADS = st.dictionaries(st.text(max_size=8), VALUES | st.lists(VALUES, max_size=3), max_size=5)


@given(PAYLOADS)
def test_a_cursor_comes_back_as_it_went_out(payload: dict[str, object]) -> None:
    text = encode(payload)

    assert decode(text) == payload
    assert re.fullmatch(r"[A-Za-z0-9_-]+", text)


@given(PAYLOADS, st.data())
def test_a_mistyped_cursor_is_refused(payload: dict[str, object], data: st.DataObject) -> None:
    text = encode(payload)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("ABCxyz019-_=+/ é").filter(lambda character: character != text[at]))

    with pytest.raises(InvalidInput):
        decode(text[:at] + other + text[at + 1 :])


@given(PAYLOADS, st.integers(1, 6))
def test_a_cut_or_longer_cursor_is_refused(payload: dict[str, object], cut: int) -> None:
    text = encode(payload)

    for broken in (text[:-cut], text + "A" * cut, text + "="):
        with pytest.raises(InvalidInput):
            decode(broken)


@given(st.text(max_size=40))
def test_any_text_is_a_cursor_or_refused_as_one(text: str) -> None:
    try:
        payload = decode(text)
    except InvalidInput:
        return

    assert encode(payload) == text


@pytest.mark.parametrize("text", ["", "x", "AAAAAAAA", "A" * 5_000, encode({"a": 1}) + "\n", "W10", "\ud800"])
def test_the_refusal_names_the_field_and_the_way_out(text: str) -> None:
    with pytest.raises(InvalidInput, match="take endCursor as it was answered") as refused:
        decode(text, "before")

    assert refused.value.field == "before"


@pytest.mark.parametrize("body", [b"[" * 3_000, b'{"a":' + b"[" * 1_500 + b"]" * 1_500 + b"}"])
def test_json_that_is_nested_too_deeply_is_a_broken_cursor(body: bytes) -> None:
    checksum = hashlib.blake2b(body, digest_size=6).digest()
    text = base64.urlsafe_b64encode(checksum + body).decode().rstrip("=")

    with pytest.raises(InvalidInput, match="take endCursor as it was answered"):
        decode(text)
