"""Homes for tests that run the command as a program of its own, with a real service behind it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from graphmem.settings import Settings

LIMIT_SECONDS = 600.0


def hear_ctrl_c() -> None:
    """Lets a new process hear Ctrl-C, even where a shell has it ignored: of tests in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """Stdout as the one JSON document that it has to be."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


class Home:
    """One home, and the command as a program of its own."""

    def __init__(self, path: Path, cache: Path) -> None:
        self.path = path
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
        own = {"GRAPHMEM_HOME": str(path), "GRAPHMEM_CACHE": str(cache), "GRAPHMEM_EMBEDDER": "hash"}
        self.environment = kept | own

    def start(self, *arguments: str, **more: Any) -> subprocess.Popen[str]:
        """The command, running."""
        command = [sys.executable, "-m", "graphmem", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return subprocess.Popen(
            command, env=self.environment, text=True, preexec_fn=hear_ctrl_c, **(pipes | more)
        )

    def run(self, *arguments: str) -> Ended:
        """The command, ended."""
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=LIMIT_SECONDS)
        return Ended(process.returncode, out, err)

    def ok(self, *arguments: str) -> dict[str, Any]:
        """The document of a command that has to end well."""
        ended = self.run(*arguments, "--json")
        assert ended.code == 0, ended.out + ended.err
        return ended.document

    def address(self) -> tuple[str, str]:
        """The URL of GraphQL and the token, as the files of the home have them now.

        Raises:
            OSError: No service has written them.
        """
        record = json.loads((self.path / "service.json").read_text(encoding="utf-8"))
        return record["url"], (self.path / "token").read_text(encoding="utf-8").strip()

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


def ended_home(path: Path) -> Iterator[Home]:
    """A home that is ended afterwards; fails when a process of it is left."""
    home = Home(path, Settings().cache)
    yield home
    home.run("down")
    left = home.processes()
    for process in left:
        process.kill()
    assert left == [], "processes were left behind"
