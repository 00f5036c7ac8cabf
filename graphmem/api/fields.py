"""The two sorts of fields of our types, each with the description that the schema shows.

Plain fields are read straight from the stored value: a resolver costs three times as much as an attribute,
and a page of search hits reads hundreds of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import strawberry

Resolver = TypeVar("Resolver", bound=Callable[..., object])


def plain(description: str, name: str | None = None) -> Any:
    """A field whose value is the attribute of the same Python name of what the type holds.

    The type needs a ``__getattr__`` that looks there; the field is no argument of its constructor.
    """
    field = strawberry.field(description=description, name=name)
    field.init = field.repr = field.compare = False
    return field


def resolved(description: str) -> Callable[[Resolver], Resolver]:
    """Makes a field of the method below; its arguments are those of the field."""
    return cast(Callable[[Resolver], Resolver], strawberry.field(description=description))
