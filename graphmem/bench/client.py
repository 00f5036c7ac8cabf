"""GraphQL over HTTP, as a client of the service sends it: one document, its variables, a bearer token.

Connections are kept open. Nothing here knows what a document asks for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import httpx

from graphmem.errors import GraphMemError, Misconfigured, Unauthenticated, Unavailable, shown

ANSWER_S = 60.0
"""Seconds that one request may take; a batch of long texts is the slowest."""

BODY_BYTES = 1_048_576
"""Largest body of a GraphQL request (design section 8)."""


class Refused(GraphMemError):
    """The service answered with an error; ``code`` is the one it gave."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class Client:
    """An open client of one service, for any number of tasks of one event loop."""

    def __init__(self, url: str, token: str, connections: int = 64) -> None:
        self.url = url
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        # No proxy of the environment: the service is asked, not a way to it.
        self._http = httpx.AsyncClient(headers=headers, limits=limits, timeout=ANSWER_S, trust_env=False)

    async def __aenter__(self) -> Client:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    async def run(self, document: str, variables: Mapping[str, object]) -> dict[str, Any]:
        """The ``data`` of the answer.

        Raises:
            Unavailable: The service does not answer, or not with JSON.
            Unauthenticated: It does not know the token.
            Misconfigured: There is no GraphQL at this address.
            Refused: It answered with an error.
        """
        body = json.dumps({"query": document, "variables": variables}, ensure_ascii=False).encode()
        try:
            answer = await self._http.post(self.url, content=body)
            status, found = answer.status_code, json.loads(answer.content)
        except (httpx.HTTPError, ValueError) as error:
            raise Unavailable(
                f"{self.url} does not answer as GraphMem does: {error or type(error).__name__}"
            ) from error
        if status == httpx.codes.UNAUTHORIZED:
            raise Unauthenticated(f"{self.url} does not know this token; set GRAPHMEM_TOKEN or --token")
        if not isinstance(found, dict) or not ("data" in found or "errors" in found):
            raise Misconfigured(
                f"{self.url} answers {status} but no GraphQL; the URL of a service ends in /graphql"
            )
        if errors := found.get("errors"):
            first = errors[0]
            code = first.get("extensions", {}).get("code", "INTERNAL")
            raise Refused(shown_error(first.get("message", "unknown error")), str(code))
        data: dict[str, Any] = found["data"]
        return data


def shown_error(message: object) -> str:
    """The service's message on one line, cut where a person stops reading."""
    text = " ".join(str(message).split())
    return text if len(text) <= 300 else shown(text[:300])


def body_bytes(document: str, variables: Mapping[str, object]) -> int:
    """Bytes of the request that ``run`` would send."""
    return len(json.dumps({"query": document, "variables": variables}, ensure_ascii=False).encode())
