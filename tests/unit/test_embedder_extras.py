"""The extras: what they say when they are missing, and models for their tests that need no network."""

from __future__ import annotations

import importlib.util
from importlib import import_module
from pathlib import Path

import pytest

from graphmem.errors import Misconfigured
from graphmem.vectors import fastembed, sentence_transformers
from graphmem.vectors.choose import open_embedder
from graphmem.vectors.embedder import Embedder
from graphmem.vectors.fastembed import FastembedEmbedder
from graphmem.vectors.minilm import MODEL, TOKENIZER, MiniLM
from graphmem.vectors.sentence_transformers import SentenceTransformersEmbedder


async def open_sentence_transformers(folder: Path) -> Embedder:
    """A BERT of two layers and random weights with MiniLM's tokeniser, saved as a model is published."""
    torch, transformers = map(import_module, ("torch", "transformers"))
    torch.manual_seed(20261130)
    (folder / "tokenizer.json").write_bytes(TOKENIZER.read())
    marks = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "pad", "cls", "sep", "mask")}
    words = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"), model_max_length=128, **marks
    )
    words.save_pretrained(folder / "bert")
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(folder / "bert")
    return await SentenceTransformersEmbedder.load(str(folder / "bert"))


async def open_fastembed(folder: Path) -> Embedder:
    """The MiniLM that comes with GraphMem, laid out as the library expects it."""
    (folder / "model.onnx").write_bytes(MODEL.read())
    (folder / "tokenizer.json").write_bytes(TOKENIZER.read())
    (folder / "config.json").write_text('{"pad_token_id": 0}')
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 256, "pad_token": "[PAD]"}')
    (folder / "special_tokens_map.json").write_text('{"pad_token": "[PAD]"}')
    return await FastembedEmbedder.load("sentence-transformers/all-MiniLM-L6-v2", threads=1, folder=folder)


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("sentence-transformers:any", sentence_transformers, "sentence-transformers"),
        ("fastembed:any", fastembed, "fastembed"),
    ],
)
async def test_a_missing_extra_names_what_to_install(
    monkeypatch: pytest.MonkeyPatch, name: str, module: object, extra: str
) -> None:
    def nothing(wanted: str) -> object:
        raise ModuleNotFoundError(wanted)

    monkeypatch.setattr(f"{module.__name__}.importlib.import_module", nothing)  # type: ignore[attr-defined]

    with pytest.raises(Misconfigured, match=rf"pip install 'graphmem\[{extra}\]'"):
        await open_embedder(name)


@pytest.mark.skipif(
    importlib.util.find_spec("fastembed") is None,
    reason="the extra is not installed: pip install 'graphmem[fastembed]'",
)
async def test_an_unknown_fastembed_model_is_named() -> None:
    with pytest.raises(Misconfigured, match="fastembed has no model 'no/such-model'"):
        await open_embedder("fastembed:no/such-model")


@pytest.mark.skipif(
    importlib.util.find_spec("fastembed") is None,
    reason="the extra is not installed: pip install 'graphmem[fastembed]'",
)
async def test_minilm_gives_the_vectors_of_another_implementation(tmp_path: Path) -> None:
    ours, theirs = await MiniLM.load(1), await open_fastembed(tmp_path)
    texts = ["Ada keeps the key in the blue folder.", "short", "The harbour; " * 60, "Größe, 猫 und 🙂"]

    same = (await ours.embed(texts) * await theirs.embed(texts)).sum(axis=1)

    assert same.tolist() == pytest.approx([1.0] * 4, abs=1e-3)
    await ours.close()
    await theirs.close()
