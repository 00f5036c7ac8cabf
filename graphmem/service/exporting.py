"""Exporting everything as JSON values: one a line, sorted by kind and id, so that equal stores export alike.

Read page by page, so a store may be written to meanwhile. What was changed while the pages were read follows
behind them, as a whole chain each: of two lines with one id the later one holds.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import islice

from graphmem.graph.transfer_store import TransferStore
from graphmem.memory.ids import first_id_at
from graphmem.memory.transfer import Header, document_of
from graphmem.memory.transfer.records import FORMAT
from graphmem.service.platform import Caller
from graphmem.service.status import require_operator

LONGEST_WRITE = timedelta(seconds=60)
"""A change is visible this long after its instant at the latest, clocks that differ included."""

CHAINS = 500
"""Chains of one page of those that changed meanwhile."""


async def export(caller: Caller) -> AsyncIterator[dict[str, object]]:
    """The header, then paths, versions, audit records and tombstones.

    Without: what a new store says of itself and nobody touched, rules, tokens, changes, retry keys, index
    work, and the audit of imports.

    Raises:
        NotFound: The caller is no admin of everything.
        Unavailable: The store does not answer.
    """
    require_operator(caller, "export")
    store = TransferStore(caller.platform.graph)
    rule = caller.visible()
    begin = caller.now()
    since = first_id_at(begin - LONGEST_WRITE)
    before = await store.changed_since(since)
    yield document_of(Header(FORMAT))
    async for path in store.paths(rule):
        yield document_of(path)
    async for version in store.versions(rule, until=begin):
        yield document_of(version)
    seen = await store.changed_since(since)
    late = iter(sorted({chain for id, chain in seen.items() if id not in before}))
    while chains := list(islice(late, CHAINS)):
        for version in await store.chains(chains, rule):
            yield document_of(version)
    async for audit in store.audits():
        if audit.id < since or audit.id in seen:
            yield document_of(audit)
    async for tombstone in store.tombstones():
        yield document_of(tombstone)
