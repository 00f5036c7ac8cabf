"""What every embedder can do, and the one recipe of the text that is embedded for a memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""``(n, width)`` floats, each row of length 1."""

TEXT_RECIPE = "title. content/1"
"""Name and version of ``text_recipe``; part of every embedder's ``recipe``."""


class Embedder(Protocol):
    """Texts to vectors, always the same for the same text.

    ``name`` and ``width`` say which model, ``recipe`` everything else that changes a vector (text recipe,
    windows, pooling): two embedders whose three values agree give vectors of one space.
    """

    @property
    def name(self) -> str:
        """The setting that opens this embedder again."""
        ...

    @property
    def width(self) -> int:
        """Floats in each vector."""
        ...

    @property
    def recipe(self) -> str:
        """How texts become vectors, as one line."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """``(len(texts), width)`` normalised float32, in the order of ``texts``.

        Raises:
            Unavailable: the model does not answer.
            Misconfigured: it answers with another width, or refuses the key.
        """
        ...

    async def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """``(width,)`` normalised float32 of one search text, quickly."""
        ...

    def windows(self, text: str) -> list[str]:
        """``text`` in overlapping pieces that the model sees whole, in order; a short text is one piece.

        Quick for short texts; 100,000 characters take up to 50 ms, so call it off the loop then.
        """
        ...

    async def close(self) -> None:
        """Lets threads, sessions and connections go."""
        ...


def text_recipe(title: str | None, content: str) -> str:
    """What is embedded for a memory: ``title. content``, or the content alone when the title heads it."""
    if title is None or not title.strip():
        return content
    name = title.strip()
    folded = name.casefold()
    head = content.lstrip("# \t\r\n")[: 3 * len(name) + 1].casefold()
    heads = head.startswith(folded) and not head[len(folded) : len(folded) + 1].isalnum()
    return content if heads else f"{name}. {content}"


def normalised(rows: npt.NDArray[np.floating]) -> Vectors:
    """``rows`` scaled to length 1, as float32; a row of length 0 becomes the first axis."""
    vectors = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    unit[lengths[:, 0] == 0, 0] = 1.0
    return np.ascontiguousarray(unit, dtype=np.float32)
