"""Bearer tokens as Neo4j keeps them: a prefix to find them by, and a hash."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.client import GraphClient


@dataclass(frozen=True, slots=True)
class KeptToken:
    """What is known of a token: the hash of its secret, and whose it is."""

    hash: str
    subject: str


class TokenStore:
    """``Token`` nodes."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def create(self, prefix: str, hash: str, subject: str, now: datetime) -> None:
        """Keeps a new token."""
        params = {"prefix": prefix, "hash": hash, "subject": subject, "at": now}
        await self._graph.run("token/create", params)

    async def find(self, prefix: str) -> KeptToken | None:
        """The token of a prefix, if there is one."""
        rows = await self._graph.run("token/find", {"prefix": prefix})
        return KeptToken(rows[0]["hash"], rows[0]["subject"]) if rows else None
