"""Where a command writes: its answer to stdout, everything else to stderr.

With ``--json`` stdout is one JSON document. Without it a terminal gets tables and colours, and a pipe gets
plain lines with tabs between fields. What is shown of a memory never drives the terminal: control characters
are written out. What a command has to say is its own business.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

_SHOWN_BREAKS = {ord("\n"): " ", ord("\t"): " ", ord("\r"): " "}
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in (9, 10)}
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def use_utf8() -> None:
    """Make both streams write UTF-8 whatever the locale says; on stderr odd characters are escaped."""
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def harmless(text: str) -> str:
    """The text with control and direction characters written out; tabs and line ends stay."""
    return _encodable(text.translate(_CONTROLS | _DIRECTIONS))


def one_line(text: str, limit: int | None = None) -> str:
    """The text on one line, harmless, and cut with ``…`` after ``limit`` characters."""
    flat = harmless(" ".join(text.translate(_SHOWN_BREAKS).split()))
    return flat if limit is None or len(flat) <= limit else flat[: limit - 1] + "…"


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def note(message: str) -> None:
    """One line for the person, on stderr."""
    print(one_line(message), file=sys.stderr, flush=True)


class Screen:
    """The stdout of one command."""

    def __init__(self, as_json: bool, stream: TextIO | None = None) -> None:
        self.as_json = as_json
        self._stream = sys.stdout if stream is None else stream
        self.pretty = not as_json and self._stream.isatty()
        self._console = Console(file=self._stream, highlight=False)

    def answer(self, document: Mapping[str, object], human: Callable[[Screen], None]) -> None:
        """Write the answer: ``document`` with ``--json``, else what ``human`` writes."""
        if self.as_json:
            self.raw(_encodable(json.dumps(document, ensure_ascii=False, indent=2)))
        else:
            human(self)

    def raw(self, line: str) -> None:
        """One line exactly as it is, never wrapped: for what is copied and pasted."""
        self._stream.write(line + "\n")
        self._stream.flush()

    def line(self, text: str, style: str = "") -> None:
        """Text of one or more lines, harmless; the style shows on a terminal only."""
        self._console.print(Text(harmless(text), style=style if self.pretty else ""), soft_wrap=True)

    def fields(self, rows: Iterable[tuple[str, object]]) -> None:
        """Names and values, one pair a line; a value of None is left out."""
        present = [(name, str(value)) for name, value in rows if value is not None]
        width = max((len(name) for name, _ in present), default=0)
        for name, value in present:
            if self.pretty:
                row = Text.assemble((name.ljust(width + 2), "dim"), harmless(value))
                self._console.print(row, soft_wrap=True)
            else:
                self.raw(f"{name}\t{one_line(value)}")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Rows under headings on a terminal; tab-separated lines without headings in a pipe."""
        if not self.pretty:
            for row in rows:
                self.raw("\t".join(one_line(str(cell)) for cell in row))
            return
        table = Table(box=None, header_style="bold", pad_edge=False)
        for name in columns:
            # An id is there to be copied, so it is never cut.
            whole = name == "id"
            table.add_column(name, no_wrap=whole, min_width=36 if whole else None, overflow="fold")
        for row in rows:
            table.add_row(*(Text(harmless(str(cell))) for cell in row))
        self._console.print(table)
