"""BLEURT and MeaningBERT, by tiny random models on disk, against calling their packages for one pair after another."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
import torch

from scoring.result import ScoringError
from scoring.texts.pair_models import PairModel, bleurt, meaning_bert
from tests.scoring.texts import tiny

READABLE = [tuple(text.replace("\ud800", "\ufffd") for text in pair) for pair in tiny.PAIRS]


@pytest.fixture(scope="module", params=["words", "sentences"])
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BLEURT with word pieces, as the first ones, or with sentencepieces, as BLEURT-20."""
    return tiny.bleurt(tmp_path_factory.mktemp("models") / f"tiny-bleurt-{request.param}", pieces=request.param)


def alone_by_bleurt(folder: Path, pair: tuple[str, ...]) -> float:
    """As BODEGA asks for it, with a batch of one."""
    from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer

    model = BleurtForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = BleurtTokenizer.from_pretrained(folder)
    with torch.no_grad():
        inputs = tokenizer([pair[0]], [pair[1]], padding="longest", max_length=512, truncation=True, return_tensors="pt")
        return float(model(**inputs).logits.flatten()[0])


def test_bleurt_is_that_of_its_package_one_by_one(checkpoint: Path) -> None:
    expected = [alone_by_bleurt(checkpoint, pair) for pair in READABLE]
    found = bleurt(checkpoint).score(tiny.PAIRS)
    assert found == pytest.approx(expected, abs=1e-5)
    assert len({round(score, 3) for score in found}) >= 7


def test_original_and_modified_are_not_exchanged(checkpoint: Path) -> None:
    scorer = bleurt(checkpoint)
    assert scorer.score([("the film", "bad rain")]) != pytest.approx(scorer.score([("bad rain", "the film")]), abs=1e-4)


def test_any_batch_gives_the_same(checkpoint: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    together = bleurt(checkpoint).score(tiny.PAIRS)
    monkeypatch.setattr("scoring.texts.pair_models.BATCH_SIZE", 2)
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path))
    assert bleurt(checkpoint).score(tiny.PAIRS[::-1])[::-1] == pytest.approx(together, abs=1e-5)


def test_it_says_which_model_it_is(checkpoint: Path) -> None:
    scorer = bleurt(checkpoint)
    assert scorer.name == f"BLEURT ({checkpoint.name})"
    assert scorer.version == f"bleurt-pytorch {version('bleurt-pytorch')}"
    assert scorer.sha256 == hashlib.sha256((checkpoint / "model.safetensors").read_bytes()).hexdigest()


def test_meaning_bert_is_that_of_transformers_one_by_one(tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tiny.bert_for_sequences(tmp_path / "tiny-meaning-bert")
    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    expected = []
    for original, modified in READABLE:
        with torch.no_grad():
            inputs = tokenizer([original], [modified], truncation=True, padding=True, return_tensors="pt")
            expected.append(float(model(**inputs).logits[0, 0]))
    scorer = meaning_bert(folder)
    assert scorer.score(tiny.PAIRS) == pytest.approx(expected, abs=1e-5)
    assert scorer.name == "MeaningBERT (tiny-meaning-bert)"


def corrupted(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:2_000])


def without_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def without_tokeniser(folder: Path) -> None:
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        (folder / name).unlink(missing_ok=True)


def without_the_head(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    save_file({k: v for k, v in tensors.items() if "classifier" not in k}, folder / "model.safetensors", {"format": "pt"})


def of_nothing_but_nan(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    broken = {name: tensor * float("nan") if tensor.is_floating_point() else tensor for name, tensor in tensors.items()}
    save_file(broken, folder / "model.safetensors", {"format": "pt"})


def with_a_larger_vocabulary(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"x{n}" for n in range(999)), "a", "b"]))


def with_a_broken_config(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def with_another_size(folder: Path) -> None:
    config = (folder / "config.json").read_text()
    (folder / "config.json").write_text(config.replace('"hidden_size": 32', '"hidden_size": 64'))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (corrupted, "it cannot be loaded"),
        (without_weights, "no weights there"),
        (without_tokeniser, "it cannot be loaded"),
        (without_the_head, "its weights lack 'classifier.bias'"),
        (of_nothing_but_nan, "gives a score that is no number"),
        (with_a_larger_vocabulary, "it cannot score texts: index out of range"),
        (with_a_broken_config, "its config.json is not JSON"),
        (with_another_size, "it cannot be loaded"),
    ],
)
def test_a_damaged_model_is_told_in_one_line(
    tmp_path: Path, damage: Callable[[Path], None], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tiny.bleurt(tmp_path / "damaged")
    damage(folder)
    capfd.readouterr()
    with pytest.raises(ScoringError, match=message) as caught:
        bleurt(folder).score([("a", "b")])
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value) or "(damaged)" in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda folder: folder, bleurt, "there is no such folder"),
        (lambda folder: folder.mkdir() or folder, bleurt, "no config.json there"),
        (tiny.bert, bleurt, "describes a model of type 'bert' and not 'bleurt'"),
        (tiny.bert, meaning_bert, "does not describe a model for sequences"),
        (lambda folder: tiny.bert_for_sequences(folder, numbers=2), meaning_bert, "it tells 2 classes apart"),
    ],
)
def test_a_folder_of_something_else_is_told_in_one_line(
    tmp_path: Path, make: Callable[[Path], Path], kind: Callable[[Path], PairModel], message: str
) -> None:
    folder = make(tmp_path / "other")
    with pytest.raises(ScoringError, match=message) as caught:
        kind(folder).score([("a", "b")])
    assert "\n" not in str(caught.value)
