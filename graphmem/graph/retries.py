"""When work that failed is tried again, after what pause, and what it fails with in the end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from neo4j.exceptions import DriverError

from graphmem.errors import Unavailable, UnknownOutcome
from graphmem.graph.driver_errors import (
    STORE_ERRORS,
    StoreError,
    lost_to_twin,
    may_retry,
    translated,
    unknown_outcome,
)

T = TypeVar("T")

TWIN_RERUNS = 5
"""Reruns after a violated uniqueness constraint; each finds the twin that is there by now."""

FIRST_PAUSE_S = 0.01
"""Pause after the first failure, in seconds; doubled each time. A deadlock's winner is done by then."""

LONGEST_PAUSE_S = 0.5
"""Longest pause in seconds: a server that comes back is found within this time."""


@dataclass(slots=True)
class Outcome:
    """Whether a timeout or a broken connection now would leave it open if something was stored."""

    unknown: bool = False


class Retries:
    """The tries of one piece of work, within ``budget_s`` seconds from now."""

    def __init__(self, budget_s: float) -> None:
        self._end = asyncio.get_running_loop().time() + budget_s
        self._failures = 0
        self._twins = 0

    async def pause_or_raise(self, error: StoreError) -> None:
        """Waits until the next try is due; raises ``error`` when there is to be none."""
        if lost_to_twin(error):
            self._twins += 1
            if self._twins > TWIN_RERUNS:
                raise error
        elif not may_retry(error):
            raise error
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**self._failures) * random.uniform(0.5, 1.0)
        self._failures += 1
        if asyncio.get_running_loop().time() + pause > self._end:
            raise error
        await asyncio.sleep(pause)


async def tried(
    attempt: Callable[[], Awaitable[T]],
    work: str,
    *,
    limit_s: float,
    retry_s: float,
    outcome: Outcome | None = None,
) -> T:
    """What ``attempt`` returns, from its first try that succeeds.

    Args:
        work: Names the work in messages.
        limit_s: Seconds for all tries together.
        retry_s: Seconds after which a failure is final; 0 for one try.
        outcome: Kept by ``attempt``, to tell what a timeout or a broken connection means.

    Raises:
        UnknownOutcome: It may have been done, or not.
        GraphMemError: What the last failure means.
    """
    retries = Retries(min(retry_s, limit_s))
    outcome = outcome or Outcome()
    try:
        async with asyncio.timeout(limit_s):
            while True:
                try:
                    return await attempt()
                except STORE_ERRORS as error:
                    if _open_outcome(error, outcome):
                        raise
                    await retries.pause_or_raise(error)
    except STORE_ERRORS as error:
        if _open_outcome(error, outcome):
            raise unknown_outcome(work) from error
        # The server's message about a violated constraint holds stored values: it stays out of the trace.
        raise translated(error, work) from (None if lost_to_twin(error) else error)
    except TimeoutError as error:
        if outcome.unknown:
            raise UnknownOutcome(f"{work} took longer than {limit_s:g} s; it may be done or not") from error
        raise Unavailable(f"{work} took longer than {limit_s:g} s; nothing was stored") from error


def _open_outcome(error: StoreError, outcome: Outcome) -> bool:
    """Whether the connection broke where the server may have finished the work without telling us."""
    return outcome.unknown and isinstance(error, DriverError)
