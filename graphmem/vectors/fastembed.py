"""Any model of Qdrant's library ``fastembed`` (ONNX), an extra: ``pip install graphmem[fastembed]``."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphmem.errors import Misconfigured
from graphmem.vectors.cutting import Cutter, uncut
from graphmem.vectors.embedder import TEXT_RECIPE, Vectors, normalised

BATCH_TEXTS = 32


class FastembedEmbedder:
    """The vectors of one model; see ``Embedder``. Open it with ``FastembedEmbedder.load``."""

    def __init__(self, model: str, width: int, loaded: Any) -> None:
        self.name = f"fastembed:{model}"
        self.width = width
        tokenizer = loaded.model.tokenizer
        self._cutter = Cutter(uncut(tokenizer), (tokenizer.truncation or {}).get("max_length"))
        self.recipe = f"{TEXT_RECIPE}; {model}/1; windows of {self._cutter.size} tokens, a sixth shared"
        self._model = loaded
        self._batches = ThreadPoolExecutor(1, thread_name_prefix="embed")
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")

    @classmethod
    async def load(
        cls,
        model: str,
        *,
        threads: int | None = None,
        cache_folder: Path | None = None,
        folder: Path | None = None,
    ) -> FastembedEmbedder:
        """The embedder; the library fetches a model that is not on this machine yet.

        Args:
            model: One of the library's model names.
            threads: Cores that one run may use; by default the library decides.
            cache_folder: Where fetched models are kept.
            folder: A folder that holds the model's files already, so that nothing is fetched.

        Raises:
            Misconfigured: the extra is not installed, or there is no such model.
        """
        return await asyncio.to_thread(cls._load, model, threads, cache_folder, folder)

    @classmethod
    def _load(
        cls, model: str, threads: int | None, cache_folder: Path | None, folder: Path | None
    ) -> FastembedEmbedder:
        try:
            library = importlib.import_module("fastembed")
        except ImportError as error:
            raise Misconfigured(
                "the embedder fastembed is not installed; run: pip install 'graphmem[fastembed]'"
            ) from error
        given: dict[str, Any] = {"threads": threads}
        if cache_folder is not None:
            given["cache_dir"] = str(cache_folder)
        if folder is not None:
            given["specific_model_path"] = str(folder)
        try:
            width = int(library.TextEmbedding.get_embedding_size(model))
            loaded = library.TextEmbedding(model, **given)
        except (OSError, ValueError) as error:
            raise Misconfigured(f"fastembed has no model {model!r} here: {error}") from error
        return cls(model, width, loaded)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder.embed``."""
        if not texts:
            return np.empty((0, self.width), dtype=np.float32)
        return await self._in(self._batches, self._model.passage_embed, list(texts))

    async def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See ``Embedder.embed_query``; with the model's own prefix for queries, if it has one."""
        return np.asarray(
            (await self._in(self._queries, self._model.query_embed, [text]))[0], dtype=np.float32
        )

    def windows(self, text: str) -> list[str]:
        """See ``Embedder.windows``; up to 220 tokens each, a sixth of them shared."""
        return self._cutter.windows(text)

    async def close(self) -> None:
        """See ``Embedder.close``."""
        self._batches.shutdown(wait=False, cancel_futures=True)
        self._queries.shutdown(wait=False, cancel_futures=True)

    async def _in(self, threads: ThreadPoolExecutor, encode: Any, texts: list[str]) -> Vectors:
        def run() -> Vectors:
            return normalised(np.stack(list(encode(texts))))

        return await asyncio.get_running_loop().run_in_executor(threads, run)
