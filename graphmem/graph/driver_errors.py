"""What the driver's errors mean to GraphMem: which to try again, and which of ours they become.

No message of the server is passed on: those of constraints and of types hold values that were stored.
"""

from __future__ import annotations

from neo4j.exceptions import (
    AuthConfigurationError,
    AuthError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
)

from graphmem.errors import (
    Conflict,
    GraphMemError,
    LimitExceeded,
    Misconfigured,
    Unavailable,
    UnknownOutcome,
)

StoreError = Neo4jError | DriverError
"""Everything that the driver raises on account of the server or the connection."""

STORE_ERRORS = (Neo4jError, DriverError)

UNIQUENESS_VIOLATED = "22N79"
"""GQL status of a violated uniqueness constraint."""

_TOO_LARGE = frozenset(
    {
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
        "Neo.TransientError.General.OutOfMemoryError",
        "Neo.TransientError.General.TransactionMemoryLimit",
        "Neo.TransientError.General.TransactionOutOfMemoryError",
    }
)
"""Classed transient by the server; the same transaction fails again, so they are final."""

_TIMED_OUT = frozenset(
    {
        "LockAcquisitionTimeout",
        "LockClientStopped",
        "Terminated",
        "TransactionTimedOut",
        "TransactionTimedOutClientConfiguration",
    }
)
"""The first two end a wait for a lock, the others work that was under way."""

_UNSURE = frozenset({"TransactionCommitFailed", "TransactionLogError"})
"""The server failed inside a commit, perhaps after it was written."""


def may_retry(error: StoreError) -> bool:
    """Whether the same work may succeed on another try, and the failed one has left nothing behind."""
    return error.is_retryable() and _code(error) not in _TOO_LARGE


def lost_to_twin(error: StoreError) -> bool:
    """Whether a uniqueness constraint was violated: another writer created the key in between."""
    return isinstance(error, ConstraintError) and error.gql_status == UNIQUENESS_VIOLATED


def translated(error: StoreError, work: str) -> GraphMemError:
    """Our error for one of the driver's; ``work`` names the query or transaction."""
    code = _code(error)
    kind = code.rsplit(".", 1)[-1]
    if isinstance(error, IncompleteCommit) or kind in _UNSURE:
        return unknown_outcome(work)
    if isinstance(error, ConstraintError):
        return Conflict(f"{work} lost to other writers of the same key; try again")
    if code in _TOO_LARGE:
        return LimitExceeded(f"{work} needs more memory than Neo4j gives one transaction; make it smaller")
    if isinstance(error, AuthError | AuthConfigurationError) or "Security" in code:
        return Misconfigured("Neo4j refuses the login; check GRAPHMEM_NEO4J_USER and GRAPHMEM_NEO4J_PASSWORD")
    if isinstance(error, ConfigurationError):
        return Misconfigured(f"the connection to Neo4j cannot be set up: {error}")
    if kind in ("DatabaseNotFound", "DatabaseDoesNotExist"):
        return Misconfigured("Neo4j has no such database; check GRAPHMEM_NEO4J_DATABASE")
    if kind in _TIMED_OUT:
        return Unavailable(f"{work} took longer than it may")
    if "ReadOnly" in kind:
        return Unavailable(f"Neo4j takes no writes for {work} ({kind}); is its disk full?")
    if isinstance(error, DriverError) or error.is_retryable():
        return Unavailable(f"Neo4j does not answer ({work}: {kind or type(error).__name__})")
    if kind == "TransactionStartFailed":
        return Unavailable(
            f"Neo4j's database stopped after an error inside it, as on a full disk ({work});"
            " it has to be started again, which a managed one is by itself"
        )
    if code.startswith("Neo.DatabaseError"):
        return Unavailable(f"Neo4j failed inside ({work}: {kind}); its log says more")
    return GraphMemError(f"Neo4j refused {work}: {kind} ({error.gql_status})")


def unknown_outcome(work: str) -> UnknownOutcome:
    """The error of work that may have been done, with the way to repeat it safely."""
    return UnknownOutcome(
        f"Neo4j or the connection to it failed while {work} was being committed: it may be stored or not;"
        " repeat it with the same idempotencyKey"
    )


def _code(error: StoreError) -> str:
    return (error.code or "") if isinstance(error, Neo4jError) else ""
