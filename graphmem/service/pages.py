"""Pages of a list: so many items, whether more follow, and a cursor for each.

A cursor names the list that it belongs to (subject, arguments, first instant) and the place where a page
ended; for any other list it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from graphmem.errors import InvalidInput, shown
from graphmem.memory.cursors import decode, encode
from graphmem.memory.keys import input_hash

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Items in order, each with the cursor of the place behind it."""

    items: tuple[T, ...]
    cursors: tuple[str, ...]
    has_next: bool

    @classmethod
    def empty(cls) -> Page[T]:
        """A page of nothing."""
        return cls((), (), False)

    @classmethod
    def of(cls, found: Sequence[T], first: int, cursor: Callable[[T], str]) -> Page[T]:
        """The first items of one more than a page holds."""
        items = tuple(found[:first])
        return cls(items, tuple(map(cursor, items)), len(found) > first)


@dataclass(frozen=True, slots=True)
class ListName:
    """Which list a cursor belongs to: every argument but the size of the page."""

    mark: str

    @classmethod
    def of(cls, *arguments: object) -> ListName:
        """The name of the list of these arguments; JSON values and dataclasses."""
        return cls(input_hash(list(arguments))[:16])

    def cursor(self, **place: str | float) -> str:
        """The cursor of a place in this list."""
        return encode({"list": self.mark, **place})

    def place(self, cursor: str) -> dict[str, object]:
        """The place of a cursor of this list.

        Raises:
            InvalidInput: It is no cursor, or one of another list.
        """
        found = decode(cursor)
        if found.get("list") != self.mark:
            raise of_another_list(cursor)
        return found


def of_another_list(cursor: str) -> InvalidInput:
    """The refusal of a cursor, or of what stands in it, that some other list gave."""
    return InvalidInput("after", f"{shown(cursor)} is of another list; begin again without it")


def parsed_instant(text: str) -> datetime:
    """The aware instant that a cursor holds.

    Raises:
        InvalidInput: The cursor holds something else.
    """
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise of_another_list(text) from error
    if instant.tzinfo is None:
        raise of_another_list(text)
    return instant
