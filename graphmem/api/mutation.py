"""The writes of the API; each checks its input and hands commands to the one service that writes."""

from __future__ import annotations

from collections.abc import Sequence

import strawberry

from graphmem.api.arguments import or_else
from graphmem.api.context import Info
from graphmem.api.fields import resolved
from graphmem.api.inputs import (
    AddDrawerInput,
    ForgetMemoryInput,
    ImportMarkdownInput,
    RestoreMemoryInput,
    StoreFactInput,
    SupersedeFactInput,
    UpdateMemoryInput,
    commands,
)
from graphmem.api.receipts import MarkdownReportType, ReceiptType
from graphmem.api.status_types import ReindexReportType
from graphmem.memory.commands import Command
from graphmem.memory.notes import MarkdownFile
from graphmem.service import markdown_import, reindexing, status, writing
from graphmem.service.platform import Limits


@strawberry.type
class Mutation:
    @resolved("Stores a fact; a live twin is merged instead.")
    async def store_fact(self, info: Info, input: StoreFactInput) -> ReceiptType:
        return await _one(info, input.command(_limits(info)))

    @resolved("Stores up to 1,000 facts in one transaction; a bad row refuses them all.")
    async def store_facts(self, info: Info, input: list[StoreFactInput]) -> list[ReceiptType]:
        return await _all(info, commands(input, lambda row: row.command(_limits(info))))

    @resolved("Files verbatim text in a room; wing and room come into being as needed.")
    async def add_drawer(self, info: Info, input: AddDrawerInput) -> ReceiptType:
        return await _one(info, input.command(_limits(info)))

    @resolved("Files up to 1,000 texts in one transaction; a bad row refuses them all.")
    async def add_drawers(self, info: Info, input: list[AddDrawerInput]) -> list[ReceiptType]:
        return await _all(info, commands(input, lambda row: row.command(_limits(info))))

    @resolved("Puts a new text in the place of a fact; the old one stays in the history.")
    async def supersede_fact(self, info: Info, input: SupersedeFactInput) -> ReceiptType:
        return await _one(info, input.command(_limits(info)))

    @resolved("Changes a memory.")
    async def update_memory(self, info: Info, input: UpdateMemoryInput) -> ReceiptType:
        return await _one(info, input.command(_limits(info)))

    @resolved("Deletes a memory and its chain.")
    async def forget_memory(self, info: Info, input: ForgetMemoryInput) -> ReceiptType:
        return await _one(info, input.command())

    @resolved("Brings a deleted memory back.")
    async def restore_memory(self, info: Info, input: RestoreMemoryInput) -> ReceiptType:
        return await _one(info, input.command())

    @resolved("Files Markdown files as drawers, one a section; again changes nothing.")
    async def import_markdown(self, info: Info, input: ImportMarkdownInput) -> MarkdownReportType:
        report = await markdown_import.import_markdown(
            info.context.caller,
            input.wing,
            [MarkdownFile(file.path, file.text) for file in input.files],
            gone_files=or_else(input.gone_files, []),
            prune=or_else(input.prune, False),
            complete=or_else(input.complete, True),
        )
        return MarkdownReportType(stored=report)

    @resolved("Builds all vectors anew and switches to them; searches go on. Takes as long as it takes.")
    async def reindex(self, info: Info) -> ReindexReportType:
        status.require_operator(info.context.caller, "reindex")
        info.context.deadline.lift()
        return ReindexReportType(stored=await reindexing.reindex(info.context.caller))

    @resolved("Tries all dead letters again; answers how many there were.")
    async def retry_dead_letters(self, info: Info) -> int:
        return await status.retry_dead_letters(info.context.caller)


def _limits(info: Info) -> Limits:
    return info.context.caller.platform.limits


async def _one(info: Info, command: Command) -> ReceiptType:
    return (await _all(info, [command]))[0]


async def _all(info: Info, given: Sequence[Command]) -> list[ReceiptType]:
    receipts = await writing.write(info.context.caller, given)
    info.context.loaders.forget()
    info.context.loaders.remember(receipt.memory for receipt in receipts if receipt.memory is not None)
    return [ReceiptType(stored=receipt) for receipt in receipts]
