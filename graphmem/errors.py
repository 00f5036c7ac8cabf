"""The errors that GraphMem raises on purpose.

    GraphMemError
    ├── Unauthenticated   UNAUTHENTICATED  no token, or one that is not known
    ├── Forbidden         FORBIDDEN        only where the caller may read the thing
    ├── NotFound          NOT_FOUND        nothing there, or nothing the caller may see
    ├── InvalidInput      INVALID_INPUT    names the field, the value and the limit
    ├── Conflict          CONFLICT         a lost race, a stale version, a reused key
    ├── LimitExceeded     LIMIT_EXCEEDED   more than one request may ask for
    ├── Degraded          DEGRADED         an index is away and the caller asked for it
    ├── Unavailable       UNAVAILABLE      a store does not answer; trying again may help
    │   └── UnknownOutcome                 a write that may be stored or not
    └── Misconfigured     MISCONFIGURED    the operator has to change something
        └── QueryFileError                 a file under ``cypher/`` breaks its rules

``code`` is part of the API. A message names the thing and the way out, and never holds a secret.
"""

from __future__ import annotations

from typing import Self

SHOWN_VALUE = 60
"""Characters of a caller's value that a message repeats."""


def shown(value: object) -> str:
    """The value as a message shows it: quoted, escaped, and cut after ``SHOWN_VALUE`` characters."""
    text = str(value)
    return ascii(text[:SHOWN_VALUE] + "…" if len(text) > SHOWN_VALUE else text).replace("\\u2026", "…")


class GraphMemError(Exception):
    """Base of all errors that GraphMem raises on purpose."""

    code = "INTERNAL"
    retryable = False
    index: int | None = None
    """Place of the refused item in a batch, from 0."""

    def extensions(self) -> dict[str, object]:
        """What a GraphQL error carries beside its message."""
        return {"code": self.code} if self.index is None else {"code": self.code, "index": self.index}

    def at_index(self, index: int) -> Self:
        """This error, naming the item of the batch that was refused."""
        self.index = index
        self.args = (f"input[{index}]: {self}",)
        return self


class Unauthenticated(GraphMemError):
    """The request carries no token, or none that is known, or one that has ended."""

    code = "UNAUTHENTICATED"


class Forbidden(GraphMemError):
    """The caller may read the thing but not do this to it."""

    code = "FORBIDDEN"


class NotFound(GraphMemError):
    """Nothing is there, or nothing that this subject may see: one answer for both."""

    code = "NOT_FOUND"

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"no {kind} {shown(key)}")
        self.kind = kind
        self.key = key


class InvalidInput(GraphMemError):
    """A value that was refused before anything was stored.

    Args:
        field: Name of the input field, with the index in a batch (``input[3].content``).
        problem: What is wrong, as the rest of a sentence that starts with the field.
        limit: The limit that was passed, where there is one.
    """

    code = "INVALID_INPUT"

    def __init__(self, field: str, problem: str, *, limit: int | float | str | None = None) -> None:
        super().__init__(f"{field} {problem}")
        self.field = field
        self.problem = problem
        self.limit = limit

    def extensions(self) -> dict[str, object]:
        found = super().extensions() | {"field": self.field}
        return found if self.limit is None else found | {"limit": self.limit}

    def inside(self, prefix: str) -> InvalidInput:
        """The same refusal for a field of a larger input."""
        return InvalidInput(f"{prefix}.{self.field}", self.problem, limit=self.limit)


class Conflict(GraphMemError):
    """The state is no longer what the caller believed it to be."""

    code = "CONFLICT"

    def __init__(self, message: str, *, head: str | None = None) -> None:
        super().__init__(message)
        self.head = head

    def extensions(self) -> dict[str, object]:
        found = super().extensions()
        return found if self.head is None else found | {"head": self.head}


class LimitExceeded(GraphMemError):
    """One request asks for more than a request may."""

    code = "LIMIT_EXCEEDED"

    def __init__(self, message: str, *, limit: int | float | None = None) -> None:
        super().__init__(message)
        self.limit = limit

    def extensions(self) -> dict[str, object]:
        found = super().extensions()
        return found if self.limit is None else found | {"limit": self.limit}


class Degraded(GraphMemError):
    """The index that the caller asked for by name is away; other modes still answer."""

    code = "DEGRADED"


class Unavailable(GraphMemError):
    """A store does not answer; the same request may succeed later."""

    code = "UNAVAILABLE"
    retryable = True


class UnknownOutcome(Unavailable):
    """A write broke off while it was being committed: it may be stored or not.

    Repeating it is safe with the same idempotency key only.
    """


class Misconfigured(GraphMemError):
    """The service cannot run like this; the message says what the operator changes."""

    code = "MISCONFIGURED"


class QueryFileError(Misconfigured):
    """A file under ``cypher/`` breaks the rules of a query file."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"cypher/{name}.cypher: {problem}")
        self.name = name
