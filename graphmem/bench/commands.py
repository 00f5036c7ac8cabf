"""``graphmem bench search`` and ``graphmem bench speed``: options in, figures out."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from graphmem.bench.lines import search_lines, speed_lines
from graphmem.bench.runs import SearchOptions, run_search, run_speed
from graphmem.bench.search import WARM_UP

app = typer.Typer(no_args_is_help=True, help="Measure search and speed, through GraphQL over HTTP.")

JsonFlag = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout; progress stays on stderr.")
]


@app.command()
def search(
    corpus: Annotated[Path, typer.Option(help="Rows: JSON lines with id, group, text; may end in .gz.")],
    queries: Annotated[
        Path, typer.Option(help="Queries: JSON lines with id, group, text, relevant; may end in .gz.")
    ],
    mode: Annotated[
        list[str] | None, typer.Option(help="hybrid, keyword or vector; may be given again.")
    ] = None,
    warm_up: Annotated[
        int, typer.Option(min=0, help="Searches of each mode before the timed ones.")
    ] = WARM_UP,
    url: Annotated[str | None, typer.Option(help="A running service to measure; it keeps the rows.")] = None,
    token: Annotated[str | None, typer.Option(envvar="GRAPHMEM_TOKEN", help="Its bearer token.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure recall, nDCG, MRR and times of search on a corpus with known answers."""
    options = SearchOptions(
        corpus=corpus,
        queries=queries,
        modes=tuple(dict.fromkeys(mode or ["hybrid"])),
        warm_up=warm_up,
        url=url,
        token=token,
    )
    document = run_search(options)
    _show(document, list(search_lines(document)), as_json)


@app.command()
def speed(
    memories: Annotated[int, typer.Option(help="Memories in the store, 200 or more.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the generated texts.")] = 1,
    as_json: JsonFlag = False,
) -> None:
    """Measure writing, indexing, searching, the tree, the start and the memory on generated texts."""
    document = run_speed(memories, seed)
    _show(document, list(speed_lines(document)), as_json)


def _show(document: Mapping[str, Any], lines: list[tuple[str, str]], as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        return
    width = max(len(name) for name, _ in lines)
    sys.stdout.write("".join(f"{name:<{width}}  {value}".rstrip() + "\n" for name, value in lines))
