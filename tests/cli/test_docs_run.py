"""Every command in the README and in docs/ is run, page by page, on a store of its own.

A fenced block `sh` is run by bash, in order, in one folder a page; a block `text` behind it must stand in
what it printed, line by line. A word behind `sh` says why a block is not run here; they are listed below.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphmem.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_RUN = {
    "make": "make runs the suite that this test is part of; `make run` is tried by tests/cli/test_tour.py",
    "containers": "needs a container engine; tests/containers tries it where one answers",
    "elsewhere": "talks to a server that the reader has, or changes the reader's machine",
}
BLOCK = re.compile(r"^( *)```(\w+)(?: (\w+))?\n(.*?)^\1```$", re.M | re.S)
LIMIT_SECONDS = 240


@dataclass(frozen=True, slots=True)
class Block:
    """A command block of a page, and the lines that it must print."""

    line: int
    text: str
    expected: tuple[str, ...]


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page that are run, in order."""
    source = page.read_text(encoding="utf-8")
    found = list(BLOCK.finditer(source))
    blocks = []
    for at, block in enumerate(found):
        if block[2] not in ("sh", "bash", "console") or block[3] is not None:
            continue
        after = found[at + 1] if at + 1 < len(found) else None
        expected = after[4].split("\n") if after is not None and after[2] == "text" else []
        line = source.count("\n", 0, block.start()) + 1
        blocks.append(Block(line, block[4], tuple(part.strip() for part in expected if part.strip())))
    return blocks


RUN_PAGES = [page for page in PAGES if blocks_of(page)]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a reader: the command on the PATH, a home of their own."""
    home = tmp_path_factory.mktemp("reader")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GRAPHMEM_")}
    environment = kept | {
        "GRAPHMEM_HOME": str(home / "graphmem"),
        "GRAPHMEM_CACHE": str(Settings().cache),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}",
    }
    yield environment
    subprocess.run(["graphmem", "down"], env=environment, check=False, capture_output=True, timeout=60)


@pytest.mark.stores
@pytest.mark.timeout(900)
@pytest.mark.parametrize("page", RUN_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_the_page_runs(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    script = "set -euo pipefail\n"
    for block in blocks_of(page):
        mark = f"--- line {block.line} ---"
        run = subprocess.run(
            ["bash", "-c", f"{script}\necho '{mark}'\n{block.text}"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert run.returncode == 0, f"{page.name}:{block.line}\n{run.stdout}\n{run.stderr}"
        printed = run.stdout.partition(mark)[2]
        missing = [line for line in block.expected if line not in printed]
        assert missing == [], f"{page.name}:{block.line} printed\n{printed}"
        script += variables_of(block.text)


def variables_of(text: str) -> str:
    """The assignments of a block, which later blocks of the page may use."""
    return "".join(f"{line}\n" for line in text.split("\n") if re.match(r"[A-Z_]+=", line))


def test_a_block_that_is_not_run_says_a_known_reason() -> None:
    reasons = {
        block[3] for page in PAGES for block in BLOCK.finditer(page.read_text(encoding="utf-8")) if block[3]
    }

    assert reasons <= NOT_RUN.keys()


def test_the_readme_has_commands_to_run() -> None:
    assert len(blocks_of(ROOT / "README.md")) >= 4
