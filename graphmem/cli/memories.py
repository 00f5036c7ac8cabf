"""``remember``, ``cat``, ``history``, ``forget``, ``restore``: commands about single memories."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graphmem.cli import operations
from graphmem.cli.answers import MemoryAnswer, ReceiptAnswer
from graphmem.cli.connection import service
from graphmem.cli.options import After, First, IdempotencyKey, JsonFlag, KindName, MemoryId, Reason, said
from graphmem.cli.screen import Screen, one_line
from graphmem.errors import InvalidInput

CELL = 100
"""Characters of a text in a table."""

commands = typer.Typer()


@commands.command()
def remember(
    path: Annotated[str, typer.Argument(help="Where it belongs, like /projects/embornal.")],
    text: Annotated[str, typer.Argument(help="The fact; - reads it from standard input.")],
    kind: Annotated[
        KindName, typer.Option(help="What kind of fact it is.", case_sensitive=False)
    ] = KindName.FACT,
    title: Annotated[str | None, typer.Option(help="A title, under which [[links]] find it.")] = None,
    summary: Annotated[str | None, typer.Option(help="A shorter form of it.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="An own tag key=value; repeat for more.")] = None,
    keyword: Annotated[list[str] | None, typer.Option(help="A keyword for search; repeat for more.")] = None,
    source: Annotated[list[str] | None, typer.Option(help="Where it comes from; repeat for more.")] = None,
    importance: Annotated[float | None, typer.Option(help="Does it matter: 0 to 1.")] = None,
    confidence: Annotated[float | None, typer.Option(help="Is it true: 0 to 1.")] = None,
    valid_from: Annotated[
        str | None, typer.Option(help="True in the world from this time on (RFC 3339).")
    ] = None,
    valid_to: Annotated[
        str | None, typer.Option(help="True in the world until this time (RFC 3339).")
    ] = None,
    expires_at: Annotated[
        str | None, typer.Option(help="Not shown any more from this time on (RFC 3339).")
    ] = None,
    key: IdempotencyKey = None,
    as_json: JsonFlag = False,
) -> None:
    """Store a fact at a path and print its receipt."""
    given = said(
        path=path, kind=kind.name, title=title, summary=summary, tags=tag, keywords=keyword, sources=source
    )
    given |= said(importance=importance, confidence=confidence, idempotencyKey=key)
    given |= said(validFrom=valid_from, validTo=valid_to, expiresAt=expires_at)
    with service() as client:
        content = standard_input() if text == "-" else text
        receipt = client.ask(operations.REMEMBER, input=given | {"content": content})
    _show_receipt(receipt, as_json)


@commands.command()
def cat(
    path: Annotated[str, typer.Argument(help="A path, or the id of a memory.")],
    first: First = 20,
    after: After = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the memories at a path, oldest first, or one memory by its id."""
    if not path.startswith("/"):
        with service() as client:
            memory = client.ask(operations.CAT_MEMORY, id=path)
        Screen(as_json).answer(memory.document(), lambda screen: _show_memory(screen, memory))
        return
    with service() as client:
        place = client.ask(operations.CAT_PATH, path=path, first=first, after=after)
    page = place.memories
    document = {
        "path": place.path,
        "display_name": place.display_name,
        "memory_count": place.memory_count,
        "memories": [memory.document() for memory in page.nodes],
        "has_next_page": page.page_info.has_next_page,
        "end_cursor": page.page_info.end_cursor,
    }
    Screen(as_json).answer(document, lambda screen: _show_table(screen, page.nodes))
    if page.page_info.has_next_page and not as_json:
        typer.echo(f"more: --after {page.page_info.end_cursor}", err=True)


@commands.command()
def history(memory_id: MemoryId, as_json: JsonFlag = False) -> None:
    """Show every version of a memory, newest first."""
    with service() as client:
        chain = client.ask(operations.HISTORY, id=memory_id)
    document = {"id": chain.id, "versions": [version.document() for version in chain.history]}
    rows = [
        (f"v{each.version}", each.id, each.created_at, _state(each), one_line(each.content, CELL))
        for each in chain.history
    ]
    headings = ("version", "id", "written", "state", "content")
    Screen(as_json).answer(document, lambda screen: screen.table(headings, rows))


@commands.command()
def forget(
    memory_id: MemoryId,
    purge: Annotated[
        bool, typer.Option("--purge", help="Erase every version for good; cannot be undone.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before purging.")] = False,
    reason: Reason = None,
    key: IdempotencyKey = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete a memory softly, so that `restore` brings it back; with --purge, for good."""
    if purge and not yes:
        _confirm_purge(memory_id)
    given = said(id=memory_id, purge=purge, reason=reason, idempotencyKey=key)
    with service() as client:
        receipt = client.ask(operations.FORGET, input=given)
    _show_receipt(receipt, as_json)


@commands.command()
def restore(
    memory_id: MemoryId, reason: Reason = None, key: IdempotencyKey = None, as_json: JsonFlag = False
) -> None:
    """Bring a deleted memory back, as a new version."""
    with service() as client:
        receipt = client.ask(operations.RESTORE, input=said(id=memory_id, reason=reason, idempotencyKey=key))
    _show_receipt(receipt, as_json)


def standard_input() -> str:
    """All of standard input as text.

    Raises:
        InvalidInput: It is not UTF-8; names the byte.
    """
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput("standard input", f"is not UTF-8 at byte {error.start}") from error


def _confirm_purge(memory_id: str) -> None:
    if not sys.stdin.isatty():
        raise InvalidInput("--purge", "erases for good, so it needs --yes where nobody can be asked")
    typer.confirm(f"Erase every version of {one_line(memory_id)} for good?", abort=True, err=True)


def _show_receipt(receipt: ReceiptAnswer, as_json: bool) -> None:
    memory = receipt.memory
    rows = [
        ("action", receipt.action),
        ("id", receipt.id),
        ("path", memory.path if memory else None),
        ("version", memory.version if memory else None),
        ("reason", receipt.reason),
        ("searchable by meaning", "yes" if receipt.indexed else "not yet"),
        *(("warning", warning) for warning in receipt.warnings),
    ]
    Screen(as_json).answer(receipt.document(), lambda screen: screen.fields(rows))


def _show_memory(screen: Screen, memory: MemoryAnswer) -> None:
    screen.fields(
        [
            ("id", memory.id),
            ("path", memory.path),
            ("what", memory.what),
            ("title", memory.title),
            ("version", memory.version),
            ("state", _state(memory)),
            ("owner", memory.owner),
            ("tags", " ".join(memory.tags)),
            ("keywords", " ".join(memory.keywords) or None),
            ("source", memory.origin),
            ("written", memory.created_at),
        ]
    )
    screen.line(memory.content)


def _show_table(screen: Screen, memories: list[MemoryAnswer]) -> None:
    rows = [
        (each.id, each.what, each.created_at, one_line(each.title or each.content, CELL)) for each in memories
    ]
    screen.table(("id", "what", "written", "title or content"), rows)


def _state(memory: MemoryAnswer) -> str:
    """``live``, ``deleted``, or what else keeps it from being shown."""
    if memory.deleted_at is not None:
        return "deleted"
    return "live" if memory.live else memory.status.lower() if memory.status != "ACTIVE" else "superseded"
