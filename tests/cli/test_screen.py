"""Output: one JSON document, plain lines in a pipe, and nothing that drives the terminal."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.cli.screen import Screen, harmless, one_line


def written(as_json: bool = False, tty: bool = False) -> tuple[Screen, io.StringIO]:
    stream = io.StringIO()
    stream.isatty = lambda: tty  # type: ignore[method-assign]
    return Screen(as_json, stream), stream


def test_with_json_stdout_is_one_document_in_utf8_letters() -> None:
    screen, stream = written(as_json=True)

    screen.answer({"content": "Zürich 東京"}, lambda screen: screen.line("for a person"))

    assert json.loads(stream.getvalue()) == {"content": "Zürich 東京"}
    assert "Zürich 東京" in stream.getvalue()


def test_a_document_with_half_a_character_is_still_valid_json() -> None:
    screen, stream = written(as_json=True)

    screen.answer({"path": "caf\udce9.md"}, lambda screen: None)

    assert json.loads(stream.getvalue().encode("utf-8")) == {"path": "caf\udce9.md"}


def test_in_a_pipe_a_row_is_one_line_with_tabs() -> None:
    screen, stream = written()

    screen.table(("path", "content"), [("/a", "two\nlines\tand a tab"), ("/b", "plain")])

    assert stream.getvalue() == "/a\ttwo lines and a tab\n/b\tplain\n"


def test_in_a_pipe_long_text_is_not_wrapped() -> None:
    screen, stream = written()

    screen.line("word " * 100)

    assert stream.getvalue() == "word " * 100 + "\n"


def test_on_a_terminal_a_table_has_headings_and_keeps_brackets_of_the_text() -> None:
    screen, stream = written(tty=True)

    screen.table(("path", "content"), [("/a", "[red]not a colour[/red]")])

    assert "path" in stream.getvalue()
    assert "[red]not a colour[/red]" in stream.getvalue()


def test_on_a_narrow_terminal_an_id_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    screen, stream = written(tty=True)
    memory_id = "019a0000-0000-7000-8000-000000000001"

    screen.table(("content", "id"), [("words " * 30, memory_id)])

    assert memory_id in stream.getvalue()


def test_a_field_without_a_value_is_left_out() -> None:
    screen, stream = written()

    screen.fields([("id", "1"), ("reason", None), ("count", 0)])

    assert stream.getvalue() == "id\t1\ncount\t0\n"


@pytest.mark.parametrize("tty", [False, True], ids=["in a pipe", "on a terminal"])
def test_text_of_a_memory_does_not_drive_the_terminal(tty: bool) -> None:
    screen, stream = written(tty=tty)
    evil = "\x1b]0;title\x07\x1b[2J\x9b31m\u202eabc"

    screen.line(evil)
    screen.table(("content",), [(evil,)])
    screen.fields([("content", evil)])

    left = stream.getvalue().replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[0m", "")
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(left)
    assert "\\x1b]0;title\\x07" in left


@given(st.text(st.characters()))
def test_what_is_harmless_can_be_written_and_has_no_control_characters(text: str) -> None:
    shown = harmless(text)

    assert shown.encode("utf-8").decode("utf-8") == shown
    assert all(character in "\n\t" or ord(character) >= 0x20 for character in shown)


@given(st.text(), st.integers(2, 40))
def test_one_line_is_one_line_of_at_most_the_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)

    assert len(line) <= limit
    assert "\n" not in line
    assert "\t" not in line
