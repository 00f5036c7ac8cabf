"""An embedder without a model: signed feature hashing of words and letter triples.

Deterministic, instant, and texts that share words or spellings come out similar. For tests and for machines
where no model runs; it knows nothing of meaning.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from graphmem.memory.windows import split_windows
from graphmem.vectors.embedder import TEXT_RECIPE, Vectors, normalised

WIDTH = 256
WORD_WEIGHT, TRIPLE_WEIGHT = 1.0, 0.25
"""A word has about four letter triples, so spelling counts as much as the word itself."""

WINDOW_RECIPE = "windows of 220 pieces, 40 shared/1"

WORD = re.compile(r"\w+")
PIECE = re.compile(r"[\u0e00-\u0eff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|\w{1,6}|[^\w\s]")
"""About one token of a usual model: one sign of a script without spaces, six letters, or one mark."""


class HashEmbedder:
    """Vectors of 256 signed counts; see ``Embedder``."""

    name = "hash"
    width = WIDTH
    recipe = f"{TEXT_RECIPE}; words and letter triples, signed hashing/1; {WINDOW_RECIPE}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder.embed``."""
        rows = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                position, sign = _place(feature)
                row[position] += sign * weight
        return normalised(rows)

    async def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See ``Embedder.embed_query``."""
        return np.asarray((await self.embed([text]))[0], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        """See ``Embedder.windows``."""
        return piece_windows(text)

    async def close(self) -> None:
        """Nothing is held."""


def piece_windows(text: str) -> list[str]:
    """Windows of 220 pieces, 40 of them shared, for embedders whose tokens are not known."""
    spans = [found.span() for found in PIECE.finditer(text)]
    return [text[start:end] for start, end in split_windows(spans)] or [text]


def _features(text: str) -> Iterator[tuple[str, float]]:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    folded = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    for word in WORD.findall(folded):
        yield word, WORD_WEIGHT
        edged = f"<{word}>"
        for start in range(len(edged) - 2):
            yield f"#{edged[start : start + 3]}", TRIPLE_WEIGHT


@lru_cache(maxsize=65_536)
def _place(feature: str) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    number = int.from_bytes(digest, "big")
    return number % WIDTH, 1.0 if number & 0x8000_0000 else -1.0
