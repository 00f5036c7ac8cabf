"""A real service for tests of the command line: a home of its own, and the command as a program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from graphmem.settings import Settings
from tests.cli.conftest import Ended

LIMIT_S = 600.0
"""Seconds that one command may take on a machine that has much else to do."""

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


class Home:
    """One home, and the command as a program of its own."""

    def __init__(self, path: Path, cache: Path) -> None:
        self.path = path
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
        own = {"GRAPHMEM_HOME": str(path), "GRAPHMEM_CACHE": str(cache), "GRAPHMEM_EMBEDDER": "hash"}
        self.environment = kept | own

    def start(self, *arguments: str, **more: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "graphmem", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return subprocess.Popen(command, env=self.environment, text=True, **(pipes | more))

    def run(self, *arguments: str) -> Ended:
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=LIMIT_S)
        return Ended(process.returncode, out, err)

    def ok(self, *arguments: str) -> dict[str, Any]:
        """The document of a command that has to end well."""
        ended = self.run(*arguments, "--json")
        assert ended.code == 0, ended.out + ended.err
        return ended.document

    def processes(self) -> list[psutil.Process]:
        """Whatever on this machine has this home on its command line or in its environment."""
        return [
            process for process in psutil.process_iter() if process.pid != os.getpid() and self._mine(process)
        ]

    def _mine(self, process: psutil.Process) -> bool:
        try:
            return str(self.path) in " ".join((*process.cmdline(), *process.environ().values()))
        except psutil.Error:
            return False


def lines_until(process: subprocess.Popen[str], last: str) -> list[str]:
    """What the process prints up to and with the line ``last``; fails when it ends before."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line == last:
            return lines
    raise AssertionError(f"it ended after {''.join(lines)!r}: {process.communicate()[1]}")


def ended_home(path: Path) -> Iterator[Home]:
    home = Home(path, Settings().cache)
    yield home
    home.run("down")
    left = home.processes()
    for process in left:
        process.kill()
    assert left == [], "processes were left behind"
