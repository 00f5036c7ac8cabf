"""Any model of ``sentence-transformers``, an extra: ``pip install graphmem[sentence-transformers]``."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from graphmem.errors import Misconfigured
from graphmem.vectors.cutting import Cutter, uncut
from graphmem.vectors.embedder import TEXT_RECIPE, Vectors, normalised

BATCH_TEXTS = 32
"""Texts in one run; a query waits for at most one run."""


class SentenceTransformersEmbedder:
    """The vectors of one model; see ``Embedder``. Open it with ``SentenceTransformersEmbedder.load``."""

    def __init__(self, model: str, loaded: Any) -> None:
        # Renamed in version 6 of the library.
        named = "get_embedding_dimension"
        width = getattr(loaded, named if hasattr(loaded, named) else "get_sentence_embedding_dimension")
        self.name = f"sentence-transformers:{model}"
        self.width = int(width())
        self._cutter = Cutter(uncut(loaded.tokenizer.backend_tokenizer), loaded.max_seq_length)
        self.recipe = f"{TEXT_RECIPE}; {model}/1; windows of {self._cutter.size} tokens, a sixth shared"
        self._model = loaded
        # One thread: the library changes its tokeniser's settings at each call, and two at once would fail.
        self._runs = ThreadPoolExecutor(1, thread_name_prefix="embed")

    @classmethod
    async def load(cls, model: str) -> SentenceTransformersEmbedder:
        """The embedder; the library fetches a model that is not on this machine yet.

        Args:
            model: A name on the model hub, or a folder.

        Raises:
            Misconfigured: the extra is not installed, there is no such model, or its tokeniser is a slow one.
        """
        return await asyncio.to_thread(cls._load, model)

    @classmethod
    def _load(cls, model: str) -> SentenceTransformersEmbedder:
        try:
            library = importlib.import_module("sentence_transformers")
        except ImportError as error:
            raise Misconfigured(
                "the embedder sentence-transformers is not installed; run: "
                "pip install 'graphmem[sentence-transformers]'"
            ) from error
        try:
            loaded = library.SentenceTransformer(model, device="cpu")
        except (OSError, ValueError) as error:
            raise Misconfigured(f"sentence-transformers has no model {model!r} here: {error}") from error
        if not hasattr(loaded.tokenizer, "backend_tokenizer"):
            raise Misconfigured(f"the model {model!r} has no fast tokeniser; choose another model")
        return cls(model, loaded)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder.embed``."""
        encode = getattr(self._model, "encode_document", self._model.encode)
        rows = [np.empty((0, self.width), dtype=np.float32)]
        for start in range(0, len(texts), BATCH_TEXTS):
            rows.append(await self._run(encode, list(texts[start : start + BATCH_TEXTS])))
        return np.concatenate(rows)

    async def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See ``Embedder.embed_query``; with the model's own prompt for queries, if it has one."""
        encode = getattr(self._model, "encode_query", self._model.encode)
        return np.asarray((await self._run(encode, [text]))[0], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        """See ``Embedder.windows``; up to 220 tokens each, a sixth of them shared."""
        return self._cutter.windows(text)

    async def close(self) -> None:
        """See ``Embedder.close``."""
        self._runs.shutdown(wait=False, cancel_futures=True)

    async def _run(self, encode: Any, texts: list[str]) -> Vectors:
        def run() -> Vectors:
            return normalised(
                encode(texts, batch_size=BATCH_TEXTS, convert_to_numpy=True, show_progress_bar=False)
            )

        return await asyncio.get_running_loop().run_in_executor(self._runs, run)
