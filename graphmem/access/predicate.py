"""What a subject may see, as one value: seven words and two constants.

A predicate looks at four attributes that never change when a path is tagged: the path, the paths above it,
the own tags and their keys. ``holds`` is its meaning; the translations for the stores are in ``cypher``,
``qdrant`` and ``lucene``. Build with ``any_of``, ``all_of``, ``not_`` and ``allow_minus_deny`` only: they
fold constants, so that an empty disjunction cannot exist and the constants stand at the top alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol, assert_never

from graphmem.memory.paths import ancestors, is_at_or_under


@dataclass(frozen=True, slots=True)
class Everything:
    """Matches every resource."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Matches no resource."""


@dataclass(frozen=True, slots=True)
class At:
    """Matches what stands at exactly this path."""

    path: str


@dataclass(frozen=True, slots=True)
class Under:
    """Matches what stands at this path or anywhere below it."""

    path: str


@dataclass(frozen=True, slots=True)
class HasTag:
    """Matches what has this own tag, ``key=value``."""

    tag: str


@dataclass(frozen=True, slots=True)
class HasKey:
    """Matches what has an own tag with this key, whatever its value."""

    key: str


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Matches what at least one part matches; two parts or more."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Matches what every part matches; two parts or more."""

    parts: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Matches what the part does not match."""

    part: Predicate


Predicate = Everything | Nothing | At | Under | HasTag | HasKey | AnyOf | AllOf | Not


class Resource(Protocol):
    """What a predicate may look at; all four are always there; ``ancestors`` holds the path and the root."""

    @property
    def path(self) -> str: ...
    @property
    def ancestors(self) -> Collection[str]: ...
    @property
    def tags(self) -> Collection[str]: ...
    @property
    def tag_keys(self) -> Collection[str]: ...


def holds(predicate: Predicate, resource: Resource) -> bool:
    """Whether the predicate matches the resource: the meaning that every translation has to keep."""
    match predicate:
        case Everything():
            return True
        case Nothing():
            return False
        case At(path):
            return resource.path == path
        case Under(path):
            return path in resource.ancestors
        case HasTag(tag):
            return tag in resource.tags
        case HasKey(key):
            return key in resource.tag_keys
        case AnyOf(parts):
            return any(holds(part, resource) for part in parts)
        case AllOf(parts):
            return all(holds(part, resource) for part in parts)
        case Not(part):
            return not holds(part, resource)
        case _:
            assert_never(predicate)


def any_of(parts: Iterable[Predicate]) -> Predicate:
    """The disjunction, simplified; of no parts it is ``Nothing``, never an empty list.

    Nested disjunctions are joined, repeats and paths below another part's subtree dropped.
    """
    flat: dict[Predicate, None] = {}
    for part in parts:
        match part:
            case Everything() | Under("/"):
                return Everything()
            case Nothing():
                continue
            case AnyOf(inner):
                flat.update(dict.fromkeys(inner))
            case _:
                flat[part] = None
    if any(not_(part) in flat for part in flat):
        return Everything()
    subtrees = {part.path for part in flat if isinstance(part, Under)}
    kept = tuple(part for part in flat if not _covered(part, subtrees))
    return AnyOf(kept) if len(kept) > 1 else kept[0] if kept else Nothing()


def all_of(parts: Iterable[Predicate]) -> Predicate:
    """The conjunction, simplified; of no parts it is ``Everything``.

    Nested conjunctions are joined and repeats dropped; of subtrees inside each other the innermost stays, of
    subtrees apart from each other ``Nothing``.
    """
    flat: dict[Predicate, None] = {}
    for part in parts:
        match part:
            case Nothing():
                return Nothing()
            case Everything() | Under("/"):
                continue
            case AllOf(inner):
                flat.update(dict.fromkeys(inner))
            case _:
                flat[part] = None
    if any(not_(part) in flat for part in flat):
        return Nothing()
    innermost = _innermost(flat)
    if isinstance(innermost, Nothing):
        return Nothing()
    kept = tuple(part for part in flat if not isinstance(part, At | Under) or part == innermost)
    return AllOf(kept) if len(kept) > 1 else kept[0] if kept else Everything()


def not_(part: Predicate) -> Predicate:
    """The negation, simplified: a double one falls away."""
    match part:
        case Everything() | Under("/"):
            return Nothing()
        case Nothing():
            return Everything()
        case Not(inner):
            return inner
        case _:
            return Not(part)


def allow_minus_deny(allow: Iterable[Predicate], deny: Iterable[Predicate]) -> Predicate:
    """What Casbin's deny-overrides effect means, as one predicate: some allow and no deny.

    An allowed path inside a denied subtree is dropped; nothing allowed is ``Nothing``.
    """
    denied = any_of(deny)
    inner = denied.parts if isinstance(denied, AnyOf) else (denied,)
    closed = {part.path for part in inner if isinstance(part, Under)}
    open_parts = [part for part in allow if not _inside(part, closed)]
    return all_of([any_of(open_parts), not_(denied)])


def _covered(part: Predicate, subtrees: Collection[str]) -> bool:
    """Whether a subtree of the same disjunction already matches all that the path word matches."""
    match part:
        case At(path):
            return any(above in subtrees for above in ancestors(path))
        case Under(path):
            return any(above in subtrees for above in ancestors(path)[:-1])
        case _:
            return False


def _inside(part: Predicate, subtrees: Collection[str]) -> bool:
    match part:
        case At(path) | Under(path):
            return any(above in subtrees for above in ancestors(path))
        case _:
            return False


def _innermost(parts: Iterable[Predicate]) -> At | Under | Nothing | None:
    """The one path word that says as much as all path words together; None without any."""
    found: At | Under | None = None
    for part in parts:
        if not isinstance(part, At | Under):
            continue
        if found is None or _narrower(part, found):
            found = part
        elif not _narrower(found, part):
            return Nothing()
    return found


def _narrower(part: At | Under, other: At | Under) -> bool:
    """Whether all that ``part`` matches is matched by ``other``."""
    if isinstance(other, At):
        return part == other
    return is_at_or_under(part.path, other.path)
