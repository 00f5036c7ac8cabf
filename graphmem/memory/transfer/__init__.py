"""The lines of an export: what they hold, how they are written and read. Pure."""

from graphmem.memory.transfer.documents import document_of, line_of
from graphmem.memory.transfer.reading import read_line
from graphmem.memory.transfer.records import (
    AuditRecord,
    Header,
    MemoryRecord,
    PathRecord,
    Record,
    Supersedes,
    TombstoneRecord,
)

__all__ = [
    "AuditRecord",
    "Header",
    "MemoryRecord",
    "PathRecord",
    "Record",
    "Supersedes",
    "TombstoneRecord",
    "document_of",
    "line_of",
    "read_line",
]
