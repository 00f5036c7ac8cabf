"""Many calls by several clients at once, and how long each took.

Clients are tasks of one process. What that process itself spends is measured too, because on a small machine
it takes away from the service.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.errors import GraphMemError

Call = Callable[[], Awaitable[None]]
"""One request; it raises when it failed."""

Advance = Callable[[int], None]
"""Told how much more is done."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How a number of calls went.

    Attributes:
        times_ms: Milliseconds of each call, in the order in which they ended.
        wall_s: Seconds from the first call to the end of the last.
        client_cpu_s: Processor seconds that this process spent meanwhile.
    """

    times_ms: tuple[float, ...]
    wall_s: float
    client_cpu_s: float

    @property
    def p50_ms(self) -> float:
        """The median."""
        return percentile(self.times_ms, 0.50)

    @property
    def p95_ms(self) -> float:
        """What 95 of 100 calls did not exceed."""
        return percentile(self.times_ms, 0.95)

    @property
    def per_s(self) -> float:
        """Calls that ended in a second."""
        return len(self.times_ms) / self.wall_s

    @property
    def client_cpu_ms(self) -> float:
        """Milliseconds of processor time that the client spent on one call."""
        return 1000 * self.client_cpu_s / len(self.times_ms)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` of all values do not exceed (nearest rank).

    Raises:
        ValueError: There are no values, or ``share`` is not in (0, 1].
    """
    if not values or not 0 < share <= 1:
        raise ValueError(f"no {share} percentile of {len(values)} values")
    return sorted(values)[math.ceil(share * len(values)) - 1]


async def timed(calls: Iterable[Call], clients: int, advance: Advance) -> Timing:
    """Run every call, ``clients`` at a time, each client one after another.

    Raises:
        GraphMemError: What the first call to fail raised; the other clients are stopped.
    """
    waiting = iter(calls)
    times: list[float] = []
    cpu, begun = time.process_time(), time.perf_counter()
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(clients):
                group.create_task(_client(waiting, times, advance))
    except* GraphMemError as failed:
        raise failed.exceptions[0] from None
    return Timing(tuple(times), time.perf_counter() - begun, time.process_time() - cpu)


async def _client(waiting: Iterator[Call], times: list[float], advance: Advance) -> None:
    for call in waiting:
        begun = time.perf_counter()
        await call()
        times.append(1000 * (time.perf_counter() - begun))
        advance(1)
