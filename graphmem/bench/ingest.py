"""Storing memories for a benchmark: batches over HTTP, then the wait until all of them can be found.

Rates count what was stored from the first request until the index has nothing left to do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from more_itertools import constrained_batches

from graphmem.bench.client import BODY_BYTES, Client, Refused, body_bytes
from graphmem.bench.corpus import WING, Row
from graphmem.bench.documents import ADD_DRAWERS, STATUS
from graphmem.bench.load import Advance
from graphmem.errors import Unavailable

BATCH_ROWS = 200
"""Rows of one request: so many that requests cost little, so few that embedding starts early."""

ENVELOPE_BYTES = 1_024
"""Room in the body for the document and the punctuation around the rows."""

ATTEMPTS = 5
"""Times that a batch is sent: on a machine that is busy a request may take longer than the service allows."""

LOOK_S = 0.05
"""Seconds between two looks at the outbox; the error of the time until searchable."""

STUCK_S = 300.0
"""Seconds without any progress of the index after which a benchmark gives up."""


@dataclass(frozen=True, slots=True)
class Ingest:
    """What storing a corpus took.

    Attributes:
        row_of: Memory id to the row it was made of; a row names itself as its source, so no two are merged.
        acknowledged_s: Seconds until the last batch was acknowledged.
        searchable_s: Seconds until everything could be found by meaning.
    """

    row_of: Mapping[str, str]
    acknowledged_s: float
    searchable_s: float

    @property
    def per_s(self) -> float:
        """Rows a second, until searchable."""
        return len(self.row_of) / self.searchable_s


async def ingest(client: Client, rows: Sequence[Row], advance: Advance) -> Ingest:
    """Every row as a drawer of wing ``bench``, in the room of its group, searchable.

    Raises:
        Unavailable: The index does not get on, or gave up on some memories.
        Refused: The service refused a row.
    """
    begun = time.perf_counter()
    row_of: dict[str, str] = {}
    for batch in batches(rows):
        for row, memory in zip(batch, await _stored(client, batch), strict=True):
            row_of[memory] = row.id
        advance(len(batch))
    acknowledged = time.perf_counter() - begun
    await until_searchable(client)
    return Ingest(row_of, acknowledged, time.perf_counter() - begun)


async def _stored(client: Client, batch: Sequence[Row]) -> list[str]:
    """The memory of each row. A batch that the service gave up on is sent again; nothing is stored twice."""
    attempts = 1
    while True:
        try:
            data = await client.run(ADD_DRAWERS, {"input": [drawer(row) for row in batch]})
        except Refused as refused:
            if refused.code != Unavailable.code or attempts == ATTEMPTS:
                raise
            attempts += 1
        else:
            return [str(receipt["memoryId"]) for receipt in data["addDrawers"]]


async def until_searchable(client: Client) -> None:
    """Returns once the index holds everything that was acknowledged.

    Raises:
        Unavailable: It stands still, or gave up on some memories.
    """
    least, since = None, time.perf_counter()
    while True:
        status = (await client.run(STATUS, {}))["status"]
        waiting, dead = int(status["outboxWaiting"]), int(status["outboxDead"])
        if dead:
            raise Unavailable(f"the index gave up on {dead} memories; `graphmem status` lists them")
        if waiting == 0:
            return
        if least is None or waiting < least:
            least, since = waiting, time.perf_counter()
        if time.perf_counter() - since > STUCK_S:
            raise Unavailable(f"the index stands still with {waiting} memories waiting, for {STUCK_S:.0f} s")
        await asyncio.sleep(LOOK_S)


def drawer(row: Row) -> dict[str, object]:
    """The ``AddDrawerInput`` of a row."""
    value: dict[str, object] = {"wing": WING, "room": row.group, "content": row.content, "sourceFile": row.id}
    return value if row.title is None else value | {"title": row.title}


def batches(rows: Sequence[Row], most: int = BATCH_ROWS, body: int = BODY_BYTES) -> Iterator[tuple[Row, ...]]:
    """The rows in their order, at most ``most`` in a batch and each batch within one request's body."""
    room = body - body_bytes(ADD_DRAWERS, {"input": []}) - ENVELOPE_BYTES
    return constrained_batches(
        rows, room, most, get_len=lambda row: body_bytes("", drawer(row)), strict=False
    )
