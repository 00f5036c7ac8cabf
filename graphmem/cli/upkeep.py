"""``status``, ``doctor``, ``reindex``: how the service is, and putting it right."""

from __future__ import annotations

import typer

from graphmem.cli import operations
from graphmem.cli.answers import StatusAnswer
from graphmem.cli.checking import Finding, Verdict, check_machine
from graphmem.cli.configuration import load_settings
from graphmem.cli.connection import connect
from graphmem.cli.exits import AWAY, OTHER, ServiceError
from graphmem.cli.options import JsonFlag
from graphmem.cli.progress import bar
from graphmem.cli.screen import Screen, note
from graphmem.cli.service_file import running
from graphmem.cli.starting import start
from graphmem.cli.state import state
from graphmem.errors import Misconfigured, Unavailable
from graphmem.service.engines import engine_name
from graphmem.settings import Settings

commands = typer.Typer()


@commands.command()
def status(as_json: JsonFlag = False) -> None:
    """Show how the service is; starts nothing, and ends with code 3 when it is not ready."""
    document = state(load_settings())
    Screen(as_json).answer(document, lambda screen: screen.fields(_flat(document)))
    if not document["ready"]:
        if not document["running"]:
            note("not running; `graphmem up` starts it")
        raise typer.Exit(AWAY)


@commands.command()
def doctor(as_json: JsonFlag = False) -> None:
    """Check this machine, and the stores against each other when the service runs; changes nothing."""
    settings = load_settings()
    remote = settings.url is not None
    findings = [] if remote else check_machine(settings, running=running(settings.home) is not None)
    if remote or running(settings.home) is not None:
        findings += _compared(settings)
    healthy = all(finding.verdict is not Verdict.FAILED for finding in findings)
    document = {"healthy": healthy, "findings": [finding.document() for finding in findings]}
    rows = [(finding.verdict.value, finding.check, finding.detail) for finding in findings]
    Screen(as_json).answer(document, lambda screen: screen.table(("", "check", "what was seen"), rows))
    if not healthy:
        raise typer.Exit(OTHER)


def _compared(settings: Settings) -> list[Finding]:
    """What the service finds; that it does not answer, or refuses, is a finding too."""
    try:
        with connect(settings) as client, bar("comparing the stores"):
            answers = client.ask(operations.DOCTOR)
    except (ServiceError, Unavailable) as error:
        return [Finding("service", Verdict.FAILED, str(error))]
    return [Finding(each.check, Verdict.OK if each.ok else Verdict.FAILED, each.detail) for each in answers]


@commands.command()
def reindex(as_json: JsonFlag = False) -> None:
    """Build the vector index anew from the graph; searches go on with the old one until the end.

    A local service that does not run is started with the embedder that is set, whatever the index has now;
    one that runs with another embedder or another Qdrant than is set is not asked.
    """
    settings = load_settings()
    started = settings.url is None and start(settings, rebuild=True)[1]
    with connect(settings) as client:
        if settings.url is None and not started:
            _require_as_set(settings, client.ask(operations.STATUS))
        with bar("building the index anew"):
            answer = client.ask(operations.REINDEX, limit_s=None)
    document = answer.document()
    Screen(as_json).answer(document, lambda screen: screen.fields(document.items()))


def _require_as_set(settings: Settings, runs: StatusAnswer) -> None:
    """Lets pass when the running service embeds with what is set here, into the engine that is set here.

    Raises:
        Misconfigured: A rebuild by the running service would not be the one that was asked for.
    """
    differs = []
    # The embedder's own name leaves the slash at the end of a URL out.
    wanted, embedder = settings.embedder.strip(), runs.embedder or "none"
    if embedder.rstrip("/") != wanted.rstrip("/"):
        kind, at, _ = wanted.partition("@")  # what follows may be a URL with a password in it
        differs.append(f"embeds with {embedder} (here GRAPHMEM_EMBEDDER is {kind}{at and '@…'})")
    if runs.embedder is not None and runs.vectors != (engine := engine_name(settings.qdrant_url)):
        differs.append(f"keeps vectors in {runs.vectors} (here GRAPHMEM_QDRANT_URL means {engine})")
    if differs:
        raise Misconfigured(
            f"the running service {' and '.join(differs)}; run `graphmem down`, then `graphmem reindex` again"
        )


def _flat(document: dict[str, object]) -> list[tuple[str, object]]:
    """The document as names and values: inner names joined by a dot, empty lists left out."""
    rows: list[tuple[str, object]] = []
    for name, value in document.items():
        if isinstance(value, dict):
            rows += [(f"{name}.{inner}", said) for inner, said in value.items()]
        elif isinstance(value, list):
            rows += [
                (name, " ".join(map(str, each.values())) if isinstance(each, dict) else each)
                for each in value
            ]
        else:
            rows.append((name.replace("_", " "), value))
    return rows
