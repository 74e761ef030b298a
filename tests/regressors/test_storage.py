"""Trained models on disk: the same predictions afterwards, and nothing that was tampered with."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regressors import storage
from regressors.errors import RegressorError
from regressors.models import TextNum
from regressors.rows import TrainingRows
from regressors.storage import load, save
from regressors.trained import TrainedModel
from regressors.training import train
from scoring.model_folder import dump_skops, dump_tensors, load_tensors, read_model_folder, write_model_folder

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


def test_a_loaded_model_predicts_exactly_the_same(trained: TrainedModel, folder: Path, encoder: Any) -> None:
    loaded = load(folder, encoder=encoder)

    assert np.array_equal(loaded.predict(TEXTS), trained.predict(TEXTS))
    for after, before in zip(loaded.predict_interval(TEXTS), trained.predict_interval(TEXTS), strict=True):
        assert np.array_equal(after, before)
    assert loaded.card == trained.card
    assert np.array_equal(loaded.training_texts, trained.training_texts)
    assert loaded.sha256 == read_model_folder(folder).sha256


def test_the_same_training_gives_the_same_hash(trained: TrainedModel, tmp_path: Path) -> None:
    assert trained.sha256 is None
    saved = save(trained, tmp_path / "a")
    assert saved.sha256 is not None
    assert len(saved.sha256) == 64


def test_a_saved_and_loaded_model_can_be_saved_again(folder: Path, encoder: Any, tmp_path: Path) -> None:
    again = save(load(folder, encoder=encoder), tmp_path / "again")

    assert np.array_equal(load(tmp_path / "again", encoder=encoder).predict(TEXTS), again.predict(TEXTS))


def test_an_existing_folder_is_kept(trained: TrainedModel, folder: Path, encoder: Any) -> None:
    with pytest.raises(RegressorError, match="holds a model already"):
        save(trained, folder)
    save(trained, folder, replace=True)
    assert load(folder, encoder=encoder).card == trained.card


@pytest.mark.parametrize("name", ["ridge.safetensors", "forest.skops", "training_texts.safetensors"])
def test_a_changed_or_missing_file_is_refused(folder: Path, encoder: Any, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[-1] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(RegressorError, match=f"'{name}' does not match its hash"):
        load(folder, encoder=encoder)

    (folder / name).unlink()
    with pytest.raises(RegressorError, match="missing"):
        load(folder, encoder=encoder)


def test_a_missing_card_is_refused(folder: Path, encoder: Any) -> None:
    (folder / "card.json").unlink()

    with pytest.raises(RegressorError, match=r"has no card\.json"):
        load(folder, encoder=encoder)


def test_a_card_without_its_fields_is_refused(tmp_path: Path, encoder: Any) -> None:
    write_model_folder(tmp_path / "bare", card={"kind": "suspicion regressor"}, files={})
    with pytest.raises(RegressorError, match="lacks a part of the model"):
        load(tmp_path / "bare", encoder=encoder)

    write_model_folder(tmp_path / "victim", card={"kind": "victim"}, files={})
    with pytest.raises(RegressorError, match="holds no suspicion regressor; its card says 'victim'"):
        load(tmp_path / "victim", encoder=encoder)


def test_another_major_version_of_scikit_learn_is_refused(folder: Path, encoder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "version", lambda name: "2.0.1")

    with pytest.raises(RegressorError, match=r"was saved with scikit-learn 1\.\S+; here is 2\.0\.1"):
        load(folder, encoder=encoder)


def test_another_version_of_the_features_is_refused(folder: Path, encoder: Any) -> None:
    features = read_model_folder(folder).card["features"]
    features[1]["version"] = "0"

    with pytest.raises(RegressorError, match="version 0 of the lexical features; here they are version 1"):
        load(rewritten(folder, card={"features": features}), encoder=encoder)


def test_another_encoder_is_refused(folder: Path, encoder: Any) -> None:
    encoder.sha256 = "1" * 64

    with pytest.raises(RegressorError, match="was trained with the encoder small 1"):
        load(folder, encoder=encoder)


class Bomb:
    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.target),)


@pytest.mark.parametrize("name", ["ridge.safetensors", "forest.skops", "training_texts.safetensors"])
def test_a_pickle_in_place_is_never_executed(folder: Path, encoder: Any, tmp_path: Path, name: str) -> None:
    target = tmp_path / "executed"

    with pytest.raises(RegressorError, match=r"skops|safetensors"):
        load(rewritten(folder, files={name: pickle.dumps(Bomb(target))}), encoder=encoder)
    assert not target.exists()


def test_another_object_in_place_of_the_forest_is_refused(folder: Path, encoder: Any, trained: TrainedModel) -> None:
    from sklearn.linear_model import Ridge

    for obj, message in (
        (Ridge().fit([[0.0], [1.0]], [0.0, 1.0]), "a type that is not allowed here"),
        (trained.model.numeric_.forest_.estimators_[0], "holds no forest"),  # type: ignore[attr-defined]
        ({"a": 1}, "holds no forest"),
    ):
        with pytest.raises(RegressorError, match=message):
            load(rewritten(folder, files={"forest.skops": dump_skops(obj)}), encoder=encoder)


@pytest.mark.parametrize(
    ("field", "value"), [("left_child", 10_000), ("left_child", 0), ("right_child", -5), ("feature", 22), ("feature", -1)]
)
def test_a_tree_that_leads_nowhere_is_refused(folder: Path, encoder: Any, trained: TrainedModel, field: str, value: int) -> None:
    forest = trained.model.numeric_.forest_  # type: ignore[attr-defined]
    tree = forest.estimators_[0].tree_
    state = tree.__getstate__()
    nodes = state["nodes"].copy()
    nodes[field][0] = value
    tree.__setstate__(state | {"nodes": nodes})

    with pytest.raises(RegressorError, match="a tree that is not sound"):
        load(rewritten(folder, files={"forest.skops": dump_skops(forest)}), encoder=encoder)


def test_weights_that_do_not_fit_are_refused(folder: Path, encoder: Any) -> None:
    ridge = load_tensors(read_model_folder(folder).files["ridge.safetensors"])

    short = dump_tensors(ridge | {"coef": ridge["coef"][:-1]})
    with pytest.raises(RegressorError, match="no weights for 24 columns"):
        load(rewritten(folder, files={"ridge.safetensors": short}), encoder=encoder)
    infinite = dump_tensors(ridge | {"coef": ridge["coef"] * np.inf})
    with pytest.raises(RegressorError, match="not finite"):
        load(rewritten(folder, files={"ridge.safetensors": infinite}), encoder=encoder)


def test_the_folder_holds_plain_files_only(folder: Path) -> None:
    assert sorted(entry.name for entry in folder.iterdir()) == [
        "card.json",
        "forest.skops",
        "ridge.safetensors",
        "training_texts.safetensors",
    ]
    assert json.loads((folder / "card.json").read_text())["kind"] == "suspicion regressor"
