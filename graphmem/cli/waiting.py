"""Waiting until all that was written can be found by meaning: the backlog that ``status`` shows."""

from __future__ import annotations

import time

from graphmem.cli import operations
from graphmem.cli.client import ServiceClient
from graphmem.cli.progress import bar
from graphmem.cli.screen import note
from graphmem.errors import Unavailable

STILL_S = 120.0
"""Seconds without any progress after which waiting is given up."""

LOOK_EVERY_S = 0.25


def wait_until_searchable(client: ServiceClient, *, still_s: float = STILL_S) -> int:
    """Wait until no index work waits; the number of memories whose work failed and waits to be retried.

    A service without an embedder never does the work, so for that one nobody waits.

    Raises:
        Unavailable: The backlog stood still for ``still_s`` seconds; what was written is stored all the same.
    """
    backlog = client.ask(operations.BACKLOG)
    if backlog.embedder is None:
        note("the service has no embedder: everything is stored and found by words, not by meaning")
        return backlog.outbox_dead
    least = backlog.outbox_waiting
    moved = time.monotonic()
    with bar("making it searchable") as progress:
        progress.total(least)
        while backlog.outbox_waiting > 0:
            time.sleep(LOOK_EVERY_S)
            backlog = client.ask(operations.BACKLOG)
            if backlog.outbox_waiting < least:
                progress.advance(least - backlog.outbox_waiting)
                least, moved = backlog.outbox_waiting, time.monotonic()
            elif time.monotonic() - moved > still_s:
                raise Unavailable(_standing_still(backlog.outbox_waiting, backlog.degraded, still_s))
    return backlog.outbox_dead


def _standing_still(waiting: int, degraded: list[str], still_s: float) -> str:
    why = f" ({', '.join(degraded)})" if degraded else ""
    return (
        f"everything is stored, but {waiting:,} memories wait to be indexed and nothing moved for "
        f"{still_s:.0f} s{why}; "
        f"`graphmem status` shows the backlog, --no-wait does not wait for it"
    )
