"""The command ``graphmem``: its commands, and how every failure becomes one line and an exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import graphmem
from graphmem.bench import commands as bench
from graphmem.cli import exporting, finding, importing, lifecycle, memories, tour, upkeep
from graphmem.cli.exits import INTERRUPTED, REFUSED, exit_code
from graphmem.cli.screen import harmless, note, use_utf8
from graphmem.errors import GraphMemError

HELP = (
    "A memory service for AI agents and the people who run them. Commands talk to the running service and "
    "start it when it is the local one; status, down and doctor start nothing. GRAPHMEM_URL and "
    "GRAPHMEM_TOKEN name a service elsewhere."
)

app = typer.Typer(
    name="graphmem",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
for family in (lifecycle, upkeep, memories, finding, importing, exporting, tour):
    app.registered_commands += family.commands.registered_commands
    app.registered_groups += family.commands.registered_groups
app.add_typer(bench.app, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"graphmem {graphmem.__version__}")
        raise typer.Exit


@app.callback(help=HELP)
def _graphmem(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """What is said before a command."""


def main() -> None:
    """Run the command line of this process and end it with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """The exit code of one command; a failure is one line on stderr, and a document with ``--json``."""
    use_utf8()
    try:
        ended = typer.main.get_command(app).main(list(arguments), "graphmem", standalone_mode=False)
    except GraphMemError as error:
        return _failed(arguments, str(error), error.extensions(), exit_code(error))
    except typer.TyperException as error:
        return _failed(arguments, error.format_message(), {"code": "INVALID_INPUT"}, REFUSED)
    except (typer.Abort, KeyboardInterrupt):
        note("interrupted")
        return INTERRUPTED
    return ended if isinstance(ended, int) else 0


def _failed(arguments: Sequence[str], message: str, extensions: dict[str, object], code: int) -> int:
    """Say why; in a document on stdout as well, where one was asked for."""
    if wants_json(arguments):
        document = {"error": {"message": message} | extensions}
        sys.stdout.write(harmless(json.dumps(document, ensure_ascii=False)) + "\n")
    if message:
        note(f"error: {message}")
    return code


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether ``--json`` is among the options, even where the rest of the line cannot be read."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options
