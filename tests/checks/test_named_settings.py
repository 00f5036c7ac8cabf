"""Code, messages and documentation name no variable that is not a setting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from graphmem.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
VARIABLES = {f"GRAPHMEM_{name.upper()}" for name in Settings.model_fields}
NAMED = re.compile(r"GRAPHMEM_[A-Z0-9_]+")


def texts() -> Iterator[Path]:
    """Every source file of the package and every page."""
    yield from (ROOT / "graphmem").rglob("*.py")
    yield from (ROOT / "docs").rglob("*.md")
    yield from (ROOT / "README.md", ROOT / "Makefile")


def is_known(name: str) -> bool:
    """A setting, or the common beginning of some."""
    return name in VARIABLES or (name.endswith("_") and any(each.startswith(name) for each in VARIABLES))


def test_every_variable_that_is_named_is_one_of_the_settings() -> None:
    named = {
        (name, path.relative_to(ROOT).as_posix())
        for path in texts()
        for name in NAMED.findall(path.read_text(encoding="utf-8"))
    }

    assert {name for name, _ in named} >= VARIABLES
    assert sorted(each for each in named if not is_known(each[0])) == []
