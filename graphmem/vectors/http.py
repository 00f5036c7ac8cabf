"""Vectors from a server that speaks OpenAI's ``/embeddings``: OpenAI, Ollama, vLLM, LM Studio and others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import numpy.typing as npt

from graphmem.errors import Misconfigured, Unavailable, shown
from graphmem.vectors.embedder import TEXT_RECIPE, Vectors, normalised
from graphmem.vectors.hashing import WINDOW_RECIPE, piece_windows

log = logging.getLogger("graphmem.vectors")

BATCH_TEXTS = 64
TIMEOUT_S = 30.0
"""Seconds for one request; connecting may take 5 of them."""

TRIES = 4
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 20.0
"""Before the second try; doubles. A ``Retry-After`` of the server counts instead."""

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""


class HttpEmbedder:
    """The vectors of one model of one server; see ``Embedder``. Open it with ``HttpEmbedder.connect``."""

    def __init__(self, model: str, url: str, client: httpx.AsyncClient, first_pause_s: float) -> None:
        self.name = f"openai:{model}@{url}"
        self.width = 0
        self.recipe = f"{TEXT_RECIPE}; {model}/1; {WINDOW_RECIPE}"
        self._model = model
        self._url = f"{url}/embeddings"
        self._client = client
        self._first_pause_s = first_pause_s

    @classmethod
    async def connect(
        cls,
        model: str,
        url: str,
        *,
        key: str | None = None,
        width: int | None = None,
        timeout_s: float = TIMEOUT_S,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> HttpEmbedder:
        """The embedder, after one request that tells its width unless ``width`` is given.

        Args:
            model: The server's name of the model.
            url: Up to and without ``/embeddings``, such as ``https://api.openai.com/v1``.
            key: Sent as bearer token; never part of a message, a name or a log line.
            width: What the model gives, when it is known.
            timeout_s: For one request.
            first_pause_s: Before the second try.

        Raises:
            Misconfigured: the URL is none, or carries a name, a password or a query; the key is refused.
            Unavailable: the server does not answer, so the width is not known.
        """
        base = _checked_url(url)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        client = httpx.AsyncClient(
            headers=headers, timeout=httpx.Timeout(timeout_s, connect=min(5.0, timeout_s))
        )
        embedder = cls(model, base, client, first_pause_s)
        try:
            embedder.width = width or len((await embedder._rows(["width"]))[0])
        except BaseException:
            await client.aclose()
            raise
        return embedder

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder.embed``."""
        rows = [np.empty((0, self.width), dtype=np.float32)]
        for start in range(0, len(texts), BATCH_TEXTS):
            found = await self._rows(texts[start : start + BATCH_TEXTS])
            rows.append(normalised(self._checked(found)))
        return np.concatenate(rows)

    async def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See ``Embedder.embed_query``."""
        return np.asarray((await self.embed([text]))[0], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        """See ``Embedder.windows``."""
        return piece_windows(text)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    def _checked(self, rows: list[list[float]]) -> npt.NDArray[np.float32]:
        wrong = next((len(row) for row in rows if len(row) != self.width), None)
        if wrong is not None:
            raise Misconfigured(
                f"{self.name} gave a vector of width {wrong}, the index has width {self.width}; "
                "use the model it was made with, or run: graphmem reindex"
            )
        found = np.asarray(rows, dtype=np.float32)
        if not np.isfinite(found).all():
            raise Unavailable(f"{self.name} gave a vector with a value that is not finite")
        return found

    async def _rows(self, texts: Sequence[str]) -> list[list[float]]:
        """One row a text, tried again after what may pass."""
        # Some servers refuse an empty text, and its vector says nothing anyway.
        asked = {"model": self._model, "input": [text or " " for text in texts], "encoding_format": "float"}
        pause = self._first_pause_s
        for left in reversed(range(TRIES)):
            try:
                response = await self._client.post(self._url, json=asked)
            except httpx.TransportError as error:
                problem = f"does not answer ({type(error).__name__})"
                wait = pause
            else:
                if response.status_code not in AGAIN:
                    return self._parsed(response, len(texts))
                problem = f"answers {response.status_code}"
                wait = _retry_after(response, pause)
            if left:
                log.info("%s %s; trying again in %g s", self.name, problem, wait)
                await asyncio.sleep(min(wait, LONGEST_PAUSE_S))
                pause *= 2
        raise Unavailable(f"{self.name} {problem}, {TRIES} times in a row")

    def _parsed(self, response: httpx.Response, expected: int) -> list[list[float]]:
        if response.status_code in (401, 403):
            raise Misconfigured(f"{self.name} refuses the key; set GRAPHMEM_EMBEDDER_KEY")
        if response.status_code != 200:
            # The body is not shown: what a server says of a request may repeat its headers.
            raise Misconfigured(f"{self.name} answers {response.status_code}; check the model and the URL")
        try:
            data: list[dict[str, Any]] = response.json()["data"]
            rows = [[float(value) for value in one["embedding"]] for one in sorted(data, key=_index)]
        except (ValueError, KeyError, TypeError) as error:
            raise Misconfigured(f"{self.name} answers what is no list of embeddings") from error
        if len(rows) != expected:
            raise Unavailable(f"{self.name} gave {len(rows)} vectors for {expected} texts")
        return rows


def _index(one: dict[str, Any]) -> int:
    return int(one.get("index", 0))


def _retry_after(response: httpx.Response, otherwise: float) -> float:
    given = response.headers.get("retry-after", "")
    return float(given) if given.isdigit() else otherwise


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Misconfigured(f"the embedder's address {shown(url)} is no http or https URL")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise Misconfigured(
            f"the embedder's address at {parts.hostname} carries a name, a password or a query; "
            "leave them out and set GRAPHMEM_EMBEDDER_KEY"
        )
    return url.rstrip("/")
