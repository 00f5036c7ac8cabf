"""GraphQL over HTTP, as a client of the service sends it: one document, its variables, a bearer token.

Connections are kept open. Nothing here knows what a document asks for.

``urllib3`` in threads, because on a machine that client and service share, what the client spends is measured
too: half a millisecond of a core a request, where ``httpx`` spends 2 to 3.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from types import TracebackType
from typing import Any

import urllib3

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
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="client")
        self._http = urllib3.PoolManager(
            maxsize=connections,
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            timeout=ANSWER_S,
            retries=False,
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.clear()
        self._threads.shutdown(wait=False)

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
            status, answer = await asyncio.get_running_loop().run_in_executor(self._threads, self._post, body)
            found = json.loads(answer)
        except (urllib3.exceptions.HTTPError, ValueError) as error:
            raise Unavailable(f"{self.url} does not answer as GraphMem does: {error}") from error
        if status == HTTPStatus.UNAUTHORIZED:
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

    def _post(self, body: bytes) -> tuple[int, bytes]:
        answer = self._http.request("POST", self.url, body=body)
        return answer.status, answer.data


def shown_error(message: object) -> str:
    """The service's message on one line, cut where a person stops reading."""
    text = " ".join(str(message).split())
    return text if len(text) <= 300 else shown(text[:300])


def body_bytes(document: str, variables: Mapping[str, object]) -> int:
    """Bytes of the request that ``run`` would send."""
    return len(json.dumps({"query": document, "variables": variables}, ensure_ascii=False).encode())
