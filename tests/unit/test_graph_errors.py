"""What the driver's errors become: which error of ours, whether it is tried again, and what it tells."""

from __future__ import annotations

import pytest
from neo4j.exceptions import (
    ConfigurationError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from graphmem.errors import (
    Conflict,
    GraphMemError,
    LimitExceeded,
    Misconfigured,
    Unavailable,
    UnknownOutcome,
)
from graphmem.graph.driver_errors import lost_to_twin, may_retry, translated

SECRET = "the text of a memory"


def server_error(code: str) -> Neo4jError:
    """The driver's error for a code of the server, with a message that holds a stored value."""
    found = Neo4jError._hydrate_neo4j(code=code, message=SECRET)
    assert isinstance(found, Neo4jError)
    return found


@pytest.mark.parametrize(
    ("error", "ours", "again"),
    [
        (IncompleteCommit("lost"), UnknownOutcome, False),
        (ServiceUnavailable("away"), Unavailable, True),
        (SessionExpired("gone"), Unavailable, True),
        (ConfigurationError("bad"), Misconfigured, False),
        (server_error("Neo.TransientError.Transaction.DeadlockDetected"), Unavailable, True),
        (server_error("Neo.TransientError.General.DatabaseUnavailable"), Unavailable, True),
        (server_error("Neo.TransientError.General.MemoryPoolOutOfMemoryError"), LimitExceeded, False),
        (server_error("Neo.ClientError.Transaction.TransactionTimedOut"), Unavailable, False),
        (server_error("Neo.ClientError.Transaction.LockClientStopped"), Unavailable, False),
        (server_error("Neo.ClientError.Schema.ConstraintValidationFailed"), Conflict, False),
        (server_error("Neo.ClientError.Security.Unauthorized"), Misconfigured, False),
        (server_error("Neo.ClientError.Security.AuthenticationRateLimit"), Misconfigured, False),
        (server_error("Neo.ClientError.Database.DatabaseNotFound"), Misconfigured, False),
        (server_error("Neo.ClientError.General.WriteOnReadOnlyAccessDatabase"), Unavailable, False),
        (server_error("Neo.DatabaseError.Transaction.TransactionCommitFailed"), UnknownOutcome, False),
        (server_error("Neo.DatabaseError.General.UnknownError"), Unavailable, False),
        (server_error("Neo.DatabaseError.Transaction.TransactionStartFailed"), Unavailable, False),
        (server_error("Neo.ClientError.Statement.SyntaxError"), GraphMemError, False),
    ],
    ids=lambda value: getattr(value, "code", None) or getattr(value, "__name__", None),
)
def test_each_error_of_the_driver_has_its_meaning(
    error: Neo4jError | DriverError, ours: type[GraphMemError], again: bool
) -> None:
    found = translated(error, "memory/one")

    assert type(found) is ours
    assert may_retry(error) is again
    assert SECRET not in str(found)


def test_only_a_violated_uniqueness_constraint_is_lost_to_a_twin() -> None:
    other = server_error("Neo.ClientError.Schema.ConstraintValidationFailed")

    assert not lost_to_twin(other)
    assert not lost_to_twin(server_error("Neo.ClientError.Statement.SyntaxError"))


def test_an_unknown_outcome_says_how_to_repeat_it_safely() -> None:
    found = translated(IncompleteCommit("lost"), "write")

    assert "it may be stored or not" in str(found)
    assert "same idempotencyKey" in str(found)
    assert found.code == "UNAVAILABLE"


def test_a_database_that_stopped_inside_says_what_may_be_wrong() -> None:
    stopped = server_error("Neo.DatabaseError.Transaction.TransactionStartFailed")

    assert "as on a full disk (memory/one); it has to be started again" in str(
        translated(stopped, "memory/one")
    )
