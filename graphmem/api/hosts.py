"""Guards against other people's web pages: the names a service answers to, and the pages that may call it.

A page that rebinds its own name to this machine sends that name as ``Host``; a page from elsewhere sends its
``Origin``. Neither carries a token, so this is the second lock, not the first.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from graphmem.api.answers import bad_request, refused

OPEN_PATHS = frozenset({"/health", "/ready", "/guide.html"})
"""Paths that hold nothing of anybody, so that every page may read them."""


class KnownHosts:
    """Answers 421 to a foreign ``Host`` and 403 to a foreign ``Origin``."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str] | None, origins: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin")
        if self._hosts is not None and _name(host) not in self._hosts:
            answer = bad_request(421, "this service does not answer to that host name; see GRAPHMEM_HOSTS")
            await answer(scope, receive, send)
        elif origin is not None and scope["path"] not in OPEN_PATHS and not self._known(origin, host, scope):
            answer = refused(403, "pages of that origin may not call this service", {"code": "FORBIDDEN"})
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _known(self, origin: str, host: str, scope: Scope) -> bool:
        return origin in self._origins or origin.lower() in (
            f"http://{host}".lower(),
            f"https://{host}".lower(),
        )


def _name(host: str) -> str:
    """The name of a ``Host`` header without its port; empty when there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
