"""Bearer tokens: shown once, found by their prefix, compared by their hash."""

from __future__ import annotations

import hashlib
import re

import pytest

from graphmem.access.tokens import matches, new_token, parse
from graphmem.errors import Unauthenticated


def test_a_new_token_is_a_prefix_and_a_secret_of_256_bits() -> None:
    token = new_token()

    assert re.fullmatch(r"gm_[a-z2-9]{12}_[A-Za-z0-9_-]{43}", token.text)
    assert token.text.startswith(f"gm_{token.prefix}_")
    assert token.hash == hashlib.sha256(token.text.encode()).hexdigest()


def test_no_two_tokens_are_alike() -> None:
    tokens = [new_token() for _ in range(200)]

    assert len({token.prefix for token in tokens}) == 200
    assert len({token.text[-43:] for token in tokens}) == 200


def test_a_shown_token_matches_its_own_hash_only() -> None:
    mine, other = new_token(), new_token()

    shown = parse(f"  {mine.text}\n")

    assert shown.prefix == mine.prefix
    assert matches(shown, mine.hash)
    assert not matches(shown, other.hash)
    assert not matches(shown, "")
    assert not matches(shown, "é")


def test_a_changed_secret_keeps_the_prefix_and_matches_no_more() -> None:
    token = new_token()
    last = "A" if token.text[-1] != "A" else "B"

    shown = parse(token.text[:-1] + last)

    assert shown.prefix == token.prefix
    assert not matches(shown, token.hash)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gm_",
        "gm_abcdefghjkmn_short",
        "xx_abcdefghjkmn_" + "A" * 43,
        "gm_abcdefghjkmn_" + "A" * 44,
        "gm_ABCDEFGHJKMN_" + "A" * 43,
        "gm_abcdefghjkmn_" + "A" * 42 + "é",
    ],
)
def test_what_is_no_token_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(Unauthenticated, match=r"^the token is not valid; a GraphMem token looks like gm_…$"):
        parse(text)
