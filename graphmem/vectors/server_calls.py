"""One way to ask a Qdrant server: tried again where that helps, and its refusals as our errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from graphmem.errors import Misconfigured, Unavailable

log = logging.getLogger("graphmem.vectors")

PAUSE_S = 0.05
"""Before asking again when a connection broke."""

T = TypeVar("T")


async def asked(what: str, ask: Callable[[], Awaitable[T]]) -> T:
    """The server's answer; asked once more when the connection breaks, since every request may be repeated.

    Raises:
        Misconfigured: the key is refused.
        Unavailable: no answer, or one that says "not now".
    """
    try:
        return await _asked_twice(what, ask)
    except ResponseHandlingException as error:
        reason = type(error.source).__name__
        raise Unavailable(f"the Qdrant server does not answer {what} ({reason})") from error
    except ResourceExhaustedResponse as error:
        raise Unavailable(f"the Qdrant server is too busy for {what}") from error
    except UnexpectedResponse as error:
        if error.status_code in (401, 403):
            raise Misconfigured("the Qdrant server refuses the key; set GRAPHMEM_QDRANT_KEY") from error
        raise Unavailable(f"the Qdrant server answers {what} with {error.status_code}") from error


async def _asked_twice(what: str, ask: Callable[[], Awaitable[T]]) -> T:
    try:
        return await ask()
    except ResponseHandlingException as error:
        if not isinstance(error.source, httpx.TransportError):
            raise
        log.info("Qdrant %s: %s; asking again", what, type(error.source).__name__)
    await asyncio.sleep(PAUSE_S)
    return await ask()
