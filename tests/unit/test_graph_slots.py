"""Where an access slot may stand: only where ``false`` means that nothing is shown."""

from __future__ import annotations

import pytest

from graphmem.graph.slots import masked, slot_problem

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
    assert slot_problem(statement) == "has an access slot under a negation, where false means everything"


@pytest.mark.parametrize("comparison", ["=", "<", "<=", "<>", "IS"])
def test_a_slot_that_is_compared_is_refused(comparison: str) -> None:
    problem = slot_problem(f"MATCH (m) WHERE COUNT {{ (m)-->(n) WHERE {SLOT} }} {comparison} 0 RETURN m")

    assert problem == f"has an access slot before {comparison}, where false can mean everything"


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
    assert slot_problem(statement) == "has an access slot beside an OR that lets rows in without it"


@pytest.mark.parametrize("comment", ["/*access:m*/ true", "/* access:m */ false", "/*access:M*/ false"])
def test_a_comment_that_only_looks_like_a_slot_is_refused(comment: str) -> None:
    problem = slot_problem(f"MATCH (m) WHERE {comment} RETURN m")

    assert problem is not None
    assert "is not an access slot" in problem


def test_a_slot_inside_a_string_is_refused() -> None:
    assert slot_problem(f"RETURN '{SLOT}' AS text") == "has an access slot inside a string"


def test_the_mask_blanks_strings_names_and_comments_and_keeps_every_position() -> None:
    text = "RETURN 'it\\'s $a', \"b;\", `c$c` // $d\n/* ; */ , $e"

    blank = masked(text)

    assert len(blank) == len(text)
    assert blank.split() == ["RETURN", ",", ",", ",", "$e"]
    assert blank.index("\n") == text.index("\n")
