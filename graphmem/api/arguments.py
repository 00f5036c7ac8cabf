"""Arguments and fields of inputs that a caller may leave out, or send as null."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

import strawberry

Value = TypeVar("Value")


def option(description: str) -> Any:
    """A field that may be left out."""
    return strawberry.field(default=strawberry.UNSET, description=description)


def need(description: str) -> Any:
    """A field that must be there."""
    return strawberry.field(description=description)


def or_else(value: Value | None, default: Value) -> Value:
    """The argument, or the default where the caller left it out or sent null."""
    return default if value is None or value is strawberry.UNSET else value


def or_none(value: Value | None) -> Value | None:
    """The argument, or None where the caller left it out."""
    return None if value is strawberry.UNSET else value


def mentioned(value: object) -> dict[str, Any]:
    """The fields of an input that the caller did not leave out, by Python name."""
    found = {field.name: getattr(value, field.name) for field in fields(value)}  # type: ignore[arg-type]
    return {name: given for name, given in found.items() if given is not strawberry.UNSET}
