"""How a command fails: the errors of the command line, and the exit code of every error.

One table for all commands; where errors are printed is ``main``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from graphmem.errors import GraphMemError, Unavailable

OTHER = 1
"""What has no code of its own: no rights, a fault of the service, a file that failed in an import."""

REFUSED = 2
"""What was asked for, or how GraphMem is set up, was refused; nothing was stored."""

AWAY = 3
"""The service does not run, is not ready, or does not answer."""

INTERRUPTED = 130
"""Ctrl-C, as shells count it (128 + SIGINT)."""

EXIT_CODES: Mapping[str, int] = MappingProxyType(
    {
        "INVALID_INPUT": REFUSED,
        "LIMIT_EXCEEDED": REFUSED,
        "NOT_FOUND": REFUSED,
        "CONFLICT": REFUSED,
        "MISCONFIGURED": REFUSED,
        "UNAVAILABLE": AWAY,
        "DEGRADED": AWAY,
    }
)
"""Error code of the API to exit code; a code that is not here gets ``OTHER``."""


class ServiceError(GraphMemError):
    """What the service refused, as it said it.

    Attributes:
        code: The service's error code.
        details: The other ``extensions``: ``field``, ``limit``, ``head``, where they came.
    """

    def __init__(self, message: str, code: str, details: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.details = dict(details or {})

    def extensions(self) -> dict[str, object]:
        return {"code": self.code} | self.details


class NotRunning(Unavailable):
    """The local service does not run, and the command is one that starts nothing."""


class StartRefused(GraphMemError):
    """The service could not be started; everything else is as the cause says it."""

    def __init__(self, cause: GraphMemError) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.code = cause.code

    def extensions(self) -> dict[str, object]:
        return self.cause.extensions()


def exit_code(error: GraphMemError) -> int:
    """The exit code of a failed command."""
    return REFUSED if isinstance(error, StartRefused) else EXIT_CODES.get(error.code, OTHER)
