"""How the owner and the vector worker talk: a JSON header and raw bytes, both length-prefixed.

A frame is two big-endian 32-bit lengths, the header (UTF-8 JSON object) and the body. Vectors travel in
the body as little-endian float32, one after another.
"""

from __future__ import annotations

import asyncio
import json
import struct
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

Header = dict[str, object]

LENGTHS = struct.Struct("!II")
MAX_FRAME = 256 * 2**20
"""Bytes. A frame that claims more is a broken stream, not a large request."""


class BrokenStream(Exception):
    """The other side sent what is no frame, or ended in the middle of one."""


def encode(header: Header, body: bytes = b"") -> bytes:
    """One frame, ready to send."""
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join((LENGTHS.pack(len(text), len(body)), text, body))


class Decoder:
    """Frames out of a stream of bytes that arrive in any pieces."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[Header, bytes]]:
        """The frames that are complete after ``data``, in order.

        Raises:
            BrokenStream: the lengths are beyond ``MAX_FRAME`` or the header is no JSON object.
        """
        self._bytes += data
        while len(self._bytes) >= LENGTHS.size:
            header_length, body_length = _lengths(bytes(self._bytes[: LENGTHS.size]))
            end = LENGTHS.size + header_length + body_length
            if len(self._bytes) < end:
                return
            start = LENGTHS.size + header_length
            header, body = bytes(self._bytes[LENGTHS.size : start]), bytes(self._bytes[start:end])
            del self._bytes[:end]
            yield _object(header), body


async def read_frame(reader: asyncio.StreamReader) -> tuple[Header, bytes] | None:
    """The next frame, or ``None`` at the end of the stream.

    Raises:
        BrokenStream: the stream ends inside a frame, or holds none.
    """
    try:
        head = await reader.readexactly(LENGTHS.size)
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise BrokenStream("the stream ended inside a frame") from error
        return None
    header_length, body_length = _lengths(head)
    try:
        header = await reader.readexactly(header_length)
        body = await reader.readexactly(body_length) if body_length else b""
    except asyncio.IncompleteReadError as error:
        raise BrokenStream("the stream ended inside a frame") from error
    return _object(header), body


def _lengths(head: bytes) -> tuple[int, int]:
    header_length, body_length = LENGTHS.unpack(head)
    if header_length + body_length > MAX_FRAME:
        raise BrokenStream(f"a frame of {header_length + body_length} bytes, the limit is {MAX_FRAME}")
    return header_length, body_length


def _object(text: bytes) -> Header:
    try:
        header = json.loads(text)
    except ValueError as error:
        raise BrokenStream("a header that is not JSON") from error
    if not isinstance(header, dict):
        raise BrokenStream("a header that is no JSON object")
    return header


def packed(rows: Iterable[Sequence[float]]) -> bytes:
    """Vectors as a body."""
    values = array("f", chain.from_iterable(rows))
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def unpacked(body: bytes, width: int) -> Iterator[list[float]]:
    """The vectors of a body, in order.

    Raises:
        BrokenStream: the body is no whole number of vectors.
    """
    values = array("f")
    try:
        values.frombytes(body)
    except ValueError as error:
        raise BrokenStream("a body that holds no whole number of floats") from error
    if len(values) % width:
        raise BrokenStream(f"a body of {len(values)} floats, no whole number of vectors of {width}")
    if sys.byteorder == "big":
        values.byteswap()
    return (values[start : start + width].tolist() for start in range(0, len(values), width))
