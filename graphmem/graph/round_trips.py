"""How many round trips to Neo4j a piece of work makes.

A statement on its own is one. A transaction is one for its begin, one for each statement and one for
its commit, since the driver waits for each of them. Retries count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class RoundTrips:
    """What one counter saw.

    Attributes:
        names: What was sent, in order: names of queries, ``begin`` and ``commit``.
    """

    names: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Round trips so far; 0 or more."""
        return len(self.names)


_COUNTERS: ContextVar[tuple[RoundTrips, ...]] = ContextVar("round_trip_counters", default=())


@contextmanager
def round_trips() -> Iterator[RoundTrips]:
    """A counter for the work inside, including that of tasks which the work starts.

    Counters nest: an outer one counts what an inner one counts.
    """
    counter = RoundTrips()
    token = _COUNTERS.set((*_COUNTERS.get(), counter))
    try:
        yield counter
    finally:
        _COUNTERS.reset(token)


def note_round_trip(name: str) -> None:
    """Adds one round trip to every counter that is open here."""
    for counter in _COUNTERS.get():
        counter.names.append(name)
