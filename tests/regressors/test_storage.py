"""Trained models on disk: the same predictions afterwards, and nothing that was tampered with."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regressors import storage
from regressors.errors import RegressorError
from regressors.features.group import FeatureGroup
from regressors.models import TextNum
from regressors.rows import TrainingRows
from regressors.storage import load, save
from regressors.trained import TrainedModel
from regressors.training import train
from scoring.model_folder import dump_skops, dump_tensors, read_model_folder, write_model_folder

Groups = dict[str, FeatureGroup]

TEXTS = ["the council opened a bridge", "teh cuoncil opneed a brigde", "", "сat \u200b"]


@pytest.fixture
def trained(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> TrainedModel:
    return train(make_rows(12), model=small_model, repeats=1, seed=1)


@pytest.fixture
def folder(trained: TrainedModel, tmp_path: Path) -> Path:
    save(trained, tmp_path / "model")
    return tmp_path / "model"


def rewritten(folder: Path, *, card: dict[str, Any] | None = None, files: dict[str, bytes] | None = None) -> Path:
    """The same model with other contents and hashes that match them, as somebody would craft it."""
    stored = read_model_folder(folder)
    write_model_folder(folder, card=stored.card | (card or {}), files=stored.files | (files or {}), replace=True)
    return folder


def test_a_loaded_model_predicts_exactly_the_same(trained: TrainedModel, folder: Path, small_groups: Groups) -> None:
    loaded = load(folder, groups=small_groups)

    assert np.array_equal(loaded.predict(TEXTS), trained.predict(TEXTS))
    for after, before in zip(loaded.predict_interval(TEXTS), trained.predict_interval(TEXTS), strict=True):
        assert np.array_equal(after, before)
    assert loaded.card == trained.card
    for after, before in zip(asdict(loaded.seen).values(), asdict(trained.seen).values(), strict=True):
        assert np.array_equal(after, before)
    assert loaded.sha256 == read_model_folder(folder).sha256


def test_the_same_training_gives_the_same_hash(trained: TrainedModel, tmp_path: Path) -> None:
    assert trained.sha256 is None
    saved = save(trained, tmp_path / "a")
    assert saved.sha256 is not None
    assert len(saved.sha256) == 64


def test_a_saved_and_loaded_model_can_be_saved_again(folder: Path, small_groups: Groups, tmp_path: Path) -> None:
    again = save(load(folder, groups=small_groups), tmp_path / "again")

    assert np.array_equal(load(tmp_path / "again", groups=small_groups).predict(TEXTS), again.predict(TEXTS))


def test_an_existing_folder_is_kept(trained: TrainedModel, folder: Path, small_groups: Groups) -> None:
    with pytest.raises(RegressorError, match="holds a model already"):
        save(trained, folder)
    save(trained, folder, replace=True)
    assert load(folder, groups=small_groups).card == trained.card


@pytest.mark.parametrize("name", ["text.ridge.safetensors", "numeric.learner.skops", "training_texts.safetensors"])
def test_a_changed_or_missing_file_is_refused(folder: Path, small_groups: Groups, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(RegressorError, match=f"'{name}' does not match its hash"):
        load(folder, groups=small_groups)

    (folder / name).unlink()
    with pytest.raises(RegressorError, match="missing"):
        load(folder, groups=small_groups)


def test_a_missing_card_is_refused(folder: Path, small_groups: Groups) -> None:
    (folder / "card.json").unlink()

    with pytest.raises(RegressorError, match=r"has no card\.json"):
        load(folder, groups=small_groups)


def test_a_card_without_its_fields_is_refused(tmp_path: Path, small_groups: Groups) -> None:
    write_model_folder(tmp_path / "bare", card={"kind": "suspicion regressor", "format": 2}, files={})
    with pytest.raises(RegressorError, match="lacks a part of the model"):
        load(tmp_path / "bare", groups=small_groups)

    write_model_folder(tmp_path / "victim", card={"kind": "victim"}, files={})
    with pytest.raises(RegressorError, match="holds no suspicion regressor; its card says 'victim'"):
        load(tmp_path / "victim", groups=small_groups)


def test_another_major_version_of_scikit_learn_is_refused(
    folder: Path, small_groups: Groups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "version", lambda name: "2.0.1")

    with pytest.raises(RegressorError, match=r"was saved with scikit-learn 1\.\S+; here is 2\.0\.1"):
        load(folder, groups=small_groups)


def test_another_version_of_the_features_is_refused(folder: Path, small_groups: Groups) -> None:
    features = read_model_folder(folder).card["features"]
    features[1]["version"] = "0"

    with pytest.raises(RegressorError, match="was trained on the features group lexical, version 0, "):
        load(rewritten(folder, card={"features": features}), groups=small_groups)


def test_another_encoder_is_refused(folder: Path, small_groups: Groups) -> None:
    small_groups["encoder"].encoder.sha256 = "1" * 64  # type: ignore[attr-defined]

    with pytest.raises(RegressorError, match=r"group encoder, .*sha256 0{64}, name small 1; here they are .*sha256 1{64}"):
        load(folder, groups=small_groups)


def test_another_format_is_refused(folder: Path, small_groups: Groups) -> None:
    with pytest.raises(RegressorError, match="has format 1 of model folders; here format 2 is read"):
        load(rewritten(folder, card={"format": 1}), groups=small_groups)


def test_an_unknown_kind_is_refused(folder: Path, small_groups: Groups) -> None:
    with pytest.raises(RegressorError, match="There is no kind of model 'oracle' here"):
        load(rewritten(folder, card={"parameters": {"kind": "oracle"}}), groups=small_groups)


class Bomb:
    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.target),)


@pytest.mark.parametrize("name", ["text.ridge.safetensors", "numeric.learner.skops", "training_texts.safetensors"])
def test_a_pickle_in_place_is_never_executed(folder: Path, small_groups: Groups, tmp_path: Path, name: str) -> None:
    target = tmp_path / "executed"

    with pytest.raises(RegressorError, match=r"skops|safetensors"):
        load(rewritten(folder, files={name: pickle.dumps(Bomb(target))}), groups=small_groups)
    assert not target.exists()


def test_the_folder_holds_plain_files_only(folder: Path) -> None:
    assert sorted(entry.name for entry in folder.iterdir()) == [
        "card.json",
        "numeric.learner.skops",
        "text.ridge.safetensors",
        "training_texts.safetensors",
        "weights.safetensors",
    ]
    assert json.loads((folder / "card.json").read_text())["kind"] == "suspicion regressor"


def test_numbers_that_nobody_fitted_are_refused(trained: TrainedModel, folder: Path, small_groups: Groups) -> None:
    huber = trained.model.numeric_.learner_.regressor_  # type: ignore[attr-defined]
    fitted = huber.coef_
    for coefficients, message in ((fitted * np.nan, "predicts no number from 1 to 5"), (fitted[:-1], "cannot predict")):
        huber.coef_ = coefficients
        file = {"numeric.learner.skops": dump_skops(trained.model.numeric_.learner_)}  # type: ignore[attr-defined]
        with pytest.raises(RegressorError, match=message):
            load(rewritten(folder, files=file), groups=small_groups)


@pytest.mark.parametrize("share", [np.nan, -0.1, 1.1])
def test_a_weight_that_is_no_share_is_refused(folder: Path, small_groups: Groups, share: float) -> None:
    weights = {"weights.safetensors": dump_tensors({"share_of_text": np.array([share])})}
    with pytest.raises(RegressorError, match="holds no share from 0 to 1"):
        load(rewritten(folder, files=weights), groups=small_groups)
