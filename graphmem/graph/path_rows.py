"""The rows that make paths: every path above a place, from the root down, with the names of rooms."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from graphmem.memory.paths import ancestors, depth, last_segment, parent

PALACE = "/palace"


KnownPath = tuple[str, bool]
"""A path that exists, and whether it has a display name."""


def path_rows(
    places: Collection[str], names: Mapping[str, str], known: Collection[KnownPath]
) -> list[dict[str, object]]:
    """A row for each path at or above a place that is not known as it is wanted, outermost first."""
    wanted = {above for place in places for above in ancestors(place)}
    missing = [path for path in wanted if (path, True) not in known]
    missing = [path for path in missing if path in names or (path, False) not in known]
    return [_row(path, names.get(path)) for path in sorted(missing, key=lambda path: (depth(path), path))]


def known_path(row: Mapping[str, object]) -> KnownPath:
    """What is known of a path once its row is written."""
    return str(row["path"]), row["display_name"] is not None


def _row(path: str, name: str | None) -> dict[str, object]:
    in_palace = path.startswith(PALACE + "/")
    return {
        "path": path,
        "segment": last_segment(path),
        "parent": parent(path),
        "ancestors": list(ancestors(path)),
        "display_name": name,
        "wing": in_palace and depth(path) == 2,
        "room": in_palace and depth(path) > 2,
    }
