"""The fluency feature group, by tiny random language models, against torch's cross-entropy of one text after another."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from regressors.errors import RegressorError
from regressors.features import fluency, group_of
from regressors.features.fluency import FluencyFeatures
from scoring.result import ScoringError
from tests.regressors.features import tiny


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 that reads 128 tokens, and a Llama that reads more than are asked for."""
    return tiny.causal(tmp_path_factory.mktemp("models") / f"tiny-{request.param}", kind=request.param)


def alone(folder: Path, text: str) -> list[float]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder).eval()
    longest = min(256, model.config.max_position_embeddings)
    ids = torch.tensor([[tokenizer.eos_token_id, *tokenizer(text.replace("\ud800", "\ufffd"))["input_ids"]][:longest]])
    if ids.shape[1] == 1:
        return [0.0]
    with torch.no_grad():
        chances = torch.softmax(model(ids).logits[0].double(), dim=-1)
    return [-math.log2(chances[place, token]) for place, token in enumerate(ids[0, 1:])]


def test_surprisals_are_those_of_one_text_after_another(folder: Path) -> None:
    found = FluencyFeatures(str(folder)).surprisals(tiny.TEXTS)

    assert [bits.tolist() for bits in found] == [pytest.approx(alone(folder, text), rel=1e-5) for text in tiny.TEXTS]
    assert max(map(len, found)) == (127 if "gpt2" in folder.name else 255)


def test_the_columns_sum_the_surprisals_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = FluencyFeatures(str(folder))
    bits = [[1.0, 2.0, 3.0, 13.0, 6.0], [0.0]]
    monkeypatch.setattr(group, "surprisals", lambda texts: [np.array(of) for of in bits])

    rows = group.compute(["some", ""])

    assert group.names == (
        "mean_surprisal",
        "median_surprisal",
        "greatest_surprisal",
        "surprisal_deviation",
        "three_greatest_surprisals",
        "surprising_token_share",
        "perplexity",
    )
    assert rows.tolist() == [pytest.approx([5, 3, 13, math.sqrt((16 + 9 + 4 + 64 + 1) / 5), 22 / 3, 1 / 5, 32]), [0] * 6 + [1]]


def test_any_batch_gives_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = FluencyFeatures(str(folder))
    together = group.compute(tiny.TEXTS)
    monkeypatch.setattr(fluency, "_BATCH_SIZE", 2)

    assert np.allclose(group.compute(tiny.TEXTS[::-1])[::-1], together, rtol=1e-5, atol=0)
    assert np.array_equal(together[0], together[5])
    assert group.compute([]).shape == (0, 7)


def test_it_says_which_model_it_is(folder: Path, tmp_path: Path) -> None:
    group = group_of(f"fluency:{folder}")
    described = group.described()

    assert {key: described[key] for key in ("group", "version", "columns", "sha256", "name")} == {
        "group": "fluency",
        "version": "1",
        "columns": 7,
        "sha256": hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest(),
        "name": folder.name,
    }
    assert group.spec == f"fluency:{folder}"
    other = tiny.causal(tmp_path / folder.name, eos_token="<stop>")
    assert FluencyFeatures(str(other)).described()["tokenizer_sha256"] != described["tokenizer_sha256"]


def test_a_model_without_a_beginning_is_not_asked_for_the_first_token(tmp_path: Path) -> None:
    group = FluencyFeatures(str(tiny.causal(tmp_path / "tiny", pad_token="<pad>")))
    texts = ["The council opened the bridge", "a", ""]
    assert [len(bits) for bits in group.surprisals(texts)] == [4, 1, 1]
    assert group.surprisals(["a", ""]) == [[0], [0]]


def without_a_tensor(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    save_file({k: v for k, v in tensors.items() if "ln_f" not in k}, folder / "model.safetensors", {"format": "pt"})


def of_nothing_but_nan(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors: dict[str, Any] = {name: tensor * float("nan") for name, tensor in load_file(folder / "model.safetensors").items()}
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


def that_looks_ahead(folder: Path) -> None:
    from transformers import BertConfig, BertLMHeadModel

    config = BertConfig(vocab_size=300, hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=64)
    BertLMHeadModel(config).save_pretrained(folder)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "model.safetensors").unlink(), "it cannot be loaded"),
        (lambda folder: (folder / "config.json").unlink(), "it cannot be loaded"),
        (without_a_tensor, r"its weights lack 'transformer\.ln_f\.bias'"),
        (of_nothing_but_nan, "it gives a surprisal that is no number: its weights are broken"),
        (that_looks_ahead, "what it says of a token depends on later ones, so it is no causal language model"),
    ],
)
def test_a_broken_model_is_told_with_its_folder(tmp_path: Path, damage: Any, message: str) -> None:
    folder = tiny.causal(tmp_path / "tiny-broken")
    damage(folder)
    with pytest.raises(ScoringError, match=rf"tiny-broken: {message}.* \(a causal language model\)"):
        FluencyFeatures(str(folder)).compute(["a bridge"])


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScoringError, match="none: there is no such folder"):
        FluencyFeatures(str(tmp_path / "none")).described()


def test_without_a_folder_it_is_the_package_if_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fluency, "PACKAGE", "tiny_language_model")
    with pytest.raises(RegressorError, match="give its folder as fluency:PATH, or install"):
        group_of("fluency")
    (tiny.causal(tmp_path / "tiny_language_model") / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    group = group_of("fluency")
    assert (group.spec, group.described()["name"]) == ("fluency", "tiny_language_model")
    assert group.compute(["a bridge"]).shape == (1, 7)


def test_a_gguf_file_needs_its_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gguf").write_bytes(b"")
    monkeypatch.setattr(fluency, "_NEEDED_FOR_GGUF", ("json", "no_such_reader"))
    with pytest.raises(RegressorError, match=r"to read a \.gguf file, install: pip install no_such_reader$"):
        FluencyFeatures(str(tmp_path))
    (tmp_path / "b.gguf").write_bytes(b"")
    with pytest.raises(RegressorError, match=r"holds several \.gguf files"):
        FluencyFeatures(str(tmp_path))
