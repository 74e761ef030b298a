"""BERTScore, by a tiny random model on disk, against the package's own function for one pair after another."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from scoring.result import ScoringError
from scoring.texts.bert_score import BertScore
from tests.scoring.texts import tiny

READABLE = [tuple(text.replace("\ud800", "\ufffd") for text in pair) for pair in tiny.PAIRS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.bert(tmp_path_factory.mktemp("models") / "tiny-bert")


@pytest.mark.parametrize("layer", [None, 1])
def test_it_is_that_of_its_package_one_by_one(folder: Path, layer: int | None) -> None:
    from bert_score import score

    expected = []
    for original, modified in READABLE:
        with contextlib.redirect_stderr(io.StringIO()):  # it warns of empty texts
            parts = score([modified], [original], model_type=str(folder), num_layers=layer or 3, device="cpu")
        expected.append([float(part) for part in parts])
    found = BertScore(folder, layer=layer).all_parts(tiny.PAIRS)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-5)
    assert len({round(values[-1], 3) for values in found}) >= 5


def test_the_score_is_f1_and_any_batch_gives_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parts = BertScore(folder).all_parts(tiny.PAIRS)
    monkeypatch.setattr("scoring.texts.bert_score.BATCH_SIZE", 2)
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path))
    assert BertScore(folder).score(tiny.PAIRS[::-1])[::-1] == pytest.approx([f1 for *_, f1 in parts], abs=1e-5)


def test_it_says_which_model_and_layer(folder: Path, tmp_path: Path) -> None:
    assert BertScore(folder).name == "BERTScore F1 (tiny-bert, layer 3, no idf, not rescaled)"
    assert BertScore(folder, layer=2).name == "BERTScore F1 (tiny-bert, layer 2, no idf, not rescaled)"
    known = tiny.bert(tmp_path / "bert-base-uncased")
    with pytest.raises(ScoringError, match="it has the layers 1 to 3, not 9"):
        BertScore(known)


def test_layers_are_not_mixed_up_on_disk(folder: Path) -> None:
    pair = [("the film was great", "rain is expected")]
    assert BertScore(folder, layer=1).score(pair) != pytest.approx(BertScore(folder, layer=2).score(pair), abs=1e-4)


def test_what_is_no_encoder_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ScoringError, match="there is no such folder"):
        BertScore(tmp_path / "none")
    (tmp_path / "config.json").write_text('{"is_encoder_decoder": true, "num_hidden_layers": 2}')
    with pytest.raises(ScoringError, match="it is no encoder such as BERT"):
        BertScore(tmp_path)
