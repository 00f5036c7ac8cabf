"""How long work tells a person how far it is; what draws it belongs to the command line."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """One bar. Calls come from several threads, never two at a time."""

    def message(self, text: str) -> None:
        """What begins now, in a few words; how much it is, is not known until ``total``."""

    def total(self, amount: int) -> None:
        """How many bytes have to be done; none of them is."""

    def advance(self, amount: int) -> None:
        """So many bytes more are done; negative when a part has to be done again."""


class Quiet:
    """A progress that nobody watches."""

    def message(self, text: str) -> None:
        """Ignored."""

    def total(self, amount: int) -> None:
        """Ignored."""

    def advance(self, amount: int) -> None:
        """Ignored."""
