"""A folder of Markdown files is read whole; a file that cannot be read is told and stops nothing."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.markdown.folder import FILE_BYTES, Folder, batches, read_folder
from graphmem.memory.notes import FailedFile, MarkdownFile


def write(root: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return root


def test_markdown_files_are_read_with_their_line_ends_sorted_by_path(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "b.md": b"x\r\ny",
            "a/c.MD": "é".encode(),
            "d.markdown": b"",
            "e.mdc": b"\xef\xbb\xbfz",
            "f.txt": b"no",
            "g": b"no",
        },
    )

    found = read_folder(root)

    assert found.failed == ()
    assert found.files == (
        MarkdownFile("a/c.MD", "é"),
        MarkdownFile("b.md", "x\r\ny"),
        MarkdownFile("d.markdown", ""),
        MarkdownFile("e.mdc", "\ufeffz"),
    )


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    root = write(tmp_path, {".git/a.md": b"x", ".a.md": b"x", "x/.trash/a.md": b"x", "a.md": b"x"})

    assert [file.path for file in read_folder(root).files] == ["a.md"]


def test_a_file_that_cannot_be_read_is_told_and_stops_nothing(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.md": b"ok", "bad.md": b"ab\xff", "big.md": b"x" * (FILE_BYTES + 1)})
    (root / "gone.md").symlink_to(root / "nowhere.md")

    found = read_folder(root)

    assert [file.path for file in found.files] == ["a.md"]
    assert [(file.path, file.reason) for file in found.failed] == [
        ("bad.md", "text is not UTF-8 at byte 2; save the file as UTF-8"),
        (
            "big.md",
            f"text takes {FILE_BYTES + 15} bytes in a request, the limit is {FILE_BYTES}",
        ),
        ("gone.md", "path 'gone.md' is a link to nothing that can be read"),
    ]


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is no folder"):
        read_folder(tmp_path / "nowhere")
    with pytest.raises(InvalidInput, match="is no folder"):
        read_folder(write(tmp_path, {"a.md": b"x"}) / "a.md")


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a.md": b"x"})
    (root / "loop").symlink_to(root)

    assert [file.path for file in read_folder(root).files] == ["a.md"]


@given(st.lists(st.integers(0, 60)), st.integers(1, 4))
def test_requests_hold_every_file_once_in_order_and_stay_under_their_limits(
    sizes: list[int], most: int
) -> None:
    files = [MarkdownFile(f"{at}.md", "x" * size) for at, size in enumerate(sizes)]

    found = list(batches(files, bytes_limit=100, files_limit=most))

    assert [file for batch in found for file in batch] == files
    assert all(1 <= len(batch) <= most for batch in found)
    sized = [sum(len(file.path) + len(file.text) + 8 for file in batch) for batch in found]
    assert all(size <= 100 or len(batch) == 1 for size, batch in zip(sized, found, strict=True))


@pytest.mark.parametrize(
    ("unread", "gone"),
    [
        ("a.md", ["sub/a.md", "sub/deep/b.md", "subway.md"]),
        ("sub", ["a.md", "subway.md"]),
        ("sub/deep", ["a.md", "sub/a.md", "subway.md"]),
        (".", []),
    ],
)
def test_nothing_at_or_below_a_place_that_cannot_be_read_is_gone(unread: str, gone: list[str]) -> None:
    folder = Folder((MarkdownFile("here.md", "x"),), (FailedFile(unread, "cannot be read"),))

    assert folder.gone(["subway.md", "sub/deep/b.md", "sub/a.md", "here.md", "a.md"]) == gone


def test_a_folder_that_cannot_be_read_is_told_and_its_files_are_not_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path, {"sub/a.md": b"x", "b.md": b"y"})
    scandir = os.scandir

    def refusing(path: str) -> object:
        if Path(path).name == "sub":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)

    found = read_folder(root)

    assert found.failed == (FailedFile("sub", "cannot be read: Permission denied"),)
    assert found.gone(["b.md", "c.md", "sub/a.md"]) == ["c.md"]
