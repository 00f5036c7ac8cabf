"""What a rule means, and that putting rules together keeps the meaning."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.access.predicate import (
    AllOf,
    AnyOf,
    At,
    Everything,
    HasKey,
    HasTag,
    Not,
    Nothing,
    Predicate,
    Under,
    all_of,
    allow_minus_deny,
    any_of,
    holds,
    not_,
)
from graphmem.memory.paths import ancestors
from graphmem.memory.tags import tag_keys
from tests.resources import NAMED_RULES, SAMPLE, Sample, matched, meaning, predicates, raw_predicates, words

PLANTED: dict[str, Callable[[Predicate, Sample], bool]] = {
    "a prefix is taken for a subtree": lambda rule, one: (
        one.path.startswith(rule.path) if isinstance(rule, Under) else meaning(rule, one)
    ),
    "a subtree leaves out its root": lambda rule, one: (
        meaning(rule, one) and one.path != rule.path if isinstance(rule, Under) else meaning(rule, one)
    ),
    "one path is taken for a subtree": lambda rule, one: (
        meaning(Under(rule.path), one) if isinstance(rule, At) else meaning(rule, one)
    ),
    "a negation is lost": lambda rule, one: (
        meaning(rule.part, one) if isinstance(rule, Not) else meaning(rule, one)
    ),
    "any is taken for all": lambda rule, one: (
        meaning(AllOf(rule.parts), one) if isinstance(rule, AnyOf) else meaning(rule, one)
    ),
    "all is taken for any": lambda rule, one: (
        meaning(AnyOf(rule.parts), one) if isinstance(rule, AllOf) else meaning(rule, one)
    ),
    "a key is looked for among values": lambda rule, one: (
        any(tag.endswith(f"={rule.key}") for tag in one.tags)
        if isinstance(rule, HasKey)
        else meaning(rule, one)
    ),
    "the value of a tag does not count": lambda rule, one: (
        rule.tag.split("=")[0] in one.tag_keys if isinstance(rule, HasTag) else meaning(rule, one)
    ),
    "nothing is taken for everything": lambda rule, one: isinstance(rule, Nothing) or meaning(rule, one),
}


def test_the_sample_is_what_the_writers_of_resources_write() -> None:
    for resource in SAMPLE:
        assert resource.ancestors == ancestors(resource.path)
        assert resource.tag_keys == tag_keys(resource.tags)
    assert len({resource.id for resource in SAMPLE}) == len(SAMPLE)


@pytest.mark.parametrize("mistake", PLANTED)
def test_the_named_rules_and_the_sample_tell_a_planted_mistake_apart(mistake: str) -> None:
    broken = PLANTED[mistake]

    cases = product(NAMED_RULES.values(), SAMPLE)
    wrong = [(rule, one) for rule, one in cases if broken(rule, one) != meaning(rule, one)]

    assert wrong


def test_the_named_rules_match_some_of_the_sample_and_not_all() -> None:
    sizes = {name: len(matched(rule)) for name, rule in NAMED_RULES.items()}

    assert sizes.pop("everything") == len(SAMPLE)
    assert sizes.pop("nothing") == 0
    assert all(0 < size < len(SAMPLE) for size in sizes.values()), sizes


@given(predicates() | raw_predicates())
def test_R13_a_rule_holds_exactly_where_its_meaning_says(rule: Predicate) -> None:
    assert {one.id for one in SAMPLE if holds(rule, one)} == matched(rule)


@given(st.lists(predicates(), max_size=5))
def test_joining_rules_keeps_their_meaning(parts: list[Predicate]) -> None:
    assert matched(any_of(parts)) == matched(AnyOf(tuple(parts)))
    assert matched(all_of(parts)) == matched(AllOf(tuple(parts)))


@given(predicates())
def test_a_negation_matches_the_rest(rule: Predicate) -> None:
    assert matched(not_(rule)) == {one.id for one in SAMPLE} - matched(rule)
    assert not_(not_(rule)) == rule


RULE_LISTS = st.lists(words(), max_size=4) | st.lists(predicates(), max_size=3)


@given(RULE_LISTS, RULE_LISTS)
def test_B073_deny_beats_every_allow(allow: list[Predicate], deny: list[Predicate]) -> None:
    allowed = set().union(*map(matched, allow))
    denied = set().union(*map(matched, deny))

    assert matched(allow_minus_deny(allow, deny)) == allowed - denied


@given(predicates())
def test_constants_stand_at_the_top_alone_and_no_list_is_empty_or_single(rule: Predicate) -> None:
    def check(part: Predicate, top: bool) -> None:
        assert top or part not in (Everything(), Nothing(), Under("/"))
        match part:
            case AnyOf(parts) | AllOf(parts):
                assert len(parts) > 1
                assert len(set(parts)) == len(parts)
                for inner in parts:
                    assert type(inner) is not type(part)
                    check(inner, False)
            case Not(inner):
                assert not isinstance(inner, Not)
                check(inner, False)
            case _:
                pass

    check(any_of([rule]), True)


def test_no_rule_is_no_access() -> None:
    assert any_of([]) == Nothing()
    assert allow_minus_deny([], [Under("/a")]) == Nothing()
    assert all_of([]) == Everything()


def test_B072_a_path_that_only_starts_the_same_is_not_below() -> None:
    shop = Sample("/workshop", ("/", "/workshop"), ("owner=a",), ("owner",))

    assert not holds(Under("/work"), shop)
    assert holds(Under("/workshop"), shop)
    assert holds(Under("/"), shop)


def test_covered_paths_are_dropped() -> None:
    assert any_of([At("/a/b"), Under("/a"), Under("/a/b"), At("/ab")]) == AnyOf((Under("/a"), At("/ab")))
    assert any_of([Under("/a"), Under("/")]) == Everything()
    assert any_of([Under("/a"), Under("/a")]) == Under("/a")


def test_of_subtrees_inside_each_other_the_innermost_stays() -> None:
    assert all_of([Under("/a"), Under("/a/b"), HasKey("k")]) == AllOf((Under("/a/b"), HasKey("k")))
    assert all_of([Under("/a"), At("/a/b")]) == At("/a/b")
    assert all_of([Under("/a"), Under("/ab")]) == Nothing()
    assert all_of([At("/a"), At("/b")]) == Nothing()


def test_a_rule_and_its_opposite_cancel() -> None:
    assert any_of([HasTag("a=b"), not_(HasTag("a=b"))]) == Everything()
    assert all_of([HasTag("a=b"), not_(HasTag("a=b"))]) == Nothing()


def test_a_deny_of_one_path_leaves_what_is_below_it() -> None:
    assert matched(allow_minus_deny([Under("/notes")], [At("/notes")])) == {
        "/notes/a env=test owner=ann",
        "/notes/a/b owner=bob",
    }


def test_an_allowed_path_inside_a_denied_subtree_is_dropped() -> None:
    assert allow_minus_deny([Under("/secrets/x")], [Under("/secrets")]) == Nothing()
    assert allow_minus_deny([Under("/a"), At("/secrets/x")], [Under("/secrets")]) == AllOf(
        (Under("/a"), Not(Under("/secrets")))
    )


@given(st.lists(words(), min_size=1, max_size=30))
def test_joining_is_quick_to_repeat(parts: list[Predicate]) -> None:
    once = any_of(parts)

    assert any_of([once]) == once
    assert any_of([once, *parts]) == once
