"""Frames between the owner and the vector worker."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.vectors.frames import (
    LENGTHS,
    MAX_FRAME,
    BrokenStream,
    Decoder,
    encode,
    packed,
    read_frame,
    unpacked,
)

HEADERS = st.dictionaries(
    st.text(max_size=8), st.one_of(st.integers(), st.text(max_size=20), st.none()), max_size=4
)


def reader_of(*pieces: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    for piece in pieces:
        reader.feed_data(piece)
    reader.feed_eof()
    return reader


@given(st.lists(st.tuples(HEADERS, st.binary(max_size=50)), max_size=5), st.integers(1, 40))
def test_frames_come_out_as_they_went_in_however_the_bytes_arrive(
    frames: list[tuple[dict[str, object], bytes]], size: int
) -> None:
    stream = b"".join(encode(header, body) for header, body in frames)
    decoder = Decoder()

    out = [frame for at in range(0, len(stream), size) for frame in decoder.feed(stream[at : at + size])]

    assert out == frames


async def test_a_reader_gives_frames_and_then_nothing() -> None:
    reader = reader_of(encode({"id": 1}, b"abc"), encode({"id": 2}))

    assert [await read_frame(reader) for _ in range(3)] == [({"id": 1}, b"abc"), ({"id": 2}, b""), None]


@pytest.mark.parametrize("kept", [1, LENGTHS.size, LENGTHS.size + 3, -1])
async def test_a_stream_that_ends_inside_a_frame_is_broken(kept: int) -> None:
    with pytest.raises(BrokenStream, match="ended inside a frame"):
        await read_frame(reader_of(encode({"id": 1}, b"abc")[:kept]))


@pytest.mark.parametrize(
    ("stream", "problem"),
    [
        (LENGTHS.pack(MAX_FRAME, 1), "the limit is"),
        (LENGTHS.pack(2, 0) + b"{x", "not JSON"),
        (LENGTHS.pack(2, 0) + b"[]", "no JSON object"),
    ],
)
async def test_what_is_no_frame_is_refused(stream: bytes, problem: str) -> None:
    with pytest.raises(BrokenStream, match=problem):
        await read_frame(reader_of(stream))
    with pytest.raises(BrokenStream, match=problem):
        list(Decoder().feed(stream))


@given(st.lists(st.lists(st.floats(width=32, allow_nan=False), min_size=3, max_size=3), max_size=5))
def test_vectors_come_out_as_they_went_in(rows: list[list[float]]) -> None:
    assert list(unpacked(packed(rows), 3)) == rows


def test_vectors_travel_little_endian() -> None:
    assert packed([[1.0]]) == b"\x00\x00\x80\x3f"


@pytest.mark.parametrize("body", [b"abc", b"\x00" * 16])
def test_a_body_of_no_whole_number_of_vectors_is_refused(body: bytes) -> None:
    with pytest.raises(BrokenStream, match="no whole number"):
        unpacked(body, 3)
