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
from graphmem.memory.windows import WINDOW_TOKENS, split_windows
from graphmem.vectors.embedder import TEXT_RECIPE, Vectors, normalised

MARKS = 2
"""Tokens that a model adds around a text."""

BATCH_TEXTS = 32


class SentenceTransformersEmbedder:
    """The vectors of one model; see ``Embedder``. Open it with ``SentenceTransformersEmbedder.load``."""

    def __init__(self, model: str, loaded: Any) -> None:
        self.name = f"sentence-transformers:{model}"
        self.width = int(loaded.get_sentence_embedding_dimension())
        self._window = min(WINDOW_TOKENS, int(loaded.max_seq_length or WINDOW_TOKENS + MARKS) - MARKS)
        self.recipe = f"{TEXT_RECIPE}; {model}/1; windows of {self._window} tokens, a sixth shared"
        self._model = loaded
        self._batches = ThreadPoolExecutor(1, thread_name_prefix="embed")
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")

    @classmethod
    async def load(cls, model: str) -> SentenceTransformersEmbedder:
        """The embedder; the library fetches a model that is not on this machine yet.

        Args:
            model: A name on the model hub, or a folder.

        Raises:
            Misconfigured: the extra is not installed, or there is no such model.
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
        return cls(model, loaded)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder.embed``."""
        if not texts:
            return np.empty((0, self.width), dtype=np.float32)
        encode = getattr(self._model, "encode_document", self._model.encode)
        return await self._in(self._batches, encode, list(texts))

    async def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See ``Embedder.embed_query``; with the model's own prompt for queries, if it has one."""
        encode = getattr(self._model, "encode_query", self._model.encode)
        return np.asarray((await self._in(self._queries, encode, [text]))[0], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        """See ``Embedder.windows``."""
        if len(text) <= self._window:  # a token is at least one character
            return [text]
        encoded = self._model.tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        spans = [(int(start), int(end)) for start, end in encoded["offset_mapping"]]
        return [text[a:b] for a, b in split_windows(spans, self._window, self._window // 6)] or [text]

    async def close(self) -> None:
        """See ``Embedder.close``."""
        self._batches.shutdown(wait=False, cancel_futures=True)
        self._queries.shutdown(wait=False, cancel_futures=True)

    async def _in(self, threads: ThreadPoolExecutor, encode: Any, texts: list[str]) -> Vectors:
        def run() -> Vectors:
            return normalised(
                encode(texts, batch_size=BATCH_TEXTS, convert_to_numpy=True, show_progress_bar=False)
            )

        return await asyncio.get_running_loop().run_in_executor(threads, run)
