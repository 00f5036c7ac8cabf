"""Texts cut into the windows that a model sees whole, by the model's own tokens."""

from __future__ import annotations

from tokenizers import Tokenizer

from graphmem.memory.windows import WINDOW_TOKENS, split_windows

MARKS = 2
"""Tokens that a model adds around a text."""


def uncut(tokenizer: Tokenizer) -> Tokenizer:
    """A copy that takes a text whole; the model's library changes the settings of its own."""
    copy: Tokenizer = Tokenizer.from_str(tokenizer.to_str())
    copy.no_truncation()
    copy.no_padding()
    return copy


class Cutter:
    """Cuts texts by the tokens of one model.

    Attributes:
        size: Tokens of a window: 220, or what the model sees if that is less.

    Args:
        tokenizer: One that takes a text whole.
        longest: Tokens that the model sees, marks included; None when it does not say.
        overlap: Tokens that two windows share; a sixth of a window unless given.
    """

    def __init__(self, tokenizer: Tokenizer, longest: int | None, overlap: int | None = None) -> None:
        self.size = min(WINDOW_TOKENS, (longest or WINDOW_TOKENS + MARKS) - MARKS)
        self._overlap = self.size // 6 if overlap is None else overlap
        self._tokenizer = tokenizer

    def windows(self, text: str) -> list[str]:
        """See ``Embedder.windows``."""
        if text.isascii() and len(text) <= self.size:
            # A token is at least one character of ASCII; others come apart, a Korean syllable into three.
            return [text]
        spans = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return [text[start:end] for start, end in split_windows(spans, self.size, self._overlap)] or [text]
