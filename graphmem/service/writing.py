"""Writing memories: every command of every edge comes through here, and is answered with a receipt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from graphmem.errors import LimitExceeded
from graphmem.graph.retry_store import Claim
from graphmem.memory.commands import Command, NewDrawer, NewFact
from graphmem.memory.drafts import draft_of
from graphmem.memory.keys import idempotency_key, input_hash
from graphmem.memory.limits import BATCH
from graphmem.memory.model import Memory, Receipt, WriteAction
from graphmem.memory.writes import Intent, Outcome
from graphmem.service.group_commit import Keyed
from graphmem.service.platform import Caller

AT_ONCE = 25
"""Commands that are drafted before others get a turn: about two milliseconds."""


async def write(caller: Caller, commands: Sequence[Command]) -> list[Receipt]:
    """Stores the commands together, all or none; one receipt a command, in order, after the commit.

    Raises:
        LimitExceeded: More commands than a batch may hold.
        NotFound, Forbidden, Conflict: The first refused command; of several, its index is named.
        Unavailable: The store does not answer.
    """
    if len(commands) > BATCH:
        raise LimitExceeded(f"input has {len(commands)} items, the limit is {BATCH}", limit=BATCH)
    if not commands:
        return []
    keyed: list[Keyed] = []
    for command in commands:
        if keyed and not len(keyed) % AT_ONCE:
            await asyncio.sleep(0)
        keyed.append(_keyed(caller, command))
    answers = await caller.platform.writer.submit(keyed)
    replayed = [answer for answer in answers if isinstance(answer, Claim)]
    memories = await _reread(caller, replayed) if replayed else {}
    return [
        _replayed_receipt(answer, memories) if isinstance(answer, Claim) else _receipt(answer)
        for answer in answers
    ]


def _keyed(caller: Caller, command: Command) -> Keyed:
    """The command as an intent, drafted before the transaction, with its retry key."""
    draft = None
    if isinstance(command, NewFact | NewDrawer):
        draft = draft_of(command, subject=caller.subject, now=caller.now())
    intent = Intent(command, caller.subject, caller, draft)
    if command.idempotency_key is None:
        return Keyed(intent)
    key = idempotency_key(caller.subject, command.idempotency_key)
    return Keyed(intent, key, input_hash(replace(command, idempotency_key=None)))


async def _reread(caller: Caller, claims: Sequence[Claim]) -> dict[str, Memory]:
    """The memories of earlier receipts as the caller may see them today."""
    ids = {claim.memory_id for claim in claims if claim.memory_id is not None}
    return await caller.platform.stores.memories.heads(ids, caller.visible())


def _receipt(outcome: Outcome) -> Receipt:
    memory = outcome.memory if outcome.readable else None
    return Receipt(
        action=outcome.action,
        memory_id=outcome.memory_id if outcome.readable else None,
        memory=memory,
        reason=outcome.reason,
        indexed=memory is not None and memory.indexed_revision >= memory.revision,
    )


def _replayed_receipt(claim: Claim, memories: dict[str, Memory]) -> Receipt:
    memory = memories.get(claim.memory_id or "")
    return Receipt(
        action=claim.action or WriteAction.UNCHANGED,
        memory_id=claim.memory_id if memory is not None or claim.action is WriteAction.PURGED else None,
        memory=memory,
        reason=claim.reason,
        indexed=memory is not None and memory.indexed_revision >= memory.revision,
    )
