"""What tests of the command line with a real service share: notes to import, and lines to wait for."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.homes import LIMIT_SECONDS, Home, ended_home

LIMIT_S = LIMIT_SECONDS

NOTES = {
    "index.md": "# Index\n\nWhere things are.\n\n## Watering\n\nThe ferns want water on Mondays. [[Tools]]\n",
    "garden/tools.md": "---\naliases: [Tools]\ntags: [garden]\n---\n# Tools\n\nThe spade is in the shed.\n",
}


def written_notes(folder: Path) -> Path:
    """The folder with the notes in it."""
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def lines_until(process: subprocess.Popen[str], last: str) -> list[str]:
    """What the process prints up to and with the line ``last``; fails when it ends before."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line == last:
            return lines
    raise AssertionError(f"it ended after {''.join(lines)!r}: {process.communicate()[1]}")


__all__ = ["LIMIT_S", "Home", "ended_home", "lines_until", "written_notes"]
