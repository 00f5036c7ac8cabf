"""``tour``: a first look at GraphMem with something in it, in the foreground.

The service is started, a folder of notes is imported, one search is shown with what explains its hits, and
then the addresses stay on the screen until Ctrl-C, which ends everything that was started here.
"""

from __future__ import annotations

import json
import shlex
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from graphmem.cli import operations
from graphmem.cli.answers import SearchAnswer
from graphmem.cli.client import base_url
from graphmem.cli.configuration import load_settings
from graphmem.cli.connection import connect
from graphmem.cli.finding import search_document, show_hits
from graphmem.cli.folder_import import import_folder
from graphmem.cli.logs import log_path
from graphmem.cli.options import JsonFlag
from graphmem.cli.screen import Screen, note
from graphmem.cli.service_file import ServiceRecord, token_path
from graphmem.cli.starting import start
from graphmem.cli.stopping import stop
from graphmem.cli.waiting import wait_until_searchable
from graphmem.errors import Unavailable
from graphmem.markdown.folder import read_folder
from graphmem.settings import Settings

WING = "graphmem"
"""The wing that the notes of the tour belong to."""

QUERY = "how do I get back something that was deleted?"

HITS = 5

LOOK_EVERY_S = 0.5

CURL_DOCUMENT = (
    "query Try($query: String!) "
    "{ search(query: $query, first: 3) { edges { score why node { id path title content } } } }"
)

commands = typer.Typer()


@commands.command()
def tour(
    notes: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Folder of notes to import first.")
    ] = None,
    query: Annotated[str, typer.Option(help="What to search for.")] = QUERY,
    as_json: JsonFlag = False,
) -> None:
    """Start the service, import notes, show a search and the addresses; Ctrl-C ends it all."""
    settings = load_settings()
    with _until_told():
        record, started = start(settings)
        try:
            page = _prepared(settings, notes, query)
            document = tour_document(settings, record, query, page)
            Screen(as_json).answer(document, lambda screen: _show(screen, document, query, page))
            if started:
                _wait(settings, record)
        finally:
            if started:
                note("ending …")
                stop(settings.home)


class _Told(BaseException):
    """A signal said that this is enough; no error, and nothing that catches errors may keep it."""


@contextmanager
def _until_told() -> Iterator[None]:
    """A block that the first SIGINT, SIGTERM or SIGHUP leaves quietly; later ones do not disturb the end."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def told(number: int, frame: FrameType | None) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        raise _Told

    before = {number: signal.signal(number, told) for number in numbers}
    try:
        yield
    except _Told:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _prepared(settings: Settings, notes: Path | None, query: str) -> SearchAnswer:
    """The answer to the query once the notes are in the store and searchable."""
    with connect(settings) as client:
        if notes is not None:
            import_folder(client, read_folder(notes), WING, prune=False)
        wait_until_searchable(client)
        return client.ask(operations.SEARCH, query=query, first=HITS, mode="HYBRID")


def _wait(settings: Settings, record: ServiceRecord) -> None:
    """Until a signal, or until the service ends by itself.

    Raises:
        Unavailable: The service ended.
    """
    while record.process() is not None:
        time.sleep(LOOK_EVERY_S)
    raise Unavailable(f"the service has ended; {log_path(settings.home)} says why")


def tour_document(
    settings: Settings, record: ServiceRecord, query: str, page: SearchAnswer
) -> dict[str, object]:
    """What the tour shows: addresses, a line to paste, and the search."""
    token_file = token_path(settings.home).absolute()
    return {
        "url": record.url,
        "graphiql": record.url,
        "neo4j": record.neo4j,
        "token_file": str(token_file),
        "curl": curl_line(record.url, token_file, query),
        "search": search_document(query, page),
    }


def curl_line(url: str, token_file: Path, query: str) -> str:
    """A shell line that sends the search, as it stands, with the token read from its file."""
    body = json.dumps({"query": CURL_DOCUMENT, "variables": {"query": query}})
    token = f'-H "Authorization: Bearer $(cat {shlex.quote(str(token_file))})"'
    kind = "-H 'Content-Type: application/json'"
    return f"curl -s {base_url(url)}/graphql {token} {kind} -d {shlex.quote(body)}"


def _show(screen: Screen, document: dict[str, object], query: str, page: SearchAnswer) -> None:
    graph = document["neo4j"]
    browser = graph if isinstance(graph, dict) else {}
    screen.line(f"\nA search: {query}\n", "bold")
    show_hits(screen, page, explain=True)
    screen.line("\nWhere to look", "bold")
    rows = [("GraphiQL", document["graphiql"]), ("its token", f"in {document['token_file']}")]
    if "browser_url" in browser:
        login = f"user {browser['user']}, password in {browser['password_file']}"
        rows += [("Neo4j Browser", browser["browser_url"]), ("its login", login)]
    screen.fields(rows)
    screen.line("\nAsk it yourself", "bold")
    screen.raw(str(document["curl"]))
    screen.line("\nCtrl-C ends everything.")
