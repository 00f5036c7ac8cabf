"""Where an access slot may stand: only where ``false`` means that nothing is shown."""

from __future__ import annotations

import pytest

from graphmem.graph.slots import masked, slot_problem, with_shown

SLOT = "/*access:m*/ false"


@pytest.mark.parametrize(
    "statement",
    [
        f"MATCH (m) WHERE {SLOT} RETURN m",
        f"MATCH (m) WHERE m.live AND {SLOT} RETURN m",
        f"MATCH (m) WHERE NOT m.dead AND {SLOT} RETURN m",
        f"MATCH (m) WHERE m.until IS NOT NULL AND {SLOT} RETURN m",
        f"MATCH (m) WHERE (m.a OR m.b) AND {SLOT} RETURN m",
        f"MATCH (m) WHERE m.path STARTS WITH $path AND {SLOT} RETURN m",
        f"MATCH p = (m)--() WHERE all(n IN nodes(p) WHERE {SLOT}) RETURN p",
        f"MATCH (m) WHERE EXISTS {{ MATCH (m)-->(n) WHERE {SLOT} }} RETURN m",
        f"MATCH (m) WHERE EXISTS {{ MATCH (m)-->(n) WHERE {SLOT} RETURN n }} OR (m.a AND {SLOT}) RETURN m",
        f"MATCH (m) WHERE COUNT {{ (m)-->(n) WHERE {SLOT} }} > 0 RETURN m",
        f"MATCH (m) RETURN CASE WHEN m.a OR m.b THEN COUNT {{ (m)-->(n) WHERE {SLOT} }} ELSE 0 END",
        f"MATCH (m) WHERE {SLOT} WITH m WHERE m.a OR m.b RETURN m",
    ],
)
def test_a_slot_may_stand_where_false_shows_nothing(statement: str) -> None:
    assert slot_problem(statement) is None


@pytest.mark.parametrize(
    "statement",
    [
        f"MATCH (m) WHERE NOT {SLOT} RETURN m",
        f"MATCH (m) WHERE NOT (m.a AND {SLOT}) RETURN m",
        f"MATCH (m) WHERE NOT m.a = {SLOT} RETURN m",
        f"MATCH p = (m)--() WHERE none(n IN nodes(p) WHERE {SLOT}) RETURN p",
        f"MATCH (m) WHERE NOT EXISTS {{ MATCH (m)-->(n) WHERE n.a AND {SLOT} RETURN n }} RETURN m",
        f"MATCH (m) WHERE NOT size([n IN $ids WHERE {SLOT}]) > 0 RETURN m",
        f"MATCH (m) WHERE NOT CASE WHEN {SLOT} THEN true ELSE false END RETURN m",
        f"MATCH (m) WHERE m.a XOR {SLOT} RETURN m",
    ],
)
def test_a_slot_under_a_negation_is_refused(statement: str) -> None:
    assert slot_problem(statement) == "has a slot under a negation, where false means everything"


@pytest.mark.parametrize("comparison", ["=", "<", "<=", "<>", "IS"])
def test_a_slot_that_is_compared_is_refused(comparison: str) -> None:
    problem = slot_problem(f"MATCH (m) WHERE COUNT {{ (m)-->(n) WHERE {SLOT} }} {comparison} 0 RETURN m")

    assert problem == f"has a slot before {comparison}, where false can mean everything"


@pytest.mark.parametrize(
    "statement",
    [
        f"MATCH (m) WHERE m.open OR {SLOT} RETURN m",
        f"MATCH (m) WHERE {SLOT} OR m.path STARTS WITH '/open' RETURN m",
        f"MATCH (m) WHERE m.open OR m.live AND {SLOT} RETURN m",
        f"MATCH (m) WHERE (m.open OR {SLOT}) AND m.live RETURN m",
        f"MATCH (m) WHERE EXISTS {{ MATCH (m)-->(n) WHERE {SLOT} RETURN n }} OR m.declared RETURN m",
        f"MATCH (m) WHERE {SLOT} OR m.open",
    ],
)
def test_a_slot_beside_another_way_in_is_refused(statement: str) -> None:
    assert slot_problem(statement) == "has a slot beside an OR that lets rows in without it"


@pytest.mark.parametrize("comment", ["/*access:m*/ true", "/* access:m */ false", "/*access:M*/ false"])
def test_a_comment_that_only_looks_like_a_slot_is_refused(comment: str) -> None:
    problem = slot_problem(f"MATCH (m) WHERE {comment} RETURN m")

    assert problem is not None
    assert "is no slot" in problem


def test_a_slot_inside_a_string_is_refused() -> None:
    assert slot_problem(f"RETURN '{SLOT}' AS text") == "has a slot inside a string"


def test_the_mask_blanks_strings_names_and_comments_and_keeps_every_position() -> None:
    text = "RETURN 'it\\'s $a', \"b;\", `c$c` // $d\n/* ; */ , $e"

    blank = masked(text)

    assert len(blank) == len(text)
    assert blank.split() == ["RETURN", ",", ",", ",", "$e"]
    assert blank.index("\n") == text.index("\n")


def test_what_is_shown_now_is_asked_of_the_named_node() -> None:
    filled = with_shown("MATCH (n) WHERE /*shown:n*/ false AND /*access:n*/ false RETURN n")

    assert "/*shown" not in filled
    assert "/*access:n*/ false" in filled
    for condition in ("n.live", "n.expires_at > $now", "n.valid_from <= $now", "n.valid_to > $now"):
        assert condition in filled


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (m) WHERE NOT /*shown:m*/ false RETURN m",
        "MATCH (m) WHERE m.pinned OR /*shown:m*/ false RETURN m",
        "MATCH (m) WHERE /*shown: m*/ false RETURN m",
        "RETURN '/*shown:m*/ false' AS text",
    ],
)
def test_a_shown_slot_stands_only_where_an_access_slot_may(statement: str) -> None:
    assert slot_problem(statement) is not None
