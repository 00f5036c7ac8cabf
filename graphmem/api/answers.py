"""Answers of the HTTP face that no GraphQL operation made: errors, in the shape of GraphQL errors."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import JSONResponse, Response

from graphmem.api.failures import internal
from graphmem.errors import GraphMemError, InvalidInput, LimitExceeded

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"

STATUS: Mapping[str, int] = {
    "UNAUTHENTICATED": 401,
    "FORBIDDEN": 403,
    "NOT_FOUND": 404,
    "CONFLICT": 409,
    "LIMIT_EXCEEDED": 413,
    "UNAVAILABLE": 503,
    "DEGRADED": 503,
}
"""HTTP status of an error outside GraphQL; 400 for what callers can mend, 500 for what they cannot."""


def refused(
    status: int,
    message: str,
    extensions: Mapping[str, object],
    *,
    headers: Mapping[str, str] | None = None,
    media_type: str = JSON,
) -> Response:
    """A refusal before any operation ran."""
    errors = [{"message": message, "extensions": dict(extensions)}]
    return JSONResponse({"errors": errors}, status_code=status, headers=headers, media_type=media_type)


def bad_request(status: int, message: str, *, headers: Mapping[str, str] | None = None) -> Response:
    """A refusal of a request that is not one of GraphMem's."""
    return refused(status, message, {"code": InvalidInput.code}, headers=headers)


def too_large(limit: int) -> Response:
    """The answer to a body above the limit; the rest of the body is not read."""
    message = f"the body is larger than {limit} bytes; send smaller batches, or files to POST /import"
    extensions = {"code": LimitExceeded.code, "limit": limit}
    return refused(413, message, extensions, headers={"Connection": "close"})


def error_answer(error: Exception, *, where: str) -> Response:
    """The answer to an error of ours, or a masked one for any other."""
    if not isinstance(error, GraphMemError):
        message, extensions = internal(error, where=where)
        return refused(500, message, extensions)
    status = STATUS.get(error.code, 400 if isinstance(error, InvalidInput) else 500)
    headers = {"WWW-Authenticate": 'Bearer realm="graphmem"'} if status == 401 else None
    return refused(status, str(error), error.extensions(), headers=headers)
