"""Where time and ids come from; everything below takes them as arguments."""

from __future__ import annotations

from datetime import UTC, datetime

from uuid6 import uuid7


class Clock:
    """The time of this machine and ids that sort by it."""

    def now(self) -> datetime:
        """This instant, aware UTC, to the microsecond."""
        return datetime.now(UTC)

    def new_id(self) -> str:
        """A fresh UUIDv7 as lower-case text; later ones of one process sort behind earlier ones."""
        return str(uuid7())
