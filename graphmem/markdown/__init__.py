"""Markdown on disk: folders read for an import. What texts mean is in ``graphmem.memory.notes``."""
