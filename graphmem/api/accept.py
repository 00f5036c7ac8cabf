"""Which media type an ``Accept`` header asks for (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from collections.abc import Sequence


def accepted(header: str | None, offered: Sequence[str]) -> str | None:
    """The offered media type that the header likes best; the earlier one where it likes several alike.

    No header, and ``*/*``, like everything. None when it likes none of them. Of a type that is named more
    than once the most exact name counts.
    """
    if header is None or not header.strip():
        return offered[0]
    liked = [_range(part) for part in header.split(",")]
    quality = {media_type: _quality(media_type, liked) for media_type in offered}
    best = max(offered, key=lambda media_type: quality[media_type])
    return best if quality[best] > 0 else None


def _range(part: str) -> tuple[str, float]:
    name, *parameters = part.split(";")
    quality = 1.0
    for parameter in parameters:
        key, _, value = parameter.strip().partition("=")
        if key.lower() == "q":
            try:
                quality = float(value)
            except ValueError:
                quality = 0.0
        elif key.lower() == "charset" and value.strip('" ').lower() not in ("utf-8", "utf8"):
            quality = 0.0
    return name.strip().lower(), quality


def _quality(media_type: str, liked: Sequence[tuple[str, float]]) -> float:
    family = media_type.partition("/")[0] + "/*"
    for name in (media_type, family, "*/*"):
        found = [quality for liked_name, quality in liked if liked_name == name]
        if found:
            return max(found)
    return 0.0
