"""Markdown files as sections, and how they meet the sections of an earlier import. Pure."""

from graphmem.memory.notes.model import FailedFile, MarkdownFile, Note, Section
from graphmem.memory.notes.parsing import parse_note

__all__ = ["FailedFile", "MarkdownFile", "Note", "Section", "parse_note"]
