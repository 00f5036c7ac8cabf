"""The options that several commands share, said once."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

JsonFlag = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout; progress stays on stderr.")
]
First = Annotated[int, typer.Option("--first", "-n", help="How many to show, 1 to 100.")]
After = Annotated[str | None, typer.Option("--after", help="Go on after this cursor of the page before.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Why, for the history and the audit.")]
IdempotencyKey = Annotated[
    str | None,
    typer.Option("--key", help="Idempotency key: the same key and input again give the same receipt."),
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="Id of a memory, any version of it.")]


class KindName(StrEnum):
    """Kinds of a fact."""

    RUN = "run"
    FACT = "fact"
    DECISION = "decision"
    LESSON = "lesson"
    PIN = "pin"


class LabelName(StrEnum):
    """Labels of a memory."""

    FACT = "fact"
    DRAWER = "drawer"


class ModeName(StrEnum):
    """Channels of a search."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    VECTOR = "vector"


def said(**given: object) -> dict[str, object]:
    """What was said on the command line; what was not is left to the service."""
    return {name: value for name, value in given.items() if value not in (None, [], {})}
