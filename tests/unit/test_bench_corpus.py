"""Reading a corpus and its queries: what a row becomes, what is left out, what is refused."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from graphmem.bench.corpus import Query, Row, read_corpus, read_queries, rooms_of
from graphmem.errors import InvalidInput


def written(path: Path, lines: Iterable[object]) -> Path:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


FULL = {
    "id": "t1",
    "group": "talk",
    "text": "The kettle is blue.",
    "time": "4 pm on 2 May",
    "speaker": "Ines",
    "caption": "a kettle",
    "title": "Kitchen",
    "pos": 3,
}


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_a_row_becomes_time_speaker_text_and_caption(tmp_path: Path, name: str) -> None:
    corpus = read_corpus(written(tmp_path / name, [FULL]))

    content = "(4 pm on 2 May) Ines: The kettle is blue. [image: a kettle]"
    assert corpus.rows == (Row("t1", "talk", content, "Kitchen"),)
    assert corpus.empty == 0


@pytest.mark.parametrize(
    ("fields", "content"),
    [
        ({"text": "Só."}, "Só."),
        ({"text": "Yes.", "speaker": "Tom"}, "Tom: Yes."),
        ({"text": "Yes.", "time": "May"}, "(May) Yes."),
        ({"text": "", "caption": "a boat"}, "[image: a boat]"),
        ({"text": " Yes. \n", "speaker": " ", "time": None}, "Yes."),
    ],
)
def test_what_a_row_lacks_leaves_nothing_behind(
    tmp_path: Path, fields: dict[str, object], content: str
) -> None:
    corpus = read_corpus(written(tmp_path / "rows.jsonl", [{"id": "a", "group": "g", **fields}]))

    assert [row.content for row in corpus.rows] == [content]
    assert corpus.rows[0].title is None


def test_rows_without_text_are_counted_and_left_out(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "group": "g", "text": ""},
        {"id": "b", "group": "g", "text": "kept", "title": ""},
        {"id": "c", "group": "g", "text": " \n", "speaker": "Tom", "time": "May"},
        {"id": "d", "group": "g", "text": None},
    ]

    corpus = read_corpus(written(tmp_path / "rows.jsonl", rows))

    assert [row.id for row in corpus.rows] == ["b"]
    assert corpus.empty == 3


def test_a_title_is_cut_at_the_limit_of_titles(tmp_path: Path) -> None:
    row = {"id": "a", "group": "g", "text": "t", "title": " " + "long " * 60}

    corpus = read_corpus(written(tmp_path / "rows.jsonl", [row]))

    assert corpus.rows[0].title == ("long " * 40).rstrip()


def test_blank_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('\n{"id": "a", "group": "g", "text": "t"}\n\n', encoding="utf-8")

    assert [row.id for row in read_corpus(path).rows] == ["a"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"group": "g", "text": "t"}, "corpus line 2.id is 'None'; it must be a text and not empty"),
        ({"id": "x", "group": " ", "text": "t"}, "corpus line 2.group is ' '"),
        ({"id": 7, "group": "g", "text": "t"}, "corpus line 2.id is '7'; it must be a text"),
        ({"id": "x", "group": "g", "text": 5}, "corpus line 2.text is '5'; it must be a text"),
        ({"id": "x", "group": "g", "text": "a\ud800b"}, "corpus line 2.text holds half of a surrogate pair"),
        ({"id": "first", "group": "g", "text": "t"}, "corpus line 2 repeats the id 'first'"),
        (["id"], "corpus line 2 is \"['id']\"; every line is a JSON object"),
    ],
)
def test_a_bad_row_is_refused_with_its_line_and_field(tmp_path: Path, line: object, message: str) -> None:
    path = tmp_path / "rows.jsonl"
    lines = [{"id": "first", "group": "g", "text": "t"}, line]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")

    with pytest.raises(InvalidInput) as refused:
        read_corpus(path)

    assert str(refused.value).startswith(message)


def test_a_line_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("{id: 1}\n", encoding="utf-8")

    with pytest.raises(InvalidInput, match="corpus line 1 is no JSON"):
        read_corpus(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("none.jsonl", None),
        ("plain.jsonl.gz", b'{"id": "a"}\n'),
        ("cut.jsonl.gz", gzip.compress(b'{"id": "a", "group": "g", "text": "t"}\n' * 50)[:-20]),
        ("latin.jsonl", '{"id": "a", "group": "g", "text": "caffè"}\n'.encode("latin-1")),
    ],
    ids=["absent", "not packed", "cut off", "not UTF-8"],
)
def test_a_file_that_cannot_be_read_is_one_clear_error(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(InvalidInput, match=r"^queries .*cannot be read") as refused:
        read_queries(path)

    assert name in str(refused.value)


def test_a_query_keeps_its_relevant_rows_and_its_category(tmp_path: Path) -> None:
    lines = [
        {"id": "q1", "group": "g", "text": "Which?", "relevant": {"a": 2, "b": 0}, "category": "one"},
        {"id": "q2", "group": "g", "text": "None?", "relevant": {}},
        {"id": "q3", "group": "g", "text": "Absent?"},
    ]

    queries = read_queries(written(tmp_path / "queries.jsonl.gz", lines))

    assert queries == (
        Query("q1", "g", "Which?", {"a": 2}, "one"),
        Query("q2", "g", "None?", {}),
        Query("q3", "g", "Absent?", {}),
    )


@pytest.mark.parametrize("relevant", [["a"], {"a": "1"}, {"a": 1.5}, {"a": True}, "a"])
def test_relevance_that_is_no_map_of_grades_is_refused(tmp_path: Path, relevant: object) -> None:
    lines = [{"id": "q1", "group": "g", "text": "Which?", "relevant": relevant}]

    with pytest.raises(InvalidInput, match=r"queries line 1\.relevant"):
        read_queries(written(tmp_path / "queries.jsonl", lines))


def test_every_group_has_a_room_of_its_own() -> None:
    rows = [Row("1", "conv-30", "t"), Row("2", "Talk B", "t"), Row("3", "conv-30", "t")]

    assert rooms_of(rows) == {"conv-30": "/palace/bench/conv-30", "Talk B": "/palace/bench/talk-b"}


@pytest.mark.parametrize(("one", "other"), [("Talk B", "talk_b"), ("a", "a/b"), ("a/b", "a")])
def test_groups_that_would_see_each_other_are_refused(one: str, other: str) -> None:
    with pytest.raises(InvalidInput, match="become one place"):
        rooms_of([Row("1", one, "t"), Row("2", "a-b", "t"), Row("3", other, "t")])
