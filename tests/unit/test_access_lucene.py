"""Scope tokens and the clauses that ask for them; what Lucene makes of them is tested on the real index."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.access.lucene import (
    LIVE,
    NO_NODE,
    ROOT_TOKEN,
    ScopeKind,
    required,
    scope_token,
    scope_tokens,
    to_lucene,
)
from graphmem.access.predicate import At, HasKey, HasTag, Not, Predicate, Under, all_of, any_of, not_
from graphmem.memory.limits import SCOPE_CLAUSES
from tests.resources import KEYS, NAMED_RULES, PATHS, TAGS, predicates, raw_predicates

KINDS = (
    (ScopeKind.PATH, PATHS),
    (ScopeKind.ANCESTOR, PATHS),
    (ScopeKind.TAG, TAGS),
    (ScopeKind.TAG_KEY, KEYS),
)
READABLE = {scope_token(kind, value): f"{kind.name}({value})" for kind, values in KINDS for value in values}

GOLDEN = {
    "everything": "+search_scope:(ANCESTOR(/))^0",
    "one path": "+search_scope:(PATH(/notes))^0",
    "a subtree": "+search_scope:(ANCESTOR(/notes))^0",
    "a tag key": "+search_scope:(TAG_KEY(env))^0",
    "many paths": "+search_scope:(ANCESTOR(/notes) ANCESTOR(/a) PATH(/note))^0",
    "all but a subtree": "+search_scope:(+ANCESTOR(/) -ANCESTOR(/notes))^0",
    "both": "+search_scope:(+ANCESTOR(/notes) +TAG(owner=ann))^0",
    "allow minus deny": (
        "+search_scope:(+(ANCESTOR(/notes) ANCESTOR(/a)) -(ANCESTOR(/notes/a) TAG(env=prod)))^0"
    ),
    "an inherited tag": (
        "+search_scope:(TAG(env=prod) (+ANCESTOR(/notes) -TAG_KEY(env) -ANCESTOR(/notes/a)))^0"
    ),
}

LEGAL_TEXT = re.compile(r"\+search_scope:\((?:[-+ ()]|[a-z][0-9a-f]{32})+\)\^0")
ANY_WORD = st.one_of(st.text().map(At), st.text().map(Under), st.text().map(HasTag), st.text().map(HasKey))


@pytest.mark.parametrize("name", GOLDEN)
def test_the_clause_of_a_named_rule(name: str) -> None:
    clause = to_lucene(NAMED_RULES[name])

    assert clause is not None
    assert re.sub(r"[a-z][0-9a-f]{32}", lambda token: READABLE[token[0]], clause.text) == GOLDEN[name]


def test_a_token_is_its_kind_and_a_hash_of_the_nfc_form() -> None:
    assert scope_token(ScopeKind.ANCESTOR, "/") == "a60b6bbaa0c4d478ffc7afefdb9d75f75"
    assert scope_token(ScopeKind.TAG, "k=v") == "t" + hashlib.blake2b(b"k=v", digest_size=16).hexdigest()
    assert scope_token(ScopeKind.TAG, "é=ü") == scope_token(ScopeKind.TAG, "e\u0301=u\u0308")


def test_the_same_value_in_another_place_is_another_token() -> None:
    tokens = {scope_token(kind, "/notes") for kind in ScopeKind}

    assert len(tokens) == len(ScopeKind)
    assert NO_NODE[0] not in set(ScopeKind)


@given(raw_predicates() | st.lists(ANY_WORD, max_size=20).map(any_of) | ANY_WORD.map(Not))
def test_no_value_stands_in_the_text_and_no_bracket_is_empty(rule: Predicate) -> None:
    clause = to_lucene(rule)

    assert clause is not None
    assert LEGAL_TEXT.fullmatch(clause.text)
    assert "()" not in clause.text
    assert clause.clauses == len(re.findall(r"[a-z][0-9a-f]{32}", clause.text))


@given(predicates())
def test_no_bracket_holds_negative_clauses_alone(rule: Predicate) -> None:
    clause = to_lucene(rule)

    assert clause is not None
    assert not re.search(r"\(-", clause.text)


def test_a_rule_of_too_many_words_has_no_clause() -> None:
    paths = [Under(f"/p{number}") for number in range(SCOPE_CLAUSES + 1)]

    allowed = to_lucene(any_of(paths[:SCOPE_CLAUSES]))

    assert allowed is not None
    assert allowed.clauses == SCOPE_CLAUSES
    assert to_lucene(any_of(paths)) is None
    assert to_lucene(all_of([HasKey("k"), not_(any_of(paths))])) is None


def test_a_memory_carries_a_token_for_every_question() -> None:
    tokens = scope_tokens(
        path="/a/b",
        ancestors=("/", "/a", "/a/b"),
        tags=("k=v", "owner=ann"),
        tag_keys=("k", "owner"),
        label="Fact",
        kind="LESSON",
        keywords=("pump",),
        sources=("notes.md",),
        session="s1",
        live=True,
    )

    assert tokens == [
        scope_token(ScopeKind.PATH, "/a/b"),
        ROOT_TOKEN,
        scope_token(ScopeKind.ANCESTOR, "/a"),
        scope_token(ScopeKind.ANCESTOR, "/a/b"),
        scope_token(ScopeKind.TAG, "k=v"),
        scope_token(ScopeKind.TAG, "owner=ann"),
        scope_token(ScopeKind.TAG_KEY, "k"),
        scope_token(ScopeKind.TAG_KEY, "owner"),
        scope_token(ScopeKind.LABEL, "Fact"),
        scope_token(ScopeKind.KIND, "LESSON"),
        scope_token(ScopeKind.KEYWORD, "pump"),
        scope_token(ScopeKind.SOURCE, "notes.md"),
        scope_token(ScopeKind.SESSION, "s1"),
        LIVE,
    ]


def test_what_is_not_live_carries_no_token_of_life() -> None:
    tokens = scope_tokens(path="/", ancestors=("/",), tags=(), tag_keys=(), label="Drawer", live=False)

    assert tokens == [
        scope_token(ScopeKind.PATH, "/"),
        ROOT_TOKEN,
        scope_token(ScopeKind.LABEL, "Drawer"),
    ]


def test_a_filter_asks_for_one_token_of_every_group() -> None:
    clause = required(["a1", "a2", "a1"], [LIVE])

    assert clause.text == f"+search_scope:(a1 a2)^0 +search_scope:({LIVE})^0"
    assert clause.clauses == 3


def test_an_empty_group_finds_nothing_and_no_group_asks_for_nothing() -> None:
    assert required([]).text == f"+search_scope:({NO_NODE})^0"
    assert required().text == ""
    assert required().clauses == 0
