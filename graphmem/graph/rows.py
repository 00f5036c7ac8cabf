"""Rows as plain Python values, so that nothing outside this package meets a type of the driver.

Maps are dictionaries, nodes and relationships are their properties, instants are ``datetime`` in UTC. The
driver needs 50 µs to read an instant, so a query returns those that are asked for and no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from neo4j.graph import Entity
from neo4j.time import DateTime

Row = dict[str, Any]
"""One row: column name to value. What a column holds is said by ``rows`` of the query file."""

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
