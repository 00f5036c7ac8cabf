"""Windows: the parts of a long text that get a vector each.

Works on the places of tokens that an embedder's tokeniser found; it never looks at the text.
"""

from __future__ import annotations

from collections.abc import Sequence

WINDOW_TOKENS = 220
"""Tokens of one window: MiniLM reads 256, two of them marks; what is shorter loses context."""

OVERLAP_TOKENS = 40
"""Tokens that a window shares with the one before, so that no sentence is cut in every window."""


def split_windows(
    spans: Sequence[tuple[int, int]], size: int = WINDOW_TOKENS, overlap: int = OVERLAP_TOKENS
) -> list[tuple[int, int]]:
    """The character ranges ``(start, end)`` of the windows, in order; together they cover every token.

    Args:
        spans: Start and end character of every token, in order.
        size: Most tokens of a window.
        overlap: Tokens shared with the window before. The last window may share more: it is as long as the
            others, since a short tail makes a poor vector.

    Returns:
        Empty for no tokens, one window for at most ``size`` tokens.

    Raises:
        ValueError: ``size`` is not positive, or ``overlap`` is negative or not smaller than ``size``.
    """
    if size < 1 or not 0 <= overlap < size:
        raise ValueError(f"windows of {size} tokens cannot overlap by {overlap}")
    if not spans:
        return []
    last = max(0, len(spans) - size)
    starts = [*range(0, last, size - overlap), last]
    return [(spans[start][0], spans[min(start + size, len(spans)) - 1][1]) for start in starts]
