"""A training that was stopped goes on, and comes to what it would have come to in one go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from regressors.kept import Kept
from regressors.models import FeatureModel, TextNum
from regressors.rows import TrainingRows
from regressors.trained import TrainedModel
from regressors.training import train

MakeRows = Callable[..., TrainingRows]


class Stopped(Exception):
    """As when somebody cancels, or the worker is killed."""


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each fit of a text model learns from."""
    seen: list[int] = []
    real = TextNum.fit_represented

    def counting(self: TextNum, X: object, told: object) -> TextNum:
        seen.append(len(told))  # type: ignore[arg-type]
        return real(self, X, told)  # type: ignore[arg-type]

    monkeypatch.setattr(TextNum, "fit_represented", counting)
    return seen


def trained(model: TextNum, rows: TrainingRows, keep: Path | None, stop_at: int = -1, seed: int = 4) -> TrainedModel:
    def progress(done: int, total: int, message: str) -> None:
        if message.startswith("Cross-validation") and done == stop_at:
            raise Stopped

    return train(rows, model=clone(model), seed=seed, repeats=2, folds=3, keep=keep, progress=progress)


def test_what_was_done_before_an_interruption_is_not_done_again(
    small_model: TextNum, make_rows: MakeRows, tmp_path: Path, fits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = make_rows(12)
    whole = trained(small_model, rows, None)
    assert len(fits) == 7
    fits.clear()
    with pytest.raises(Stopped):
        trained(small_model, rows, tmp_path, stop_at=4)  # one batch of texts, then the fourth of six folds
    assert len(fits) == 3
    reads: list[int] = []
    real = FeatureModel.represent

    def reading(self: FeatureModel, texts: list[str]) -> np.ndarray:
        reads.append(len(texts))
        return real(self, texts)

    monkeypatch.setattr(FeatureModel, "represent", reading)
    resumed = trained(small_model, rows, tmp_path)
    assert (len(fits), reads) == (7, [])
    assert resumed.card == whole.card
    texts = list(rows.texts[:20])
    assert resumed.predict(texts).tolist() == whole.predict(texts).tolist()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_taken_from_a_training_of_other_data_or_settings(
    small_model: TextNum, make_rows: MakeRows, tmp_path: Path, fits: list[int]
) -> None:
    with pytest.raises(Stopped):
        trained(small_model, make_rows(12), tmp_path, stop_at=4)
    fits.clear()
    trained(small_model, make_rows(12), tmp_path, seed=5)
    trained(small_model, make_rows(12, seed=1), tmp_path)
    assert len(fits) == 14
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {"seed": 1})

    def breaks() -> np.ndarray:
        raise Stopped

    with pytest.raises(Stopped):
        kept("fold-0-0", breaks)
    assert kept("fold-0-0", lambda: np.array([1.0, 2.0])).tolist() == [1.0, 2.0]
    assert kept("fold-0-0", breaks).tolist() == [1.0, 2.0]
    assert [file.name for file in kept.folder.iterdir()] == ["fold-0-0.npy"]


@pytest.mark.parametrize("content", [b"", b"no array", b"\x93NUMPY\x01\x00"])
def test_a_damaged_file_is_computed_anew(tmp_path: Path, content: bytes) -> None:
    kept = Kept(tmp_path, {"seed": 1})
    whole = kept("fold", lambda: np.arange(3.0))
    [file] = kept.folder.iterdir()
    file.write_bytes(content)

    assert np.array_equal(kept("fold", lambda: np.arange(3.0)), whole)
    assert np.array_equal(kept("fold", lambda: np.zeros(3)), whole)
