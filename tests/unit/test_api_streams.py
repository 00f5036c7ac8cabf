"""Lines of a streamed body, whatever the chunks in which they come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.api import streams
from graphmem.api.streams import split_lines
from graphmem.errors import InvalidInput


async def lines_of(chunks: Sequence[bytes]) -> list[bytes]:
    async def body() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [line async for line in split_lines(body())]


@given(st.lists(st.binary(max_size=5).map(lambda piece: piece.replace(b"x", b"\n"))))
async def test_lines_do_not_depend_on_chunks(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)

    assert b"\n".join(await lines_of(chunks)) == whole.removesuffix(b"\n")


async def test_empty_lines_are_kept_so_that_lines_can_be_counted() -> None:
    assert await lines_of([b"a\n\n", b"b"]) == [b"a", b"", b"b"]


async def test_a_line_without_end_is_refused_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LINE_BYTES", 10)

    with pytest.raises(InvalidInput) as found:
        await lines_of([b"a\nb\n", b"12345", b"678901"])

    assert (found.value.field, found.value.limit) == ("line 3", 10)
