"""What the store remembers of itself: settings, leases, and the counter of changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.graph.client import GraphClient


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease that was held when it was taken.

    Attributes:
        fence: Rises with each new holder; statements of an earlier holder find nothing.
    """

    key: str
    holder: str
    fence: int


class MetaStore:
    """``Meta`` nodes."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def get(self, *keys: str) -> dict[str, str]:
        """The values under these keys; a key that was never put is left out."""
        rows = await self._graph.run("meta/get", {"keys": list(keys)})
        return {row["key"]: row["value"] for row in rows}

    async def put(self, values: Mapping[str, str]) -> None:
        """Puts values under their keys."""
        rows = [{"key": key, "value": value} for key, value in values.items()]
        await self._graph.run("meta/put", {"rows": rows})

    async def put_under(self, lease: Lease, values: Mapping[str, str]) -> bool:
        """Puts values under their keys, unless the lease was lost; whether it did."""
        rows = [{"key": key, "value": value} for key, value in values.items()]
        params = {"lease": lease.key, "fence": lease.fence, "rows": rows}
        [row] = await self._graph.run("meta/put_leased", params)
        return int(row["put"]) == len(rows)

    async def take_lease(self, key: str, holder: str, seconds: int) -> Lease | None:
        """Takes or keeps the lease for so many seconds; None while another holder has it."""
        rows = await self._graph.run("meta/take_lease", {"key": key, "holder": holder, "seconds": seconds})
        return Lease(key, holder, rows[0]["fence"]) if rows else None

    async def drop_lease(self, lease: Lease) -> None:
        """Gives the lease back."""
        await self._graph.run("meta/drop_lease", {"key": lease.key, "holder": lease.holder})


class ChangeStore:
    """The numbered changes."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def number(self, lease: Lease, limit: int) -> int:
        """Numbers at most ``limit`` changes, oldest first; how many it was."""
        params = {"lease": lease.key, "fence": lease.fence, "limit": limit}
        rows = await self._graph.run("change/number", params)
        return int(rows[0]["numbered"]) if rows else 0

    async def waiting(self) -> int:
        """How many changes have no number yet."""
        [row] = await self._graph.run("change/waiting")
        return int(row["waiting"])
