"""What people are told of the engine that holds the vectors: by the setting alone, nothing is asked."""

from __future__ import annotations

from importlib.metadata import version
from urllib.parse import urlsplit


def engine_name(server_url: str | None) -> str:
    """The server's host, or the embedded engine and its version where no URL is set; never a secret."""
    if server_url is None:
        return f"embedded Qdrant Edge {version('qdrant-edge-py')}"
    return f"Qdrant server {urlsplit(server_url).hostname}"
