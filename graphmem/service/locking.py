"""What a transaction of writes locks before it decides anything.

Always in the same order (heads, chains, holders of identity keys, each by id), so that writers seldom wait in
a circle; where they do, Neo4j ends one of them and it is tried again.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.graph.transactions import Tx
from graphmem.graph.write_store import WriteStore
from graphmem.memory.commands import ForgetMemory, NewDrawer, NewFact, Unset, UpdateMemory
from graphmem.memory.drafts import identity_key
from graphmem.memory.model import Fact, Memory
from graphmem.memory.revising import wanted_keys
from graphmem.memory.versions import Versions
from graphmem.memory.writes import Intent


async def locked(store: WriteStore, tx: Tx, intents: Sequence[Intent]) -> Versions:
    """The versions that the intents may touch: heads, whole chains where needed, key holders."""
    ids = {i.command.id for i in intents if not isinstance(i.command, NewFact | NewDrawer)}
    heads, chains = await store.lock_heads(tx, ids)
    by_chain = {head.chain_id: head for head in heads}
    whole = {chains[id] for id in map(_needs_chain, intents) if id is not None and id in chains}
    versions = {v.id: v for v in (*heads, *await store.lock_chains(tx, whole))}
    facts: set[str] = set()
    drawers: set[str] = set()
    for intent in intents:
        for like, key in _keys_of(intent, chains, by_chain):
            (facts if isinstance(like, Fact) else drawers).add(key)
    versions |= {v.id: v for v in await store.lock_holders(tx, facts, drawers)}
    return Versions(versions.values(), chains)


def _keys_of(intent: Intent, chains: dict[str, str], heads: dict[str, Memory]) -> list[tuple[Memory, str]]:
    """The identity keys that an intent may need, each with a memory of its shape."""
    if isinstance(intent.command, NewFact | NewDrawer):
        return [] if intent.draft is None else [(intent.draft, identity_key(intent.draft))]
    head = heads.get(chains.get(intent.command.id, ""))
    return [] if head is None else [(head, key) for key in wanted_keys(intent.command, head)]


def _needs_chain(intent: Intent) -> str | None:
    """The id whose whole chain the command touches, when it does."""
    match intent.command:
        case ForgetMemory(id=id, purge=True):
            return id
        case UpdateMemory(id=id, path=path, tags=tags):
            return None if isinstance(path, Unset) and isinstance(tags, Unset) else id
        case _:
            return None
