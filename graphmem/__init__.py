"""GraphMem: a memory service for AI agents and the people who run them."""

from importlib.metadata import version

__version__ = version("graphmem")
__all__ = ["__version__"]
