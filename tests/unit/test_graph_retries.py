"""When failed work is tried again, and what it fails with in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from neo4j.exceptions import ConstraintError, IncompleteCommit, Neo4jError, ServiceUnavailable

from graphmem.errors import Conflict, Unavailable, UnknownOutcome
from graphmem.graph import retries
from graphmem.graph.retries import TWIN_RERUNS, Outcome, tried


class Attempts:
    """Fails with the given errors, one a try, then succeeds."""

    def __init__(self, errors: Iterator[Exception]) -> None:
        self.count = 0
        self._errors = errors

    async def __call__(self) -> str:
        self.count += 1
        error = next(self._errors, None)
        if error is not None:
            raise error
        return "done"


def times(count: int, make: Callable[[], Exception]) -> Attempts:
    return Attempts(iter([make() for _ in range(count)]))


def twin() -> ConstraintError:
    found = Neo4jError._hydrate_gql(
        gql_status="22N79",
        message="Node(7) already exists with property `key` = 'private'",
        description="",
        neo4j_code="Neo.ClientError.Schema.ConstraintValidationFailed",
    )
    assert isinstance(found, ConstraintError)
    return found


async def try_it(
    attempt: Callable[[], Awaitable[str]], retry_s: float = 60, limit_s: float = 60, **more: Outcome
) -> str:
    return await tried(attempt, "write", limit_s=limit_s, retry_s=retry_s, **more)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_PAUSE_S", 0.0)


async def test_work_that_succeeds_is_done_once() -> None:
    attempt = times(0, twin)

    assert await try_it(attempt) == "done"
    assert attempt.count == 1


async def test_a_lost_connection_is_tried_again_until_it_is_back() -> None:
    attempt = times(30, lambda: ServiceUnavailable("away"))

    assert await try_it(attempt) == "done"
    assert attempt.count == 31


async def test_after_the_budget_the_last_failure_is_told() -> None:
    attempt = times(2, lambda: ServiceUnavailable("away"))

    with pytest.raises(Unavailable, match="does not answer"):
        await try_it(attempt, retry_s=-1)
    assert attempt.count == 1


async def test_a_twin_is_met_by_a_rerun_at_most_five_times() -> None:
    attempt = times(TWIN_RERUNS, twin)

    assert await try_it(attempt) == "done"
    assert attempt.count == 6


async def test_a_sixth_twin_is_a_conflict_that_tells_no_stored_value() -> None:
    attempt = times(TWIN_RERUNS + 1, twin)

    with pytest.raises(Conflict) as lost:
        await try_it(attempt)
    assert "private" not in str(lost.value)
    assert lost.value.__cause__ is None
    assert lost.value.__suppress_context__
    assert attempt.count == 6


async def test_an_unknown_outcome_is_never_tried_again() -> None:
    attempt = times(1, lambda: IncompleteCommit("lost"))

    with pytest.raises(UnknownOutcome):
        await try_it(attempt)
    assert attempt.count == 1


async def test_a_connection_that_breaks_where_the_work_may_be_done_is_an_unknown_outcome() -> None:
    attempt = times(1, lambda: ServiceUnavailable("away"))

    with pytest.raises(UnknownOutcome, match="same idempotencyKey"):
        await try_it(attempt, outcome=Outcome(unknown=True))
    assert attempt.count == 1


@pytest.mark.parametrize(
    ("unknown", "ours", "says"),
    [(False, Unavailable, "nothing was stored"), (True, UnknownOutcome, "it may be done or not")],
)
async def test_running_out_of_time_tells_whether_something_may_be_stored(
    unknown: bool, ours: type[Unavailable], says: str
) -> None:
    async def never() -> str:
        await asyncio.Event().wait()
        return "never"

    with pytest.raises(Unavailable, match=says) as late:
        await try_it(never, limit_s=0.01, outcome=Outcome(unknown))
    assert type(late.value) is ours


async def test_an_error_of_our_own_passes_at_once() -> None:
    attempt = times(1, lambda: Conflict("stale"))

    with pytest.raises(Conflict, match="stale"):
        await try_it(attempt)
    assert attempt.count == 1
