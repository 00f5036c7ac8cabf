"""The socket that the service answers on, taken before anything else is opened.

A port that was set has to be free; without one, the first free port from 8420 on is taken.
"""

from __future__ import annotations

import errno
import socket

from graphmem.errors import InvalidInput, shown

FIRST_PORT = 8420
TRIED_PORTS = 200
"""Ports that are tried, from ``FIRST_PORT`` on, before giving up."""

BACKLOG = 2048
"""Connections that may wait to be accepted; uvicorn's own default."""


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket on ``host``; it is the caller's to close.

    Raises:
        InvalidInput: The port that was set is in use or may not be taken, the host is none of this machine,
            or no port is free.
    """
    if port is not None:
        try:
            return _listen(host, port)
        except OSError as error:
            raise InvalidInput("GRAPHMEM_PORT", _why(host, port, error)) from error
    for free in range(FIRST_PORT, FIRST_PORT + TRIED_PORTS):
        try:
            return _listen(host, free)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise InvalidInput("GRAPHMEM_HOST", f"is {shown(host)}: {error.strerror or error}") from error
    raise InvalidInput(
        "GRAPHMEM_PORT",
        f"is not set, and no port from {FIRST_PORT} to {FIRST_PORT + TRIED_PORTS - 1} is free",
    )


def address(listening: socket.socket) -> str:
    """``http://host:port`` as this machine reaches the socket; every address is reached over loopback."""
    host, port = listening.getsockname()[:2]
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"


def _why(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"is {port}, and something else listens on {host}:{port}; unset it to take the next free port"
    return f"is {port}, which cannot be taken on {host}: {error.strerror or error}"


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, where = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        # A port that the last service left a moment ago is free; one that somebody listens on is not.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening
