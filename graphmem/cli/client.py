"""The HTTP client of the command line: GraphQL with variables, export, import; its errors are ours.

Knows an address and a token, and nothing of where they come from (``connection``) or of what is asked
(``operations``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

import httpx
from pydantic import ValidationError

from graphmem.cli.exits import ServiceError
from graphmem.cli.operations import Operation, T
from graphmem.errors import GraphMemError, Unavailable

ANSWER_S = 60.0
"""Seconds that an answer may take; above the service's own limit of an operation."""

CONNECT_S = 5.0

JSON = {"Content-Type": "application/json"}


class ServiceClient:
    """One connection to one service; a context manager.

    Args:
        url: Of GraphQL, ``http://127.0.0.1:8420/graphql``, or of the service without a path.
        local: The service is on this machine, so no proxy of the environment is asked.
    """

    def __init__(self, url: str, token: str, *, local: bool = True) -> None:
        self.base = base_url(url)
        self._http = httpx.Client(
            base_url=self.base,
            headers={"Authorization": f"Bearer {token}"},
            timeout=httpx.Timeout(ANSWER_S, connect=CONNECT_S),
            trust_env=not local,
        )

    def __enter__(self) -> ServiceClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def ask(self, operation: Operation[T], *, limit_s: float | None = ANSWER_S, **variables: object) -> T:
        """The answer of one operation; ``limit_s`` None waits as long as it takes.

        Raises:
            ServiceError: The service refused; the first of its errors.
            Unavailable: It does not answer, or not as a GraphMem service does.
        """
        given = {name: value for name, value in variables.items() if value is not None}
        timeout = httpx.Timeout(limit_s, connect=CONNECT_S)
        with self._answering():
            answer = self._http.post(
                "/graphql", content=_body(operation.text, given), headers=JSON, timeout=timeout
            )
        found = self._json(answer)
        if errors := found.get("errors"):
            raise _refusal(errors)
        try:
            data = found["data"]
            return operation.shape.validate_python(data[operation.field])  # type: ignore[index]
        except (KeyError, TypeError, ValidationError) as error:
            raise Unavailable(f"{self.base} does not answer as GraphMem does to {operation.field}") from error

    def export(self) -> Iterator[bytes]:
        """Everything as JSON lines, in pieces of any size, until the service has sent all."""
        with self._answering(), self._http.stream("GET", "/export", timeout=None) as answer:
            if answer.status_code != httpx.codes.OK:
                answer.read()
                self._json(answer)
            yield from answer.iter_bytes()

    def import_lines(self, content: Iterator[bytes]) -> dict[str, object]:
        """The report of an import of JSON lines."""
        headers = {"Content-Type": "application/x-ndjson"}
        with self._answering():
            answer = self._http.post("/import", content=content, headers=headers, timeout=None)
        return self._json(answer)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except httpx.InvalidURL as error:
            raise ServiceError(f"GRAPHMEM_URL is no address: {error}", "INVALID_INPUT") from error
        except httpx.TimeoutException as error:
            raise Unavailable(
                f"{self.base} did not answer in {ANSWER_S:.0f} s; `graphmem status` says more"
            ) from error
        except httpx.UnsupportedProtocol as error:
            raise ServiceError(
                f"GRAPHMEM_URL has to start with http:// or https://: {error}", "INVALID_INPUT"
            ) from error
        except httpx.TransportError as error:
            raise Unavailable(
                f"{self.base} does not answer ({error}); `graphmem status` says more"
            ) from error

    def _json(self, answer: httpx.Response) -> dict[str, object]:
        """The object that was answered, whatever the status; raises what a refusal says."""
        try:
            found = answer.json()
        except ValueError as error:
            raise Unavailable(f"{self.base} answered {answer.status_code} without JSON") from error
        if not isinstance(found, dict):
            raise Unavailable(f"{self.base} answered {answer.status_code} with JSON of another shape")
        if answer.is_error:
            raise _refusal(found.get("errors") or [found])
        return found


def is_ready(url: str) -> bool:
    """Whether the local service at ``url`` answers and says that it is ready; needs no token."""
    with suppress(httpx.TransportError, httpx.InvalidURL):
        return httpx.get(base_url(url) + "/ready", timeout=CONNECT_S, trust_env=False).is_success
    return False


def base_url(url: str) -> str:
    """The address without the path of GraphQL and without a slash at its end."""
    return url.rstrip("/").removesuffix("/graphql")


def _body(text: str, variables: dict[str, object]) -> bytes:
    """The request, in as few bytes as it takes."""
    request = {"query": text, "variables": variables}
    try:
        return json.dumps(request, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        # Half a character is the service's to refuse, with the field and the place; here it would be a fault.
        return json.dumps(request).encode()


def _refusal(errors: object) -> GraphMemError:
    """The first of the errors, with its code."""
    first = errors[0] if isinstance(errors, list) and errors else {}
    found = first if isinstance(first, dict) else {}
    details = dict(found.get("extensions") or {})
    code = str(details.pop("code", None) or found.get("code") or "INTERNAL")
    message = str(found.get("message") or found.get("error") or "the service refused without saying why")
    return ServiceError(message, code, details)
