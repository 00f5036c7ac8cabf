"""The HTTP face of GraphMem, put together: addresses, guards, and what stands behind them."""

from __future__ import annotations

from functools import partial

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from graphmem.api.answers import bad_request, error_answer
from graphmem.api.auth import Authenticator
from graphmem.api.bodies import SteadyBody, WholeBody
from graphmem.api.graphiql import graphiql_file
from graphmem.api.hosts import KnownHosts
from graphmem.api.http import GraphQLEndpoint
from graphmem.api.options import GRAPHQL_BODY_BYTES, ApiOptions
from graphmem.api.schema import build_schema
from graphmem.api.streams import Streams
from graphmem.service.platform import Caller, Platform
from graphmem.service.status import readiness


def create_app(platform: Platform, authenticator: Authenticator, options: ApiOptions) -> Starlette:
    """The ASGI app over an open platform, which stays its opener's to close."""
    caller_for = partial(Caller.of, platform)
    graphql = GraphQLEndpoint(
        build_schema(introspection=options.introspection), authenticator, caller_for, options
    )
    guarded = WholeBody(graphql, limit=GRAPHQL_BODY_BYTES, seconds=options.body_seconds)
    return Starlette(
        routes=[
            Route("/graphql", guarded),
            Route("/health", health, methods=["GET"]),
            Route("/ready", partial(ready, platform), methods=["GET"]),
            *_streams(Streams(authenticator, caller_for), options),
            *_pages(options),
        ],
        middleware=[Middleware(KnownHosts, hosts=options.hosts, origins=options.origins)],
        exception_handlers={404: _not_found, 405: _wrong_method, Exception: _masked},
    )


async def health(request: Request) -> Response:
    """Whether the process answers; nothing behind it is asked."""
    return JSONResponse({"status": "ok"})


async def ready(platform: Platform, request: Request) -> Response:
    """Whether reads and writes are answered, and whether an index is away; no figures."""
    now = await readiness(platform)
    body = {"ready": now.ready, "degraded": now.degraded}
    return JSONResponse(body, status_code=200 if now.ready else 503)


def _streams(streams: Streams, options: ApiOptions) -> list[BaseRoute]:
    steady = Middleware(SteadyBody, seconds=options.body_seconds)
    return [
        Route("/export", streams.export, methods=["GET"]),
        Route("/import", streams.import_, methods=["POST"], middleware=[steady]),
    ]


def _pages(options: ApiOptions) -> list[BaseRoute]:
    routes: list[BaseRoute] = []
    if options.graphiql:
        routes.append(Route("/graphiql/{name}", graphiql_file, methods=["GET"]))
    if options.guide is not None:
        routes.append(Route("/guide.html", partial(_guide, options), methods=["GET"]))
    return routes


async def _guide(options: ApiOptions, request: Request) -> Response:
    """The guide; Neo4j Browser reads it from another origin."""
    text = options.guide() if options.guide is not None else ""
    return Response(text, media_type="text/html", headers={"Access-Control-Allow-Origin": "*"})


async def _not_found(request: Request, error: Exception) -> Response:
    return bad_request(404, "nothing here; GraphQL is at /graphql")


async def _wrong_method(request: Request, error: Exception) -> Response:
    return bad_request(
        405, f"{request.url.path} does not take {request.method}", headers=getattr(error, "headers", None)
    )


async def _masked(request: Request, error: Exception) -> Response:
    return error_answer(error, where=request.url.path)
