"""Everything out and everything in, as JSON lines; outside the limits of GraphQL, for admins of the root.

To anybody else these addresses do not exist. An export that fails half-way ends without its closing chunk,
which every HTTP client reports; an import that fails says up to which line it came.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from graphmem.access.actions import Action
from graphmem.access.predicate import Everything
from graphmem.api.answers import bad_request, error_answer
from graphmem.api.auth import Authenticator, subject_of
from graphmem.api.bodies import StalledBody
from graphmem.errors import GraphMemError, InvalidInput, NotFound
from graphmem.memory.transfer import line_of
from graphmem.memory.transfer.reading import LINE_BYTES
from graphmem.service import exporting, importing
from graphmem.service.platform import Caller

JSON_LINES = "application/x-ndjson"
IMPORT_TYPES = frozenset({JSON_LINES, "application/jsonl", "application/json-lines"})
"""Media types that a page from elsewhere cannot send unasked."""

Document = dict[str, object]


class Streams:
    """The endpoints ``GET /export`` and ``POST /import``."""

    def __init__(self, authenticator: Authenticator, caller_for: Callable[[str], Caller]) -> None:
        self._authenticator = authenticator
        self._caller_for = caller_for

    async def export(self, request: Request) -> Response:
        """Everything, one JSON value a line."""
        try:
            caller = await self._admin(request)
            lines = exporting.export(caller)
            first = await anext(lines, None)
        except GraphMemError as error:
            return error_answer(error, where="/export")
        return StreamingResponse(_written(first, lines), media_type=JSON_LINES)

    async def import_(self, request: Request) -> Response:
        """Takes what an export gave; answers with a report."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in IMPORT_TYPES:
            return bad_request(415, f"send JSON lines as {JSON_LINES}")
        try:
            caller = await self._admin(request)
            report = await importing.import_lines(caller, split_lines(request.stream()))
        except GraphMemError as error:
            return error_answer(error, where="/import")
        except StalledBody as error:
            return bad_request(408, str(error), headers={"Connection": "close"})
        except ClientDisconnect:
            return bad_request(400, "the body ended early")
        return JSONResponse(report.document())

    async def _admin(self, request: Request) -> Caller:
        """The caller, an admin of the root.

        Raises:
            Unauthenticated: Nobody is known.
            NotFound: Somebody else is.
        """
        caller = self._caller_for(await subject_of(request, self._authenticator))
        if caller.visible(Action.ADMIN) != Everything():
            raise NotFound("page", request.url.path)
        return caller


async def split_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The lines of a body without their line feeds, empty ones too, so that they can be counted.

    Raises:
        InvalidInput: A line is longer than any memory; names the line, from 1.
    """
    number = 1
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line
            number += 1
        if len(rest) > LINE_BYTES:
            raise InvalidInput(f"line {number}", f"is longer than {LINE_BYTES} bytes", limit=LINE_BYTES)
    if rest:
        yield rest


async def _written(first: Document | None, rest: AsyncIterator[Document]) -> AsyncIterator[str]:
    if first is not None:
        yield line_of(first)
    async for document in rest:
        yield line_of(document)
