"""Inputs of the API, and the commands that they become.

Here is only the shape; every value is checked in ``graphmem.memory.checks`` and ``change_checks``. A field
that is left out keeps its value in an update; null takes it away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

import strawberry

from graphmem.api.arguments import mentioned, need, option
from graphmem.api.enums import Kind, Label
from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.memory import change_checks, checks
from graphmem.memory.checks import TextLimits
from graphmem.memory.commands import (
    ForgetMemory,
    MemoryFilter,
    NewDrawer,
    NewFact,
    RestoreMemory,
    SupersedeFact,
    UpdateMemory,
)
from graphmem.memory.limits import BATCH

Row = TypeVar("Row")
Command = TypeVar("Command")

RETRY = (
    "Makes a retry safe: the same key with the same input gets the same receipt, for 7 days unless a setting "
    "says otherwise."
)
EXPECTED = "Refuse with CONFLICT unless the head has this version."


@strawberry.input(
    name="MemoryFilter", description="Narrows a list or a search; every field that is set must hold."
)
class MemoryFilterInput:
    under: str | None = option("Only this path and what is below it.")
    labels: list[Label] | None = option("Any of these.")
    kinds: list[Kind] | None = option("Any of these; other memories than facts have no kind.")
    keywords: list[str] | None = option("All of these.")
    tags: list[str] | None = option("All of these own tags, `key=value`.")
    source: str | None = option("This source file or source.")
    created_after: datetime | None = option("Written at this instant or later.")
    created_before: datetime | None = option("Written before this instant.")

    def checked(self) -> MemoryFilter:
        """The filter, once its values are known to be good."""
        return checks.checked_filter(**mentioned(self))


@strawberry.input(description="A fact to store.")
class StoreFactInput:
    path: str = need("Where it stands; the root holds none.")
    content: str = need("Its text, at most 500 characters unless a setting says otherwise.")
    kind: Kind | None = option("FACT, unless given.")
    title: str | None = option("One line that names it.")
    summary: str | None = option("A shorter form.")
    tags: list[str] | None = option("Own tags `key=value`; they decide access. `owner` is reserved.")
    keywords: list[str] | None = option("At most 20 word labels for search.")
    names: list[str] | None = option("Aliases under which links find it.")
    sources: list[str] | None = option("Where it comes from; `graphmem:seed` is reserved.")
    importance: float | None = option("Does it matter: 0 to 1.")
    confidence: float | None = option("Is it true: 0 to 1.")
    valid_from: datetime | None = option("Since when it is true in the world.")
    valid_to: datetime | None = option("The first instant at which it is no longer true.")
    expires_at: datetime | None = option("From then on no list and no search shows it.")
    language: str | None = option("ISO 639-1 code; detected, unless given.")
    idempotency_key: str | None = option(RETRY)

    def command(self, limits: TextLimits) -> NewFact:
        """The checked command."""
        return checks.checked_fact(limits, **mentioned(self))


@strawberry.input(description="Verbatim text to file in a room.")
class AddDrawerInput:
    wing: str = need("Name of the wing, as a person writes it.")
    room: str = need("Name of the room; `/` goes down into inner rooms.")
    content: str = need("The text, at most 100,000 characters unless a setting says otherwise.")
    title: str | None = option("One line that names it.")
    source_file: str | None = option("The file that it was read from.")
    line_start: int | None = option("First line in the source file, from 1.")
    line_end: int | None = option("Last line in the source file, inclusive.")
    tags: list[str] | None = option("Own tags `key=value`; they decide access. `owner` is reserved.")
    keywords: list[str] | None = option("At most 20 word labels for search.")
    names: list[str] | None = option("Aliases under which links find it.")
    importance: float | None = option("Does it matter: 0 to 1.")
    emotional_weight: float | None = option("How much it moves: 0 to 1.")
    valid_from: datetime | None = option("Since when it is true in the world.")
    valid_to: datetime | None = option("The first instant at which it is no longer true.")
    expires_at: datetime | None = option("From then on no list and no search shows it.")
    language: str | None = option("ISO 639-1 code; detected, unless given.")
    idempotency_key: str | None = option(RETRY)

    def command(self, limits: TextLimits) -> NewDrawer:
        """The checked command."""
        return checks.checked_drawer(limits, **mentioned(self))


@strawberry.input(description="A new text in place of a fact; it starts fresh.")
class SupersedeFactInput:
    id: strawberry.ID = need("Id of the head of the chain.")
    content: str = need("The new text.")
    reason: str | None = option("Why.")
    expected_version: int | None = option(EXPECTED)
    kind: Kind | None = option("As before, unless given.")
    title: str | None = option("As before, unless given.")
    keywords: list[str] | None = option("As before, unless given.")
    importance: float | None = option("As before, unless given.")
    confidence: float | None = option("As before, unless given.")
    valid_from: datetime | None = option("As before, unless given.")
    valid_to: datetime | None = option("As before, unless given.")
    idempotency_key: str | None = option(RETRY)

    def command(self, limits: TextLimits) -> SupersedeFact:
        """The checked command."""
        return change_checks.checked_supersede(limits, **mentioned(self))


@strawberry.input(
    description="Changes to a memory: new content or validity makes a version, all else changes in place. "
    "What is left out stays; null takes away."
)
class UpdateMemoryInput:
    id: strawberry.ID = need("Id of the head of the chain.")
    expected_version: int | None = option(EXPECTED)
    reason: str | None = option("Why.")
    content: str | None = option("The new text; makes a version.")
    title: str | None = option("One line that names it.")
    summary: str | None = option("A shorter form; facts only.")
    kind: Kind | None = option("What sort of fact it is; facts only.")
    keywords: list[str] | None = option("All keywords; they replace those before.")
    names: list[str] | None = option("All aliases; they replace those before.")
    importance: float | None = option("Does it matter: 0 to 1.")
    confidence: float | None = option("Is it true: 0 to 1.")
    valid_from: datetime | None = option("Since when it is true in the world; makes a version.")
    valid_to: datetime | None = option("The first instant at which it is no longer true; makes a version.")
    expires_at: datetime | None = option("From then on no list and no search shows it.")
    path: str | None = option("Moves the whole chain there.")
    tags: list[str] | None = option("All own tags of the whole chain; they replace those before.")
    idempotency_key: str | None = option(RETRY)

    def command(self, limits: TextLimits) -> UpdateMemory:
        """The checked command."""
        return change_checks.checked_update(limits, **mentioned(self))


@strawberry.input(description="Deletes a memory and its chain, softly unless `purge` is true.")
class ForgetMemoryInput:
    id: strawberry.ID = need("Id of any version of the chain.")
    purge: bool | None = strawberry.field(
        default=False, description="Erase every version for good; needs admin."
    )
    reason: str | None = option("Why.")
    idempotency_key: str | None = option(RETRY)

    def command(self) -> ForgetMemory:
        """The checked command."""
        return change_checks.checked_forget(**mentioned(self))


@strawberry.input(description="Brings a deleted memory back, as a new version.")
class RestoreMemoryInput:
    id: strawberry.ID = need("Id of any version of the chain.")
    reason: str | None = option("Why.")
    idempotency_key: str | None = option(RETRY)

    def command(self) -> RestoreMemory:
        """The checked command."""
        return change_checks.checked_restore(**mentioned(self))


@strawberry.input(description="One Markdown file.")
class MarkdownFileInput:
    path: str = need("Its path below the imported folder, with `/` between folders.")
    text: str = need("Its text.")


@strawberry.input(description="Markdown files to file as drawers, one a section.")
class ImportMarkdownInput:
    wing: str = need("Name of the wing.")
    files: list[MarkdownFileInput] = need(
        "Some or all files of a folder; other files of the wing stay as they are."
    )
    gone_files: list[str] | None = option(
        "Files of the wing (see `importedFiles`) that are no longer in the folder. Their sections move to "
        "files that now hold the same text."
    )
    prune: bool | None = strawberry.field(default=False, description="Delete sections that vanished.")
    complete: bool | None = strawberry.field(
        default=True,
        description="No more requests follow: what is left of the gone files has vanished.",
    )
    idempotency_key: str | None = option(
        "Accepted as on every mutation, and not needed: an import that is sent again finds what it stored."
    )


def commands(rows: Sequence[Row], command: Callable[[Row], Command]) -> list[Command]:
    """The checked commands of a batch, in order.

    Raises:
        LimitExceeded: There are more rows than a batch may hold.
        InvalidInput: A row is refused; names the row.
    """
    if len(rows) > BATCH:
        raise LimitExceeded(
            f"input has {len(rows)} rows, the limit is {BATCH}; send several batches", limit=BATCH
        )
    return [_row(at, row, command) for at, row in enumerate(rows)]


def _row(at: int, row: Row, command: Callable[[Row], Command]) -> Command:
    try:
        return command(row)
    except InvalidInput as error:
        refused = error.inside(f"input[{at}]")
        refused.index = at
        raise refused from None
