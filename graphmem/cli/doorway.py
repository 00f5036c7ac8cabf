"""What answers while the service is still opening its stores: alive, and not ready.

Once it is open, every request goes to the real application. Knows nothing of what that does.
"""

from __future__ import annotations

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

RETRY_AFTER_S = 1


class Doorway:
    """An ASGI application that another one moves into."""

    def __init__(self) -> None:
        self._inside: ASGIApp | None = None

    def open(self, application: ASGIApp) -> None:
        """From now on ``application`` answers."""
        self._inside = application

    def close(self) -> None:
        """From now on nobody is ready again: the stores are about to be closed."""
        self._inside = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._inside is not None:
            await self._inside(scope, receive, send)
        elif scope["type"] == "http":
            await _waiting(scope["path"])(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013})


def _waiting(path: str) -> JSONResponse:
    """The answer of a service that is not open yet, in the shape that each address always has."""
    match path.rstrip("/"):
        case "/health":
            return JSONResponse({"status": "ok"})
        case "/ready":
            return JSONResponse({"ready": False, "degraded": False}, 503)
    error = {
        "message": "the service is starting or ending; try again in a moment",
        "extensions": {"code": "UNAVAILABLE"},
    }
    return JSONResponse({"errors": [error]}, 503, headers={"Retry-After": str(RETRY_AFTER_S)})
