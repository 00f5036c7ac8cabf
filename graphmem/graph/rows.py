"""Rows as plain Python values, so that nothing outside this package meets a type of the driver.

Maps are dictionaries, nodes and relationships are their properties. Instants are kept in the graph as
whole microseconds since the epoch, for the driver needs 50 µs to read one of Neo4j's own; where a query
returns one of those, it is a ``datetime`` in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, overload

from neo4j.graph import Entity
from neo4j.time import DateTime

Row = dict[str, Any]
"""One row: column name to value. What a column holds is said by ``rows`` of the query file."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_AS_IS = frozenset({str, int, float, bool, type(None), bytes})


def plain(value: object) -> object:
    """``value`` in plain Python.

    Raises:
        TypeError: A value that no query of ours returns, such as a path or a point.
    """
    kind = type(value)
    if kind in _AS_IS:
        return value
    if isinstance(value, list):
        return [item if type(item) in _AS_IS else plain(item) for item in value]
    if isinstance(value, dict):
        return plain_row(value)
    if isinstance(value, DateTime):
        return utc(value)
    if isinstance(value, Entity):
        return plain_row(value)
    raise TypeError(f"a query returned a {kind.__name__}; return maps, lists, texts, numbers or instants")


def plain_row(row: Mapping[str, object]) -> Row:
    """A row or map with all its values in plain Python."""
    return {key: value if type(value) in _AS_IS else plain(value) for key, value in row.items()}


def utc(value: DateTime) -> datetime:
    """The instant in UTC, to the microsecond."""
    return value.to_native().astimezone(UTC)


@overload
def to_micros(value: datetime) -> int: ...


@overload
def to_micros(value: None) -> None: ...


def to_micros(value: datetime | None) -> int | None:
    """The instant as whole microseconds since the epoch; negative before it."""
    return None if value is None else (value - EPOCH) // timedelta(microseconds=1)


@overload
def from_micros(value: int) -> datetime: ...


@overload
def from_micros(value: None) -> None: ...


def from_micros(value: int | None) -> datetime | None:
    """The instant, in UTC, that many microseconds after the epoch."""
    return None if value is None else EPOCH + timedelta(microseconds=value)
