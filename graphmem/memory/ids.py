"""What the form of an id says: UUIDv7 text sorts by the millisecond in which it was made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def first_id_at(time: datetime) -> str:
    """The smallest id that can have been made at ``time`` (1970 or later) or after it."""
    digits = f"{(time - _EPOCH) // timedelta(milliseconds=1):012x}"
    return f"{digits[:8]}-{digits[8:]}-7000-8000-000000000000"
