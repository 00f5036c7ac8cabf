"""``search`` and ``tree``: finding memories by words and meaning, and walking the paths."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli import operations
from graphmem.cli.answers import FoundMemory, HitAnswer, PathAnswer, SearchAnswer
from graphmem.cli.connection import service
from graphmem.cli.options import After, First, JsonFlag, KindName, LabelName, ModeName, said
from graphmem.cli.screen import Screen, note, one_line

CELL = 100
"""Characters of a text in a table."""

commands = typer.Typer()


Mode = Annotated[ModeName, typer.Option(help="Which channels are asked.", case_sensitive=False)]
Kinds = Annotated[list[KindName] | None, typer.Option(help="Only facts of this kind; repeat for more.")]
Keywords = Annotated[list[str] | None, typer.Option(help="Only with this keyword; repeat to demand all.")]
Tags = Annotated[
    list[str] | None, typer.Option(help="Only with this own tag key=value; repeat to demand all.")
]
Since = Annotated[str | None, typer.Option(help="Written at or after this time (RFC 3339).")]
Until = Annotated[str | None, typer.Option(help="Written before this time (RFC 3339).")]
Explain = Annotated[bool, typer.Option("--explain", help="Show what each channel gave to a score.")]
WhyNot = Annotated[str | None, typer.Option(metavar="ID", help="Say where this memory fell out instead.")]


@commands.command()
def search(
    query: Annotated[str, typer.Argument(help="Any text.")],
    first: First = 10,
    after: After = None,
    mode: Mode = ModeName.HYBRID,
    under: Annotated[str | None, typer.Option(help="Only this path and what is below it.")] = None,
    label: Annotated[list[LabelName] | None, typer.Option(help="Only facts, or only drawers.")] = None,
    kind: Kinds = None,
    keyword: Keywords = None,
    tag: Tags = None,
    source: Annotated[str | None, typer.Option(help="Only from this source or source file.")] = None,
    created_after: Since = None,
    created_before: Until = None,
    explain: Explain = False,
    why_not: WhyNot = None,
    as_json: JsonFlag = False,
) -> None:
    """Find memories by words and by meaning, best first; changes nothing."""
    labels, kinds = [each.name for each in label or ()], [each.name for each in kind or ()]
    narrowed = said(under=under, labels=labels, kinds=kinds, keywords=keyword, tags=tag, source=source)
    narrowed |= said(createdAfter=created_after, createdBefore=created_before)
    if why_not is not None:
        _why_not(why_not, query, narrowed, mode, as_json)
        return
    with service() as client:
        given = narrowed or None
        page = client.ask(
            operations.SEARCH, query=query, filter=given, first=first, after=after, mode=mode.name
        )
    document = search_document(query, page)
    Screen(as_json).answer(document, lambda screen: show_hits(screen, page, explain=explain))
    if page.page_info.has_next_page and not as_json:
        note(f"more: --after {page.page_info.end_cursor}")


@commands.command()
def tree(
    path: Annotated[str, typer.Argument(help="Where to begin.")] = "/",
    depth: Annotated[int, typer.Option("--depth", "-d", help="How many levels below it, at most 8.")] = 2,
    as_json: JsonFlag = False,
) -> None:
    """Show the paths below a path, with how many memories each holds."""
    with service() as client:
        paths = client.ask(operations.TREE, root=path, depth=depth)
    document = {"root": path, "depth": depth, "paths": [each.document() for each in paths]}
    Screen(as_json).answer(document, lambda screen: _show_tree(screen, paths))


def search_document(query: str, page: SearchAnswer) -> dict[str, object]:
    """A page of a search as ``--json`` shows it."""
    return {
        "query": query,
        "hits": [hit.document() for hit in page.hits],
        "degraded": page.degraded,
        "terms_dropped": page.terms_dropped,
        "has_next_page": page.page_info.has_next_page,
        "end_cursor": page.page_info.end_cursor,
    }


def show_hits(screen: Screen, page: SearchAnswer, *, explain: bool) -> None:
    """A page of a search for a person; with ``explain``, each hit's channels in a column."""
    headings = ("score", "path", "what", *(("channels",) if explain else ()), "title or content", "id")
    screen.table(headings, (_row(hit, explain) for hit in page.hits))
    for missing in page.degraded:
        note(f"degraded: {missing}")
    if not page.hits:
        note("nothing found")


def _row(hit: HitAnswer, explain: bool) -> tuple[str, ...]:
    memory = hit.memory
    text = one_line(_text(memory), CELL)
    channels = " + ".join(f"{each.channel.lower()} {each.value:.3f}" for each in hit.contributions)
    return (f"{hit.score:.3f}", memory.path, memory.what, *((channels,) if explain else ()), text, memory.id)


def _text(memory: FoundMemory) -> str:
    """Title and content; a heading that only says the title again is left out."""
    if memory.title is None:
        return memory.content
    first, _, rest = memory.content.partition("\n")
    repeated = first.strip("# ").replace("`", "") == memory.title.replace("`", "")
    return f"{memory.title}: {rest if repeated else memory.content}"


def _why_not(memory_id: str, query: str, narrowed: dict[str, object], mode: ModeName, as_json: bool) -> None:
    with service() as client:
        answer = client.ask(
            operations.WHY_NOT, id=memory_id, query=query, filter=narrowed or None, mode=mode.name
        )
    rows = [("found", "yes" if answer.found else "no"), ("step", answer.step), ("detail", answer.detail)]
    Screen(as_json).answer(answer.document(), lambda screen: screen.fields(rows))


def _show_tree(screen: Screen, paths: list[PathAnswer]) -> None:
    """Paths indented by their depth below the first on a terminal, whole paths in a pipe."""
    top = paths[0].path.rstrip("/").count("/") if paths else 0
    rows = []
    for each in paths:
        level = each.path.rstrip("/").count("/") - top
        name = each.display_name or each.segment or each.path
        shown = "  " * level + name if screen.pretty else each.path
        rows.append((shown, each.memory_count, each.memory_count_below, " ".join(each.labels)))
    screen.table(("path", "memories here", "here and below", "labels"), rows)
