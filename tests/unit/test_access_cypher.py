"""The text of a rule in Cypher; what it finds is tested against the real store."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.access.cypher import to_cypher
from graphmem.access.predicate import (
    AnyOf,
    At,
    Everything,
    HasKey,
    HasTag,
    Not,
    Nothing,
    Predicate,
    Under,
    any_of,
)
from tests.resources import NAMED_RULES, raw_predicates

GOLDEN = {
    "everything": "true",
    "nothing": "false",
    "one path": "m.path IN $access_0",
    "a subtree": "any(access_x IN m.ancestors WHERE access_x IN $access_0)",
    "an own tag": "any(access_x IN m.tags WHERE access_x IN $access_0)",
    "a tag key": "any(access_x IN m.tag_keys WHERE access_x IN $access_0)",
    "many paths": ("(m.path IN $access_0 OR any(access_x IN m.ancestors WHERE access_x IN $access_1))"),
    "paths and tags": (
        "(any(access_x IN m.ancestors WHERE access_x IN $access_0)"
        " OR any(access_x IN m.tags WHERE access_x IN $access_1)"
        " OR any(access_x IN m.tag_keys WHERE access_x IN $access_2))"
    ),
    "all but a subtree": "NOT (any(access_x IN m.ancestors WHERE access_x IN $access_0))",
    "all but a tag": "NOT (any(access_x IN m.tags WHERE access_x IN $access_0))",
    "both": (
        "(any(access_x IN m.ancestors WHERE access_x IN $access_0)"
        " AND any(access_x IN m.tags WHERE access_x IN $access_1))"
    ),
    "allow minus deny": (
        "(any(access_x IN m.ancestors WHERE access_x IN $access_0)"
        " AND NOT ((any(access_x IN m.ancestors WHERE access_x IN $access_1)"
        " OR any(access_x IN m.tags WHERE access_x IN $access_2))))"
    ),
    "an inherited tag": (
        "(any(access_x IN m.tags WHERE access_x IN $access_0)"
        " OR (NOT (any(access_x IN m.tag_keys WHERE access_x IN $access_1))"
        " AND any(access_x IN m.ancestors WHERE access_x IN $access_2)"
        " AND NOT (any(access_x IN m.ancestors WHERE access_x IN $access_3))))"
    ),
}

LEGAL_TEXT = re.compile(
    r"(?:[() ]|AND|OR|NOT|IN|WHERE|true|false|any|access_x|\$access_\d+|m\.(?:path|ancestors|tags|tag_keys))*"
)

ANY_WORD = st.one_of(st.text().map(At), st.text().map(Under), st.text().map(HasTag), st.text().map(HasKey))
ANY_RULE = raw_predicates() | st.lists(ANY_WORD).map(any_of) | ANY_WORD.map(Not)


@pytest.mark.parametrize("name", NAMED_RULES)
def test_the_text_of_a_named_rule(name: str) -> None:
    assert to_cypher(NAMED_RULES[name], "m")[0] == GOLDEN[name]


def test_the_values_of_a_named_rule_stand_in_lists_in_the_order_of_the_rule() -> None:
    assert to_cypher(NAMED_RULES["paths and tags"], "m")[1] == {
        "access_0": ["/notes"],
        "access_1": ["env=prod", "owner=bob"],
        "access_2": ["prod"],
    }


@given(ANY_RULE)
def test_no_value_stands_in_the_text_and_every_name_has_a_value(rule: Predicate) -> None:
    text, values = to_cypher(rule, "m")

    assert LEGAL_TEXT.fullmatch(text)
    assert set(re.findall(r"\$(\w+)", text)) == values.keys()
    assert all(isinstance(value, list) and value for value in values.values())


@given(ANY_RULE)
def test_a_rule_stands_on_any_variable_with_the_same_values(rule: Predicate) -> None:
    text, values = to_cypher(rule, "m")

    assert to_cypher(rule, "other") == (text.replace("m.", "other."), values)


def test_rules_of_one_shape_share_one_text() -> None:
    few, many = any_of([Under("/a"), HasTag("k=v")]), any_of([Under("/b"), Under("/c"), HasTag("k=w")])

    assert to_cypher(few, "m")[0] == to_cypher(many, "m")[0]
    assert to_cypher(Under("/a"), "m")[0] == to_cypher(any_of([Under("/a"), Under("/b")]), "m")[0]


@pytest.mark.parametrize("alias", ["", "1m", "m n", "m.x", "m)", "access_x", "access_0", "é"])
def test_a_rule_stands_on_plain_names_only(alias: str) -> None:
    with pytest.raises(ValueError, match="not a variable"):
        to_cypher(Everything(), alias)


def test_an_empty_disjunction_is_false_even_when_put_together_by_hand() -> None:
    assert to_cypher(AnyOf(()), "m") == ("false", {})
    assert to_cypher(AnyOf((Nothing(),)), "m") == ("false", {})
