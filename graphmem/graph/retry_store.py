"""Retry keys as Neo4j keeps them: claimed first, filled last or given back, and forgotten after days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.client import GraphClient
from graphmem.graph.transactions import Tx
from graphmem.memory.model import WriteAction


@dataclass(frozen=True, slots=True)
class Claim:
    """What became of a retry key: claimed now, or filled by an earlier request."""

    key: str
    fresh: bool
    input_hash: str | None
    action: WriteAction | None
    memory_id: str | None
    reason: str | None

    @property
    def filled(self) -> bool:
        """Whether an earlier request left its outcome under the key."""
        return not self.fresh and self.action is not None


class RetryStore:
    """``IdempotencyRecord`` nodes."""

    def __init__(self, graph: GraphClient) -> None:
        self._graph = graph

    async def forget(self, before: datetime, limit: int) -> int:
        """Forgets at most ``limit`` keys that were claimed before an instant; how many it was."""
        [row] = await self._graph.run("write/forget_keys", {"before": before, "limit": limit})
        return int(row["forgotten"])

    async def claim_keys(
        self, tx: Tx, hashes: Mapping[str, str], claim: str, now: datetime
    ) -> dict[str, Claim]:
        """Claims retry keys (key to input hash); under each key what was found."""
        if not hashes:
            return {}
        given = [{"key": key, "input_hash": hashes[key]} for key in sorted(hashes)]
        rows = await tx.run("write/claim_keys", {"rows": given, "claim": claim, "at": now})
        return {
            row["key"]: Claim(
                key=row["key"],
                fresh=row["fresh"] is True,
                input_hash=row["input_hash"],
                action=None if row["action"] is None else WriteAction(row["action"]),
                memory_id=row["memory_id"],
                reason=row["reason"],
            )
            for row in rows
        }

    async def settle_keys(self, tx: Tx, settled: Sequence[Claim], dropped: Sequence[str]) -> None:
        """Fills claimed records with their outcome, and takes back those of refused commands."""
        if settled:
            rows = [
                {
                    "key": one.key,
                    "action": one.action,
                    "memory_id": one.memory_id,
                    "reason": one.reason,
                    "purged": one.action is WriteAction.PURGED,
                    "input_hash": one.input_hash,
                }
                for one in settled
            ]
            await tx.run("write/settle_keys", {"rows": rows})
        if dropped:
            await tx.run("write/drop_keys", {"keys": list(dropped)})
