"""Which media type an Accept header gets."""

from __future__ import annotations

import pytest

from graphmem.api.accept import accepted
from graphmem.api.answers import GRAPHQL_JSON, JSON

OFFERED = (JSON, GRAPHQL_JSON)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        (GRAPHQL_JSON, GRAPHQL_JSON),
        (f"{GRAPHQL_JSON}, {JSON};q=0.9", GRAPHQL_JSON),
        (f"{JSON};q=0.5, {GRAPHQL_JSON};q=0.6", GRAPHQL_JSON),
        (f"{JSON}, {GRAPHQL_JSON}", JSON),
        (f"{GRAPHQL_JSON}; charset=utf-8", GRAPHQL_JSON),
        (f"*/*;q=0.1, {GRAPHQL_JSON};q=0", JSON),
        ("APPLICATION/GRAPHQL-RESPONSE+JSON", GRAPHQL_JSON),
        (f"{JSON};q=abc, {GRAPHQL_JSON}", GRAPHQL_JSON),
    ],
)
def test_the_best_liked_offer_wins(header: str | None, expected: str) -> None:
    assert accepted(header, OFFERED) == expected


@pytest.mark.parametrize(
    "header", ["text/html", f"{JSON};q=0", f"{JSON}; charset=iso-8859-1", "image/png, text/*"]
)
def test_nothing_is_offered_to_who_likes_none_of_it(header: str) -> None:
    assert accepted(header, OFFERED) is None
