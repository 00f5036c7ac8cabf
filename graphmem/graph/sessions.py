"""Sessions of the driver on one database, opened for reading or for writing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from neo4j import WRITE_ACCESS, AsyncDriver, AsyncSession

_ALL_ROWS = -1
"""Every row of an answer in one round trip."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """Opens sessions.

    Attributes:
        routed: The server may be a cluster, whose members do not all know the last write yet.
        may_write: Called before each session that writes; ``Unavailable`` from it leaves the store as it was.
    """

    driver: AsyncDriver
    database: str
    routed: bool
    may_write: Callable[[], None]

    def open(self, access: str, rows: int = _ALL_ROWS) -> AsyncSession:
        """A session that fetches so many rows at once; to be used as a context manager."""
        if access == WRITE_ACCESS:
            self.may_write()
        return self.driver.session(
            database=self.database,
            default_access_mode=access,
            fetch_size=rows,
            # A follower may lag behind the leader that took our write; a single server never does.
            bookmark_manager=self.driver.execute_query_bookmark_manager if self.routed else None,
        )
