"""What every embedder must do, run against each of them.

The HTTP embedder talks to a real server on this machine. The extras run where they are installed, with a
model that is made on the spot or comes with GraphMem, so nothing is fetched.
"""

from __future__ import annotations

import asyncio
import importlib.util
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import numpy as np
import pytest

from graphmem.vectors.choose import open_embedder
from graphmem.vectors.embedder import TEXT_RECIPE, Embedder
from tests.unit.test_embedder_extras import open_fastembed, open_sentence_transformers
from tests.unit.test_embedder_http import serving_embeddings

TEXTS = [
    "Ada keeps the deployment key in the blue folder.",
    "short",
    "The release train leaves on Thursday; " * 40,
    "Größe, 猫 and a smile 🙂",
    "retries = 3  # see src/config.ts",
    " ",
]
"""Of very different lengths, not sorted, one of them empty to a reader."""

LONG = " ".join(f"Sentence number {n} tells of the harbour." for n in range(400))
"""2,800 words: about 15 windows."""

Opener = Callable[[Path, AsyncExitStack], Awaitable[Embedder]]


async def _named(name: str) -> Embedder:
    embedder = await open_embedder(name, threads=1)
    assert embedder is not None
    return embedder


async def _http(folder: Path, stack: AsyncExitStack) -> Embedder:
    server = await stack.enter_async_context(serving_embeddings())
    return await _named(f"openai:hash@{server.url}")


EMBEDDERS: dict[str, Opener] = {
    "hash": lambda folder, stack: _named("hash"),
    "minilm": lambda folder, stack: _named("minilm"),
    "http": _http,
    "sentence-transformers": lambda folder, stack: open_sentence_transformers(folder),
    "fastembed": lambda folder, stack: open_fastembed(folder),
}

NEEDS = {"sentence-transformers": "sentence_transformers", "fastembed": "fastembed"}
"""Libraries of the extras."""


def _param(name: str) -> object:
    missing = name in NEEDS and importlib.util.find_spec(NEEDS[name]) is None
    reason = f"the extra is not installed: pip install 'graphmem[{name}]'"
    return pytest.param(name, marks=pytest.mark.skipif(missing, reason=reason))


@pytest.fixture(scope="module", params=[_param(name) for name in EMBEDDERS])
async def embedder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Embedder]:
    async with AsyncExitStack() as stack:
        opened = await EMBEDDERS[request.param](tmp_path_factory.mktemp("model"), stack)
        yield opened
        await opened.close()


async def test_vectors_are_float32_of_length_1_in_the_order_of_the_texts(embedder: Embedder) -> None:
    rows = await embedder.embed(TEXTS)

    assert rows.shape == (len(TEXTS), embedder.width)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    alone = np.concatenate([await embedder.embed([text]) for text in TEXTS])
    assert np.einsum("nd,nd->n", rows, alone) == pytest.approx(1.0, abs=2e-3)
    mixed = rows[:5] @ alone[:5].T
    assert np.argmax(mixed, axis=1).tolist() == [0, 1, 2, 3, 4]


async def test_the_same_text_gives_the_same_vector(embedder: Embedder) -> None:
    first, second = await embedder.embed([TEXTS[0]]), await embedder.embed([TEXTS[0]])

    assert np.array_equal(first, second)


async def test_a_query_lies_in_the_space_of_the_texts(embedder: Embedder) -> None:
    query = await embedder.embed_query(TEXTS[0])
    rows = await embedder.embed(TEXTS)

    assert query.shape == (embedder.width,)
    assert query.dtype == np.float32
    assert float(np.linalg.norm(query)) == pytest.approx(1.0, abs=1e-5)
    assert int(np.argmax(rows @ query)) == 0


async def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert (await embedder.embed([])).shape == (0, embedder.width)


async def test_a_text_of_100_000_characters_is_embedded(embedder: Embedder) -> None:
    rows = await embedder.embed(["harbour " * 12_500])

    assert float(np.linalg.norm(rows[0])) == pytest.approx(1.0, abs=1e-5)


async def test_similar_texts_are_nearer_than_others(embedder: Embedder) -> None:
    if type(embedder).__name__ == "SentenceTransformersEmbedder":
        pytest.skip("the model is made on the spot with random weights")
    asked, near, far = await embedder.embed(
        [
            "Where is the deployment key kept?",
            "Ada keeps the deployment key in the blue folder.",
            "Rain falls on the harbour.",
        ]
    )

    assert asked @ near > asked @ far + 0.1


async def test_a_short_text_is_one_window(embedder: Embedder) -> None:
    assert embedder.windows("A short text.") == ["A short text."]
    assert embedder.windows(" ") == [" "]


async def test_a_long_text_is_windows_that_cover_it_and_overlap(embedder: Embedder) -> None:
    windows = embedder.windows(LONG)

    places = [LONG.index(window) for window in windows]
    ends = [place + len(window) for place, window in zip(places, windows, strict=True)]
    assert 8 <= len(windows) <= 80
    assert (places[0], ends[-1]) == (0, len(LONG))
    assert all(start < end for start, end in zip(places[1:], ends, strict=False)), "a gap between two windows"
    assert len(set(windows)) == len(windows)


async def test_no_text_is_too_long_for_windows(embedder: Embedder) -> None:
    windows = embedder.windows("The quick brown fox jumps over the lazy dog. " * 2_222)

    assert len(windows) >= 90
    assert max(map(len, windows)) < 2_000


async def test_scripts_without_spaces_are_cut_too(embedder: Embedder) -> None:
    assert len(embedder.windows("記憶は港の倉庫にある。" * 200)) >= 8


async def test_name_and_recipe_say_what_makes_the_vectors(embedder: Embedder) -> None:
    assert embedder.name
    assert embedder.recipe.startswith(TEXT_RECIPE)
    assert "windows of" in embedder.recipe
    assert "\n" not in embedder.recipe


async def test_the_loop_runs_on_while_texts_are_embedded(embedder: Embedder) -> None:
    embedding = asyncio.create_task(embedder.embed([f"{n} {TEXTS[2]}" for n in range(24)]))
    worst = 0.0
    while not embedding.done():
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        worst = max(worst, time.perf_counter() - before)

    assert (await embedding).shape[0] == 24
    assert worst < 1.0


async def test_the_end_of_a_korean_text_counts(embedder: Embedder) -> None:
    beginning = "가나다라마바사아자차카타파하 " * 13
    ends = ("고양이가 창가에 앉아", "주전자를 시장에 팔았")

    first, second = [await embedder.embed([embedder.windows(beginning + end)[-1]]) for end in ends]

    assert float(first[0] @ second[0]) < 0.999
