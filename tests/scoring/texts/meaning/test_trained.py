from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.model_folder import read_model_folder, write_model_folder
from scoring.result import ScoringError
from scoring.texts.meaning.model import DecidedPairs
from scoring.texts.meaning.trained import TREES_FILE, MeaningModel, train
from tests.scoring.texts.meaning.conftest import SharedLetters

FEW = {"repeats": 1, "folds": 3}


@pytest.fixture
def model(decided: DecidedPairs, scorer: SharedLetters) -> MeaningModel:
    return train(decided, scorer=scorer, **FEW)


def test_predicts_the_same_once_saved_and_loaded_in_any_company(
    model: MeaningModel, decided: DecidedPairs, scorer: SharedLetters, tmp_path: Path
) -> None:
    pairs = list(decided.pairs)
    saved = model.save(tmp_path / "model")
    loaded = MeaningModel.load(tmp_path / "model", scorer=scorer)
    expected = model.predict(pairs)
    np.testing.assert_array_equal(loaded.predict(pairs), expected)
    np.testing.assert_array_equal(np.concatenate([loaded.predict([pair]) for pair in reversed(pairs)])[::-1], expected)
    assert (loaded.sha256, loaded.card) == (saved.sha256, json.loads(json.dumps(model.card)))
    assert expected[decided.preserved].mean() > 0.7 > 0.3 > expected[~decided.preserved].mean()


def test_the_order_of_the_rows_does_not_matter(model: MeaningModel, decided: DecidedPairs, scorer: SharedLetters) -> None:
    turned = DecidedPairs.of(decided.pairs[::-1], decided.preserved[::-1].tolist())
    assert train(turned, scorer=scorer, **FEW).card == model.card


def test_another_encoder_is_refused(model: MeaningModel, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    other = SharedLetters()
    other.sha256 = "b" * 64
    with pytest.raises(ScoringError, match="another model"):
        MeaningModel.load(tmp_path / "model", scorer=other)


def changed(tmp_path: Path, model: MeaningModel, edit: Any) -> Path:
    """The model's folder with its trees edited and hashed anew."""
    import xgboost

    model.save(tmp_path / "model")
    stored = read_model_folder(tmp_path / "model")
    trees = json.loads(bytes(model.trees.booster.save_raw("json")))
    edit(trees)
    booster = xgboost.Booster()
    booster.load_model(bytearray(json.dumps(trees).encode()))
    write_model_folder(tmp_path / "bad", card=stored.card, files={TREES_FILE: bytes(booster.save_raw("ubj"))})
    return tmp_path / "bad"


def test_trees_that_lead_astray_are_refused(model: MeaningModel, scorer: SharedLetters, tmp_path: Path) -> None:
    def astray(trees: dict[str, Any]) -> None:
        tree = trees["learner"]["gradient_booster"]["model"]["trees"][0]
        tree["split_indices"][0] = 10_000

    with pytest.raises(ScoringError, match="not sound"):
        MeaningModel.load(changed(tmp_path, model, astray), scorer=scorer)


def test_what_is_no_tree_is_refused(model: MeaningModel, scorer: SharedLetters, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    card = read_model_folder(tmp_path / "model").card
    write_model_folder(tmp_path / "bad", card=card, files={TREES_FILE: b"\x80\x04cos\nsystem\n"})
    with pytest.raises(ScoringError, match="no trees that can be read"):
        MeaningModel.load(tmp_path / "bad", scorer=scorer)


def test_too_little_to_learn_from_is_said(decided: DecidedPairs, scorer: SharedLetters) -> None:
    with pytest.raises(ScoringError, match="At least 20 decided pairs are needed"):
        train(DecidedPairs.of(decided.pairs[:5], [True] * 5), scorer=scorer)
    with pytest.raises(ScoringError, match="decided alike on all pairs"):
        train(DecidedPairs.of(decided.pairs, [True] * len(decided.pairs)), scorer=scorer)
