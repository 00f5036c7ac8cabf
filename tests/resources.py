"""Resources that are easy to confuse, rules drawn at random, and what a rule means, said a second time.

``meaning`` is written apart from ``graphmem.access.predicate.holds``: it looks at path and tags only, and
works out what lies above a path and which keys there are by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    not_,
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A resource by hand: nothing in it is worked out by the code under test."""

    path: str
    ancestors: tuple[str, ...]
    tags: tuple[str, ...]
    tag_keys: tuple[str, ...]

    @property
    def id(self) -> str:
        """A readable name, unique in the sample."""
        return f"{self.path} {' '.join(self.tags)}"


QUOTED = 'q=it\'s "x" \\ $y * (z)'

SAMPLE = (
    Sample("/notes", ("/", "/notes"), ("owner=ann",), ("owner",)),
    Sample("/notes", ("/", "/notes"), ("env=prod", "owner=ann"), ("env", "owner")),
    Sample("/notes/a", ("/", "/notes", "/notes/a"), ("env=test", "owner=ann"), ("env", "owner")),
    Sample("/notes/a/b", ("/", "/notes", "/notes/a", "/notes/a/b"), ("owner=bob",), ("owner",)),
    Sample("/notesx", ("/", "/notesx"), ("owner=ann", "prod=env"), ("owner", "prod")),
    Sample("/notesx/a", ("/", "/notesx", "/notesx/a"), ("env=env", "owner=bob"), ("env", "owner")),
    Sample("/note", ("/", "/note"), ("env=prod=eu", "owner=ann"), ("env", "owner")),
    Sample("/a", ("/", "/a"), ("owner=owner",), ("owner",)),
    Sample("/a/notes", ("/", "/a", "/a/notes"), ("env=PROD", "owner=bob"), ("env", "owner")),
    Sample("/a.b", ("/", "/a.b"), ("owner=ann", QUOTED), ("owner", "q")),
    Sample("/日本/ünï", ("/", "/日本", "/日本/ünï"), ("owner=bob", "é=ü"), ("owner", "é")),
    Sample("/secrets/deep", ("/", "/secrets", "/secrets/deep"), ("env=prod", "owner=bob"), ("env", "owner")),
)

PATHS = ("/", "/notes", "/notes/a", "/notes/a/b", "/notesx", "/note", "/a", "/a/notes", "/日本", "/not", "/b")
TAGS = ("env=prod", "env=test", "prod=env", "env=env", "env=PROD", "owner=ann", "owner=bob", "é=ü", QUOTED)
KEYS = ("env", "prod", "owner", "q", "é", "none")
CONFUSED = ("env", "prod", "env=prod", "owner")
"""Keys where tags belong and the other way round: they match nothing of the other kind."""


def meaning(rule: Predicate, resource: Sample) -> bool:
    """What the rule says about the resource."""
    path, tags = resource.path, resource.tags
    if isinstance(rule, Everything | Nothing):
        return isinstance(rule, Everything)
    if isinstance(rule, At):
        return path == rule.path
    if isinstance(rule, Under):
        return f"{path}/".startswith(f"{rule.path.rstrip('/')}/")
    if isinstance(rule, HasTag):
        return any(tag == rule.tag for tag in tags)
    if isinstance(rule, HasKey):
        return any(tag[: tag.index("=")] == rule.key for tag in tags)
    if isinstance(rule, Not):
        return not meaning(rule.part, resource)
    answers = [meaning(part, resource) for part in rule.parts]
    return True in answers if isinstance(rule, AnyOf) else False not in answers


def matched(rule: Predicate) -> set[str]:
    """Ids of the resources of the sample that the rule matches."""
    return {resource.id for resource in SAMPLE if meaning(rule, resource)}


def words() -> st.SearchStrategy[Predicate]:
    """Single words, about places and tags that exist, that do not, and that only look like them."""
    return st.one_of(
        st.sampled_from(PATHS).map(At),
        st.sampled_from(PATHS).map(Under),
        st.sampled_from(TAGS + CONFUSED).map(HasTag),
        st.sampled_from(KEYS + CONFUSED).map(HasKey),
    )


def predicates() -> st.SearchStrategy[Predicate]:
    """Rules as the product builds them."""
    return st.recursive(
        words() | st.sampled_from([Everything(), Nothing()]),
        lambda inner: st.one_of(
            st.lists(inner, max_size=5).map(any_of),
            st.lists(inner, max_size=3).map(all_of),
            inner.map(not_),
            st.builds(allow_minus_deny, st.lists(inner, max_size=3), st.lists(inner, max_size=3)),
        ),
        max_leaves=12,
    )


def raw_predicates() -> st.SearchStrategy[Predicate]:
    """Rules put together without simplifying: constants inside, empty and single disjunctions."""
    return st.recursive(
        words() | st.sampled_from([Everything(), Nothing()]),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(tuple).map(AnyOf),
            st.lists(inner, max_size=3).map(tuple).map(AllOf),
            inner.map(Not),
        ),
        max_leaves=10,
    )


NAMED_RULES: dict[str, Predicate] = {
    "everything": Everything(),
    "nothing": Nothing(),
    "one path": At("/notes"),
    "a subtree": Under("/notes"),
    "an own tag": HasTag("env=prod"),
    "a tag key": HasKey("env"),
    "many paths": any_of([Under("/notes"), Under("/a"), At("/note")]),
    "paths and tags": any_of([Under("/notes"), HasTag("env=prod"), HasTag("owner=bob"), HasKey("prod")]),
    "all but a subtree": not_(Under("/notes")),
    "all but a tag": not_(HasTag("env=prod")),
    "both": all_of([Under("/notes"), HasTag("owner=ann")]),
    "allow minus deny": allow_minus_deny(
        [Under("/notes"), Under("/a")], [Under("/notes/a"), HasTag("env=prod")]
    ),
    "an inherited tag": any_of(
        [HasTag("env=prod"), all_of([not_(HasKey("env")), Under("/notes"), not_(Under("/notes/a"))])]
    ),
}
