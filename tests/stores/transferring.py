"""Lines out of a store and into one, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from graphmem.memory.commands import ForgetMemory, NewFact, RestoreMemory, SupersedeFact, UpdateMemory
from graphmem.memory.model import Kind
from graphmem.memory.notes import MarkdownFile
from graphmem.memory.transfer import line_of
from graphmem.service.exporting import export
from graphmem.service.importing import ImportReport, import_lines
from graphmem.service.markdown_import import import_markdown
from graphmem.service.platform import Caller
from graphmem.service.seeding import seed
from graphmem.service.writing import write

NOTES = [
    MarkdownFile("Plan.md", "---\naliases: [P]\n---\nOne.\r\n# Dig\n`[[no]]` [[Trees]]\n"),
    MarkdownFile("In/Trees.md", "Oak."),
]
HEADER = '{"format":1,"type":"graphmem"}\n'

Another = Callable[[], Awaitable[Caller]]
"""Empties the graph and opens a new platform over it; its caller."""


async def exported(caller: Caller) -> list[str]:
    """The lines of the store."""
    return [line_of(document) async for document in export(caller)]


async def imported(caller: Caller, lines: Iterable[str]) -> ImportReport:
    async def stream() -> AsyncIterator[bytes]:
        for line in lines:
            yield line.removesuffix("\n").encode()

    return await import_lines(caller, stream())


async def store(caller: Caller, path: str, content: str, **more: Any) -> str:
    receipt = (await write(caller, [NewFact(path=path, content=content, **more)]))[0]
    assert receipt.memory_id is not None
    return receipt.memory_id


async def filled(caller: Caller) -> dict[str, str]:
    """A store with some of everything; ids by name."""
    await seed(caller)
    ada = replace(caller, subject="ada")
    now = caller.now()
    chain = await store(caller, "/projects/acme", "Ports are 80.", kind=Kind.DECISION, keywords=("port",))
    receipt = (await write(ada, [SupersedeFact(id=chain, content="Ports are 8420.", reason="moved")]))[0]
    assert receipt.memory_id is not None
    await write(caller, [UpdateMemory(id=receipt.memory_id, keywords=("ports", "Net"), importance=0.25)])
    deleted = await store(ada, "/projects/acme", "Gone – for now 🜁.", tags=("team=blue",))
    await write(ada, [ForgetMemory(id=deleted, reason="wrong")])
    back = await store(caller, "/projects/beta", "Back again. [[/projects/acme]]")
    await write(caller, [ForgetMemory(id=back)])
    await write(caller, [RestoreMemory(id=back)])
    purged = await store(caller, "/projects/beta", "A secret.")
    await write(caller, [ForgetMemory(id=purged, purge=True)])
    await store(
        caller,
        "/projects/beta",
        "Only next year.",
        valid_from=now + timedelta(days=300),
        valid_to=now + timedelta(days=600),
        expires_at=now + timedelta(days=900),
    )
    await store(caller, "/projects/beta", "Said twice.")
    await store(caller, "/projects/beta", "said  TWICE.", kind=Kind.LESSON)
    await import_markdown(caller, "Gärten & Co", NOTES)
    return {"chain": chain, "deleted": deleted, "back": back, "purged": purged}
