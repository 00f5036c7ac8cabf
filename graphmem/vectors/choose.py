"""The embedder that a setting names.

minilm                               the one that comes with GraphMem
hash                                 words and spellings only, for tests
none                                 no vectors: keyword search alone
sentence-transformers:<model>        extra
fastembed:<model>                    extra
openai:<model>@<url>                 a server that speaks OpenAI's /embeddings
"""

from __future__ import annotations

from pathlib import Path

from graphmem.errors import Misconfigured, shown
from graphmem.vectors.embedder import Embedder

FORMS = "minilm, hash, none, sentence-transformers:<model>, fastembed:<model>, openai:<model>@<url>"


async def open_embedder(
    name: str,
    *,
    threads: int | None = None,
    key: str | None = None,
    width: int | None = None,
    cache_folder: Path | None = None,
) -> Embedder | None:
    """The embedder, loaded and ready; ``None`` for ``none``.

    Args:
        name: As above.
        threads: Cores that one run of a local model may use.
        key: For a server.
        width: Of a server's vectors, so that it is not asked at the start.
        cache_folder: Where fetched models are kept.

    Raises:
        Misconfigured: the name has no known form, or its embedder cannot be loaded.
        Unavailable: a server does not answer.
    """
    kind, colon, model = name.strip().partition(":")
    match kind:
        case "none" if not colon:
            return None
        case "hash" if not colon:
            from graphmem.vectors.hashing import HashEmbedder

            return HashEmbedder()
        case "minilm" if not colon:
            from graphmem.vectors.minilm import MiniLM

            return await MiniLM.load(threads)
        case "sentence-transformers" if model:
            from graphmem.vectors.sentence_transformers import SentenceTransformersEmbedder

            return await SentenceTransformersEmbedder.load(model)
        case "fastembed" if model:
            from graphmem.vectors.fastembed import FastembedEmbedder

            return await FastembedEmbedder.load(model, threads=threads, cache_folder=cache_folder)
        case "openai" if "@" in model:
            from graphmem.vectors.http import HttpEmbedder

            model_name, _, url = model.partition("@")
            return await HttpEmbedder.connect(model_name, url, key=key, width=width)
    raise Misconfigured(f"GRAPHMEM_EMBEDDER is {shown(name)}; it is one of {FORMS}")
