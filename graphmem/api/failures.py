"""Errors as callers see them: our own with their code, everything else masked behind a log id."""

from __future__ import annotations

import logging
import secrets

from graphql import GraphQLError, GraphQLSyntaxError

from graphmem.api.limits import TOKENS
from graphmem.errors import GraphMemError, InvalidInput, LimitExceeded

LOG = logging.getLogger("graphmem.api")


def shown_error(error: GraphQLError) -> GraphQLError:
    """The error that a caller sees in the place of this one; carries ``extensions.code``."""
    if "code" in (error.extensions or {}):
        return error
    cause = error.original_error
    if isinstance(cause, GraphMemError):
        return _with(error, str(cause), cause.extensions())
    if isinstance(cause, RecursionError) or _gave_up(error, "nested"):
        return _with(error, "the document is nested too deeply", {"code": LimitExceeded.code})
    if _gave_up(error, "tokens"):
        message = f"the document has more than {TOKENS} tokens; send values as variables"
        return _with(error, message, {"code": LimitExceeded.code, "limit": TOKENS})
    if isinstance(cause, GraphQLError | None) and _is_about_the_request(error):
        return _with(error, error.message, {"code": InvalidInput.code})
    return _with(error, *internal(cause or error, where=error.path))


def internal(cause: BaseException, *, where: object) -> tuple[str, dict[str, object]]:
    """Message and extensions that stand for an error of ours; the log has it under the same id."""
    log_id = secrets.token_hex(6)
    LOG.error("internal error %s at %s", log_id, where, exc_info=cause)
    return f"internal error; the log of the service has it as {log_id}", {"code": "INTERNAL", "logId": log_id}


def _gave_up(error: GraphQLError, over: str) -> bool:
    """Whether the parser stopped at one of its limits."""
    return isinstance(error, GraphQLSyntaxError) and "aborted" in error.message and over in error.message


def _is_about_the_request(error: GraphQLError) -> bool:
    """Whether the document or its variables are at fault: found before any field ran, or in an argument."""
    return error.path is None or error.message.startswith("Argument ")


def _with(error: GraphQLError, message: str, extensions: dict[str, object]) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions,
    )
