"""Training the default kind of model, its card, and its intervals."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.base import clone

from regressors.errors import RegressorError
from regressors.evaluation import evaluate_model
from regressors.features.lexical import LexicalFeatures
from regressors.models import TextNum
from regressors.rows import TrainingRows, label_texts
from regressors.trained import TrainedModel, calibrate
from regressors.training import train

MakeRows = Callable[..., TrainingRows]


def quick(model: TextNum, rows: TrainingRows, **options: object) -> TrainedModel:
    return train(rows, model=clone(model), **{"seed": 4, "repeats": 2} | options)  # type: ignore[arg-type]


def test_the_card_says_what_was_trained_on_what_and_how_well(small_model: TextNum, make_rows: MakeRows) -> None:
    rows = make_rows(20, judgements=2)
    card = quick(small_model, rows, card={"simulated": True, "title": "Suspicion, pilot"}).card

    assert json.loads(json.dumps(card, allow_nan=False)) == card
    assert (card["kind"], card["model"], card["seed"]) == ("suspicion regressor", "text+num", 4)
    assert (card["simulated"], card["title"]) == (True, "Suspicion, pilot")
    assert card["data"] == {
        "sha256": label_texts(rows).sha256(),
        "texts": 60,
        "judgements": 120,
        "originals": 20,
        "grouping": "original",
        "label": "median",
        "scale": [1.0, 5.0],
    }
    assert card["features"][0] == {"group": "encoder", "version": "1", "columns": 24, "sha256": "0" * 64, "name": "small 1"}
    assert card["features"][1] == LexicalFeatures().described()
    assert card["evaluation"]["r"]["value"] > 0.5
    assert card["evaluation"]["r"]["interval"]["low"] < card["evaluation"]["r"]["value"]
    assert card["evaluation"]["noise_ceiling"]["n"] == 60
    assert card["training_mean"] == pytest.approx(np.mean(rows.scores), abs=0.2)
    assert set(card["libraries"]) == {"scikit-learn", "xgboost-cpu", "numpy", "wordfreq", "transformers", "torch"}
    assert card["predictions"]["min"] < card["predictions"]["median"] < card["predictions"]["max"]


def test_data_are_not_simulated_unless_the_caller_says_so(small_model: TextNum, make_rows: MakeRows) -> None:
    assert quick(small_model, make_rows(8)).card["simulated"] is False


def test_the_final_model_is_the_model_fitted_on_all(small_model: TextNum, make_rows: MakeRows) -> None:
    rows = make_rows(10, judgements=3)
    data = label_texts(rows)

    trained = quick(small_model, rows)
    direct = clone(small_model).fit(data.texts, data.labels, data.counts, data.groups)

    assert np.array_equal(trained.predict(rows.texts), direct.predict(rows.texts))
    assert trained.predict([]).shape == (0,)
    assert np.isfinite(trained.predict(["", "\ud800", "x" * 100_000])).all()


def test_neither_the_order_of_rows_nor_workers_change_anything(small_model: TextNum, make_rows: MakeRows) -> None:
    rows = make_rows(10, judgements=2)
    turned = TrainingRows(rows.texts[::-1], rows.scores[::-1], (rows.originals or ())[::-1])
    two_workers = clone(small_model).set_params(numeric__n_jobs=2)

    first, second = quick(small_model, rows), quick(two_workers, turned)

    assert first.card == second.card
    assert np.array_equal(first.predict(rows.texts), second.predict(rows.texts))


def test_progress_is_told_in_order_and_can_stop_the_training(small_model: TextNum, make_rows: MakeRows) -> None:
    told: list[tuple[int, int, str]] = []
    quick(small_model, make_rows(10), progress=lambda *step: told.append(step))

    assert [done for done, _, _ in told] == list(range(14))  # one batch of texts, 2 × 5 fits, two more, the end
    assert {total for _, total, _ in told} == {13}
    assert told[0][2] == "Reading the texts"
    assert told[-1][2] == "Trained"

    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int, message: str) -> None:
        if done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        quick(small_model, make_rows(10), progress=cancel)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (TrainingRows(["a b", "c d", "e f"], [1, 2, 3]), "At least 10 different texts are needed to train a model, not 3"),
        (TrainingRows(["same"] * 12, [1, 2] * 6), "At least 10 different texts are needed to train a model, not 1"),
        (TrainingRows([f"text {i}" for i in range(12)], [2] * 12), "Every text has the score 2: there is nothing to learn"),
        (TrainingRows([f"text {i}" for i in range(12)], [2] * 11 + [7]), "Row 12: the score 7 is outside the scale 1 to 5"),
    ],
)
def test_what_cannot_be_trained_on_is_said(small_model: TextNum, rows: TrainingRows, message: str) -> None:
    with pytest.raises(RegressorError, match=message):
        quick(small_model, rows)


def test_one_original_trains_but_is_not_evaluated(small_model: TextNum, make_rows: MakeRows) -> None:
    rows = make_rows(5)
    trained = quick(small_model, TrainingRows(rows.texts, rows.scores, ["same"] * len(rows.texts)))

    assert trained.card["evaluation"]["r"]["reason"]["code"] == "one_original"
    assert trained.card["predictions"] is None
    assert trained.predict(["any text"]).shape == (1,)
    with pytest.raises(RegressorError, match="no intervals"):
        trained.predict_interval(["any text"])


def test_settings_that_do_not_fit_are_refused(small_model: TextNum, make_rows: MakeRows) -> None:
    for options, message in (
        ({"scale": (0.0, 5.0)}, "must be the same"),
        ({"folds": 1}, "at least 1 repetition of 2 folds"),
        ({"repeats": 0}, "at least 1 repetition of 2 folds"),
        ({"card": {"seed": 9}}, "'seed' is written by the training"),
    ):
        with pytest.raises(RegressorError, match=message):
            quick(small_model, make_rows(5), **options)


def test_another_scale_is_kept_to(small_model: TextNum, make_rows: MakeRows) -> None:
    rows = make_rows(12)
    shares = TrainingRows(rows.texts, [(score - 1) / 4 for score in rows.scores], rows.originals)
    model = clone(small_model).set_params(text__scale=(0, 1), numeric__scale=(0, 1))

    trained = quick(model, shares, scale=(0, 1))
    score, low, high = trained.predict_interval(rows.texts)

    assert trained.card["data"]["scale"] == [0, 1]
    assert low.min() >= 0
    assert (low <= score).all()
    assert (score <= high).all()
    assert high.max() <= 1


def test_intervals_cover_nine_in_ten_of_new_texts(small_model: TextNum, make_rows: MakeRows) -> None:
    trained = quick(small_model, make_rows(120, noise=1.0, seed=1))
    new = make_rows(120, noise=1.0, seed=2)

    _, low, high = trained.predict_interval(new.texts)

    covered = np.mean((low <= new.scores) & (new.scores <= high))
    assert 0.85 <= covered <= 0.97
    assert (high - low).mean() < 3.7


def test_calibration_takes_both_tails() -> None:
    labels = np.zeros(999)
    residuals = np.linspace(-1, 3, 999)

    calibration = calibrate(labels, (labels - residuals)[None, :])

    assert calibration["lower_residual"] == pytest.approx(-0.8, abs=0.01)
    assert calibration["upper_residual"] == pytest.approx(2.8, abs=0.01)
    assert calibrate(np.zeros(19), np.zeros((1, 19)))["reason"]["code"] == "too_few_residuals"
    assert calibrate(labels, None)["reason"]["code"] == "too_few_residuals"


def test_evaluation_on_other_data(small_model: TextNum, make_rows: MakeRows) -> None:
    trained = quick(small_model, make_rows(40, seed=1))

    evaluation = evaluate_model(trained, make_rows(25, seed=2, judgements=2), seed=3)

    assert evaluation.r.value is not None
    assert evaluation.r.value > 0.7
    assert evaluation.r.method == "Pearson r"
    assert evaluation.rmse_gain.value is not None
    assert evaluation.rmse_gain.value > 0
    assert (evaluation.protocol["kind"], evaluation.protocol["texts"]) == ("other data", 75)


def test_texts_of_the_training_are_no_test(small_model: TextNum, make_rows: MakeRows) -> None:
    rows = make_rows(10, seed=1)
    trained = quick(small_model, rows)
    mixed = TrainingRows([*rows.texts[:2], "a new text"], [1, 2, 3], ["x", "y", "z"])

    with pytest.raises(RegressorError, match="2 of the 3 texts are among those that the model was trained on"):
        evaluate_model(trained, mixed)


def test_too_few_or_equal_texts_have_reasons(small_model: TextNum, make_rows: MakeRows) -> None:
    trained = quick(small_model, make_rows(10))

    for rows, code in (
        (TrainingRows(["new one", "new two"], [1, 2], ["x", "y"]), "too_few_texts"),
        (TrainingRows(["new one", "two", "three"], [2, 2, 2], ["x", "y", "z"]), "constant_labels"),
    ):
        evaluation = evaluate_model(trained, rows)
        assert evaluation.r.reason is not None
        assert evaluation.r.reason.code == code
        assert evaluation.rmse.value is not None
        assert evaluation.noise_ceiling.reason is not None
        assert evaluation.noise_ceiling.reason.code == "not_repeated"
