"""Which service a command talks to: the one of this home, or the one that ``GRAPHMEM_URL`` names.

The local one is started when it does not run, unless the command is one that starts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.cli.client import ServiceClient
from graphmem.cli.configuration import load_settings
from graphmem.cli.exits import NotRunning
from graphmem.cli.service_file import running, token_path
from graphmem.cli.starting import start
from graphmem.errors import Misconfigured, Unavailable
from graphmem.settings import Settings


@contextmanager
def service() -> Iterator[ServiceClient]:
    """A client of the service; the local one is started first when it does not run."""
    settings = load_settings()
    if settings.url is None and running(settings.home) is None:
        start(settings)
    with connect(settings) as client:
        yield client


@contextmanager
def connect(settings: Settings) -> Iterator[ServiceClient]:
    """A client of the service that runs.

    Raises:
        NotRunning: The local service does not run.
        Misconfigured: There is no token to show.
    """
    if settings.url is not None:
        with ServiceClient(settings.url, shown_token(settings), local=False) as client:
            yield client
        return
    record = running(settings.home)
    if record is None:
        raise NotRunning(f"no service runs for {settings.home}; `graphmem up` starts it")
    with ServiceClient(record.url, shown_token(settings)) as client:
        yield client


def shown_token(settings: Settings) -> str:
    """The bearer token to show: ``GRAPHMEM_TOKEN``, else the home's for the local service alone.

    Raises:
        Misconfigured: Another service is named without a token; the one of this home is no business of it.
    """
    if settings.token is not None:
        return _checked(settings.token.get_secret_value(), "GRAPHMEM_TOKEN")
    if settings.url is not None:
        raise Misconfigured(
            "GRAPHMEM_URL is set and GRAPHMEM_TOKEN is not; set it to a token of that service"
        )
    path = token_path(settings.home)
    try:
        return _checked(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError as error:
        raise Unavailable(f"{path} is missing; `graphmem down` and `graphmem up` make a new one") from error
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{path} cannot be read; only the user who started the service may") from error


def _checked(text: str, source: str) -> str:
    """The token without white space around it; what cannot stand in a header is refused unseen."""
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise Misconfigured(f"{source} holds no token; a token looks like gm_…")
    return token
