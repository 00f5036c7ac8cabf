"""What a new store says of itself: the facts under ``/memory``, so that who reads them can use the rest."""

from __future__ import annotations

from graphmem.memory.commands import NewFact
from graphmem.memory.fields import SEED_SOURCE
from graphmem.service.platform import Caller
from graphmem.service.writing import write

SEEDED_KEY = "seeded"

FACTS = (
    ("/memory", "This memory is a tree of paths. A path holds structure only; text about it is a fact."),
    (
        "/memory/facts",
        "A fact is one small statement. To correct it, supersede it; history stays readable.",
    ),
    ("/memory/facts", "Search before you store. The same text at the same path is merged, not doubled."),
    (
        "/memory/drawers",
        "A drawer is verbatim text in a room, at /palace/<wing>/<room>, with its source.",
    ),
    (
        "/memory/links",
        "Write [[/path]] or [[title]] in a text to link it; links resolve when shown.",
    ),
    ("/memory/strength", "Signal strength falls with time; a recall lifts it, most when it was almost lost."),
    ("/memory/receipts", "Every write answers with a receipt: what was stored, merged or skipped, and why."),
)


async def seed(caller: Caller) -> None:
    """Stores the facts about the memory itself, once in the life of a store."""
    meta = caller.platform.stores.meta
    if await meta.get(SEEDED_KEY):
        return
    facts = [
        NewFact(path=path, content=text, tags=("visibility=public",), sources=(SEED_SOURCE,))
        for path, text in FACTS
    ]
    await write(caller, facts)
    await meta.put({SEEDED_KEY: caller.now().isoformat()})
