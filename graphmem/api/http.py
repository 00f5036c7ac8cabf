"""GraphQL over HTTP: one POST, one operation, one JSON answer.

Follows the GraphQL-over-HTTP draft of 2026: the media type of the answer is negotiated, and with
``application/graphql-response+json`` the status says whether the operation ran. A request that cannot be
read is answered with a GraphQL error too. Neither batches nor queries by GET are answered.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from cross_web import AsyncHTTPRequestAdapter, HTTPException
from graphql import GraphQLError, GraphQLSyntaxError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData, process_result
from strawberry.types import ExecutionResult

from graphmem.api.accept import accepted
from graphmem.api.answers import GRAPHQL_JSON, JSON, bad_request, error_answer
from graphmem.api.auth import Authenticator, subject_of
from graphmem.api.context import Context
from graphmem.api.graphiql import page
from graphmem.api.options import ApiOptions
from graphmem.api.schema import Schema
from graphmem.errors import GraphMemError, Unavailable
from graphmem.service.platform import Caller


class GraphQLEndpoint(GraphQL[Context, None]):
    """The ASGI app behind ``/graphql``."""

    def __init__(
        self,
        schema: Schema,
        authenticator: Authenticator,
        caller_for: Callable[[str], Caller],
        options: ApiOptions,
    ) -> None:
        super().__init__(schema, graphql_ide=None, allow_queries_via_get=False, subscription_protocols=())
        self._authenticator = authenticator
        self._caller_for = caller_for
        self._options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if (
            request.method == "GET"
            and self._options.graphiql
            and "text/html" in request.headers.get("accept", "")
        ):
            return page()
        if request.method != "POST":
            return bad_request(405, "send operations by POST", headers={"Allow": "POST"})
        try:
            request.state.subject = await subject_of(request, self._authenticator)
            request.state.media_type = accepted(request.headers.get("accept"), (JSON, GRAPHQL_JSON))
            if request.state.media_type is None:
                return bad_request(406, f"answers are {GRAPHQL_JSON} or {JSON}")
            return await self.run(request)
        except HTTPException as error:
            return bad_request(error.status_code, error.reason)
        except GraphMemError as error:
            return error_answer(error, where="/graphql")

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        return Context.of(self._caller_for(request.state.subject))

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        media_type, _, parameters = (request.content_type or "").partition(";")
        if media_type.strip().lower() != JSON or not _is_utf8(parameters):
            raise HTTPException(415, f"send the operation as {JSON} in UTF-8")
        data = self.parse_json(await request.get_body())
        if isinstance(data, list):
            raise HTTPException(400, "one operation a request; batches of operations are not answered")
        if not isinstance(data, dict):
            raise HTTPException(400, "the body is a JSON object with query, variables and operationName")
        if not isinstance(data.get("query"), str) or not data["query"].strip():
            raise HTTPException(400, "query is the text of a GraphQL document")
        for name, kind, what in (
            ("variables", dict, "an object"),
            ("extensions", dict, "an object"),
            ("operationName", str, "a string"),
        ):
            if not isinstance(data.get(name), kind | None):
                raise HTTPException(400, f"{name} is {what} or null")
        return GraphQLRequestData(
            query=data["query"],
            variables=data.get("variables"),
            operation_name=data.get("operationName") or None,
            extensions=data.get("extensions"),
        )

    def parse_json(self, data: str | bytes) -> object:
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, f"the body is not JSON: {_short(error)}") from None

    async def execute_single(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        sub_response: Response,
        context: Context,
        root_value: None,
        request_data: GraphQLRequestData,
    ) -> ExecutionResult:
        try:
            async with asyncio.timeout(self._options.operation_seconds) as timeout:
                context.deadline.timeout = timeout
                return await super().execute_single(
                    request, request_adapter, sub_response, context, root_value, request_data
                )
        except TimeoutError:
            return ExecutionResult(data=None, errors=[_too_slow(self._options.operation_seconds)])

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        answer = Response(media_type=request.state.media_type)
        request.state.answer = answer
        return answer

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        request.state.answer.status_code = status_of(result, request.state.media_type)
        answer = process_result(result)
        if _never_ran(result):
            del answer["data"]
        return answer

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        return Response(
            self.encode_json(response_data), sub_response.status_code, media_type=sub_response.media_type
        )


def status_of(result: ExecutionResult, media_type: str) -> int:
    """The HTTP status of an executed or refused operation.

    With ``application/json`` it is 200, as older clients expect; else 400 where the document does not parse,
    422 where it was refused before it ran, 503 where it took too long, and 200 where it ran.
    """
    if media_type == JSON or not _never_ran(result):
        return 200
    errors = result.errors or []
    if any(isinstance(error.original_error, Unavailable) for error in errors):
        return 503
    return 400 if any(_is_syntax_error(error) for error in errors) else 422


def _never_ran(result: ExecutionResult) -> bool:
    return result.data is None and all(error.path is None for error in result.errors or [])


def _is_syntax_error(error: GraphQLError) -> bool:
    return isinstance(error, GraphQLSyntaxError) or error.message.startswith("Syntax Error")


def _too_slow(seconds: float) -> GraphQLError:
    error = Unavailable(
        f"the operation took longer than {seconds:g} seconds and was given up; ask for less. "
        "A write may have been stored: repeat it with the same idempotencyKey"
    )
    return GraphQLError(str(error), original_error=error, extensions=error.extensions())


def _is_utf8(parameters: str) -> bool:
    """Whether the parameters of a media type leave the text in UTF-8."""
    for parameter in parameters.split(";"):
        name, _, value = parameter.strip().partition("=")
        if name.strip().lower() == "charset" and value.strip().strip('"').lower() not in ("utf-8", "utf8"):
            return False
    return True


def _short(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:120]
