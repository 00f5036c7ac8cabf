"""Times as the API reads and writes them: RFC 3339, written in UTC with ``Z``."""

from __future__ import annotations

from datetime import UTC, datetime

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition


def written(time: datetime) -> str:
    """The instant in UTC: ``2026-01-05T08:30:00Z``, with microseconds where there are any."""
    return time.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def read(text: object) -> datetime:
    """The instant that an RFC 3339 text names.

    Raises:
        GraphQLError: It is no such text, or has no time zone.
    """
    if not isinstance(text, str):
        raise GraphQLError("a time is text, such as 2026-01-05T08:30:00Z")
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise GraphQLError("a time looks like 2026-01-05T08:30:00Z") from None
    if time.tzinfo is None:
        raise GraphQLError("a time has a time zone: end it with Z or an offset such as +01:00")
    return time


DATE_TIME: ScalarDefinition = strawberry.scalar(
    name="DateTime",
    description="An instant, RFC 3339 with a time zone; answered in UTC.",
    specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
    serialize=written,
    parse_value=read,
)
