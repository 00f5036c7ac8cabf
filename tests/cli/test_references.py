"""The reference pages say what the code says: every command, option, exit code and setting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic_core import PydanticUndefined

from graphmem.cli.exits import EXIT_CODES
from graphmem.cli.main import app
from graphmem.cli.memories import cat
from graphmem.settings import Settings

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
CLI = (REFERENCE / "cli.md").read_text(encoding="utf-8")
SETTINGS = (REFERENCE / "settings.md").read_text(encoding="utf-8")


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every command with its words and the names of its visible parameters as a person types them."""
    waiting: list[tuple[str, Any]] = [("graphmem", typer.main.get_command(app))]
    while waiting:
        words, command = waiting.pop()
        if inner := getattr(command, "commands", None):
            waiting += [(f"{words} {name}", each) for name, each in inner.items()]
            continue
        shown = [each for each in command.params if not getattr(each, "hidden", False)]
        options = [option for each in shown for option in each.opts if option.startswith("--")]
        yield words, [option for option in options if option != "--help"]


COMMANDS = dict(commands())


def section(words: str) -> str:
    """The part of the page under the heading of a command."""
    found = re.search(rf"^### `{re.escape(words)}[ `].*?(?=^##|\Z)", CLI, re.MULTILINE | re.DOTALL)
    assert found, f"docs/reference/cli.md has no heading '### `{words} …`'"
    return found[0]


@pytest.mark.parametrize("words", sorted(COMMANDS))
def test_every_command_is_explained_with_every_option(words: str) -> None:
    said = set(re.findall(r"--[a-z-]+", section(words)))

    assert set(COMMANDS[words]) <= said
    assert "--json" in COMMANDS[words]


def test_no_command_is_explained_that_does_not_exist() -> None:
    headings = re.findall(r"^### `(graphmem[^`<\[A-Z-]*)", CLI, re.MULTILINE)

    assert {heading.strip() for heading in headings} == set(COMMANDS)


def test_every_error_code_is_listed_with_its_exit_code() -> None:
    listed = dict(re.findall(r"^\| (\d+) \| (.*) \|$", CLI, re.MULTILINE))

    for code, number in EXIT_CODES.items():
        assert f"`{code}`" in listed[str(number)], code


def test_every_setting_is_in_the_table_with_its_default_and_meaning() -> None:
    listed = re.findall(r"^\| `(GRAPHMEM_\w+)` \| (.*?) \| (.*) \|$", SETTINGS, re.MULTILINE)

    assert listed == [row(name) for name in Settings.model_fields]


def row(name: str) -> tuple[str, str, str]:
    """The row of a setting: variable, default, meaning."""
    field = Settings.model_fields[name]
    match field.default:
        case value if value is PydanticUndefined:
            default = "the platform's folder"
        case None:
            default = "unset"
        case tuple() as words:
            default = "`[" + ", ".join(f'"{word}"' for word in words) + "]`"
        case value:
            default = f"`{str(value).lower() if isinstance(value, bool) else value}`"
    return f"GRAPHMEM_{name.upper()}", default, field.description or ""


def test_cat_tells_the_order_in_which_the_service_answers() -> None:
    schema = (REFERENCE.parents[1] / "schema" / "graphmem.graphql").read_text(encoding="utf-8")

    assert '"""The memories at this very path, oldest first."""' in schema
    assert "oldest first" in section("graphmem cat")
    assert "oldest first" in (cat.__doc__ or "")
