"""Answers to writes: receipts, and the report of a Markdown import."""

from __future__ import annotations

import strawberry

from graphmem.api.context import Info
from graphmem.api.enums import WriteAction
from graphmem.api.fields import plain, resolved
from graphmem.api.memory_types import MemoryType, memory_type
from graphmem.memory.model import Receipt
from graphmem.memory.notes import FailedFile
from graphmem.service.markdown_import import MarkdownReport


@strawberry.type(name="Receipt", description="What a write did, and why.")
class ReceiptType:
    stored: strawberry.Private[Receipt]

    action: WriteAction = plain("What happened.")
    memory_id: strawberry.ID | None = plain("Id of the memory that stands now.")
    reason: str | None = plain("Why, where the action alone does not say it.")
    indexed: bool = plain("Whether search by meaning finds it already.")
    warnings: list[str] = plain("What the writer should know.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)

    @resolved("The memory as it stands now; null where the caller may not read it.")
    def memory(self) -> MemoryType | None:
        return None if self.stored.memory is None else memory_type(self.stored.memory)

    @resolved("Memories with almost the same words, best first; computed when selected.")
    async def similar(self, info: Info) -> list[MemoryType]:
        if self.stored.memory is None:
            return []
        found = await info.context.loaders.similar.load(self.stored.memory.id)
        info.context.loaders.remember(found)
        return [memory_type(memory) for memory in found]

    @resolved("Memories that contradict it; nothing records contradictions yet.")
    def conflicts(self) -> list[MemoryType]:
        return []


@strawberry.type(name="FailedFile", description="A file that could not be imported.")
class FailedFileType:
    stored: strawberry.Private[FailedFile]

    path: str = plain("The file.")
    reason: str = plain("What is wrong with it.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, name)


@strawberry.type(name="MarkdownReport", description="What an import of Markdown files did, in sections.")
class MarkdownReportType:
    stored: strawberry.Private[MarkdownReport]

    stored_count: int = plain("Sections that are new.", name="stored")
    superseded: int = plain("Sections whose text changed.")
    moved: int = plain("Sections whose place changed but not their text.")
    unchanged: int = plain("Sections that stand as they stood.")
    vanished: list[str] = plain("Sections that are in the store but no longer in the files.")
    pruned: int = plain("Vanished sections that were deleted.")
    warnings: list[str] = plain("What the caller should know.")

    def __getattr__(self, name: str) -> object:
        return getattr(self.stored, "stored" if name == "stored_count" else name)

    @resolved("Files that could not be imported; the others were.")
    def failed(self) -> list[FailedFileType]:
        return [FailedFileType(stored=file) for file in self.stored.failed]
