"""What links call a file and its sections, and what a link in a file names.

One spelling on both sides: names of sections here, targets of links there. A note is called by its path
without suffix, or by the end of it (``Bases/Views``, ``Views``); a section by a note and ``#`` heading, or by
the path and ``#`` slug as web pages do (``Bases/Views#sort-and-group``).
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from urllib.parse import unquote

from graphmem.memory.links import TARGET_CHARACTERS, find_links
from graphmem.memory.notes.blocks import WrittenLink

SUFFIXES = (".md", ".markdown", ".mdc")
"""Endings of Markdown files, lower case; a note's name leaves them out."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_MARKS = re.compile(r"[*`]|~~|==")
_BREAKING = re.compile(r"[#^|:%\[\]\\\s]+")


def without_suffix(path: str) -> str:
    """The path of a note without the ending of a Markdown file."""
    for suffix in SUFFIXES:
        if path.casefold().endswith(suffix):
            return path[: -len(suffix)]
    return path


def note_names(path: str) -> tuple[str, ...]:
    """The stem, then the path from each folder on, whole path last."""
    parts = without_suffix(path).split("/")
    return tuple("/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1))


def heading_name(heading: str) -> str:
    """The heading as it stands behind ``#`` in names and targets.

    Editors leave out the characters that would break a link (``#^|:%[]``), and marks of emphasis and code.
    """
    return _BREAKING.sub(" ", _MARKS.sub("", heading)).strip()


def slug(heading: str) -> str:
    """The anchor of a heading on a web page: lower case, no punctuation, ``-`` for each space.

    Source: the anchors that GitHub gives to headings.
    """
    kept = (
        character
        for character in heading.strip().lower()
        if character in " -_" or unicodedata.category(character)[0] in "LNM"
    )
    return "".join(kept).replace(" ", "-")


def target_of(link: WrittenLink, path: str) -> tuple[str, str] | None:
    """Label and target of a link in the file ``path``; None for one that names nothing in the folder."""
    found = _wiki_target(link.wiki, path) if link.wiki is not None else _address_target(link, path)
    if found is None or not found[1] or len(found[1]) > TARGET_CHARACTERS:
        return None
    return found


def _wiki_target(inner: str, path: str) -> tuple[str, str] | None:
    named, _, label = inner.partition("|")
    named, label = named.strip(), label.strip()
    if named.startswith("#"):
        heading = _last_heading(named)
        own = without_suffix(path)
        return label or named, f"{own}#{heading}" if heading else own
    for link in find_links(f"[[{inner}]]"):
        target = link.target
        if target.startswith(("./", "../")):
            inside = _inside(path, target)
            if inside is None:
                return None
            target = inside
        if target.startswith("/"):
            return link.text, target
        heading = _last_heading(link.heading or "")
        note = without_suffix(target)
        return link.text, f"{note}#{heading}" if heading else note
    return None


def _last_heading(text: str) -> str:
    """Of ``A#B`` the name of B; empty for a block (``^id``), which is no section."""
    last = text.rpartition("#")[2].strip()
    return "" if last.startswith("^") else heading_name(last)


def _address_target(link: WrittenLink, path: str) -> tuple[str, str] | None:
    if _SCHEME.match(link.address):
        return None
    place, _, fragment = link.address.partition("#")
    place, fragment = unquote(place.partition("?")[0]), unquote(fragment)
    if place:
        inside = _inside(path, place)
        if inside is None or not _may_be_note(inside):
            return None
        note = without_suffix(inside)
    else:
        note = without_suffix(path)
    anchor = "" if fragment.startswith("^") else heading_name(fragment)
    if not place and not anchor:
        return None
    target = f"{note}#{anchor}" if anchor else note
    return link.text or target, target


def _inside(path: str, relative: str) -> str | None:
    """The place that ``relative`` names from the folder of ``path``; None outside the imported folder."""
    folder = "" if relative.startswith("/") else posixpath.dirname(path)
    found = posixpath.normpath(posixpath.join(folder, relative.lstrip("/")))
    return None if found == "." or found == ".." or found.startswith("../") else found


def _may_be_note(path: str) -> bool:
    """A Markdown file, or a name without an ending; other files hold no sections."""
    ending = posixpath.splitext(path)[1].casefold()
    return ending in ("", *SUFFIXES)
