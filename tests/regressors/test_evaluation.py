"""Cross-validation that never splits an original, and what it finds where the truth is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from regressors.evaluation import cross_validate, evaluate_out_of_fold, grouped_folds
from regressors.models import TextNum, make_model
from regressors.rows import Label, LabelledTexts, TrainingRows, label_texts
from regressors.targets import Targets
from scoring.judgements.ceiling import noise_ceiling


def evaluated(model: TextNum, rows: TrainingRows, **options: Any) -> Any:
    data = label_texts(rows)
    out_of_fold = cross_validate(model, model.represent(data.texts), data, seed=0, repeats=2, **options)
    return evaluate_out_of_fold(data, out_of_fold, seed=0, repeats=2)


@pytest.mark.parametrize("originals", [2, 3, 7, 40])
def test_folds_never_split_an_original(originals: int) -> None:
    groups = np.random.default_rng(originals).integers(originals, size=150)
    tested = []
    for train, test in grouped_folds(groups, folds=5, seed=1):
        assert set(groups[train]) & set(groups[test]) == set()
        assert len(train) + len(test) == 150
        tested.extend(test.tolist())
    assert sorted(tested) == list(range(150))


def test_models_are_fitted_without_the_originals_they_predict(
    small_model: TextNum, make_rows: Callable[..., TrainingRows], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = label_texts(make_rows(12))
    features = small_model.represent(data.texts)
    group_of = {row.tobytes(): group for row, group in zip(features, data.groups.tolist(), strict=True)}
    trained_on: list[set[int]] = []
    overlaps: list[set[int]] = []
    fit, predict = TextNum.fit_represented, TextNum.predict_represented

    def fit_seen(self: TextNum, X: np.ndarray, told: Targets) -> TextNum:
        trained_on.append({group_of[row.tobytes()] for row in X})
        assert told.groups.tolist() == [group_of[row.tobytes()] for row in X]
        return fit(self, X, told)

    def predict_seen(self: TextNum, X: np.ndarray) -> np.ndarray:
        overlaps.append({group_of[row.tobytes()] for row in X} & trained_on[-1])
        return predict(self, X)

    monkeypatch.setattr(TextNum, "fit_represented", fit_seen)
    monkeypatch.setattr(TextNum, "predict_represented", predict_seen)
    cross_validate(small_model, features, data, seed=0, repeats=2)

    assert overlaps == [set()] * 10


def test_a_known_signal_is_found(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    evaluation = evaluated(small_model, make_rows(60, judgements=2))

    assert evaluation.r.value > 0.8
    assert evaluation.r.interval.low > 0.7
    assert evaluation.rmse.value < evaluation.rmse_constant.value
    assert evaluation.rmse_gain.interval.low > 0
    assert 0.9 < evaluation.noise_ceiling.value <= 1
    assert evaluation.share_of_ceiling.value == pytest.approx(evaluation.r.value / evaluation.noise_ceiling.value)


def test_shuffled_labels_give_no_signal(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    rows = make_rows(60)
    shuffled = np.random.default_rng(0).permutation(rows.scores).tolist()

    evaluation = evaluated(small_model, TrainingRows(rows.texts, shuffled, rows.originals))

    assert abs(evaluation.r.value) < 0.2
    assert evaluation.r.interval.low < 0 < evaluation.r.interval.high
    assert evaluation.rmse_gain.value < 0.02


def test_labels_that_belong_to_originals_alone_are_not_found(
    small_model: TextNum, make_rows: Callable[..., TrainingRows]
) -> None:
    """Split by row, a model would learn each original's level from its variants. By original there is nothing to learn."""
    rows = make_rows(40, variants=5)
    level = dict(zip(sorted(set(rows.originals or ())), np.random.default_rng(1).integers(1, 6, size=40).tolist(), strict=True))
    by_original = TrainingRows(rows.texts, [level[name] for name in rows.originals or ()], rows.originals)
    by_row = TrainingRows(by_original.texts, by_original.scores, [str(row) for row in range(len(rows.texts))])

    assert evaluated(small_model, by_original).r.value < 0.15
    assert evaluated(small_model, by_row).r.value > 0.35


def test_the_same_seed_gives_the_same_and_rows_may_come_in_any_order(
    small_model: TextNum, make_rows: Callable[..., TrainingRows]
) -> None:
    rows = make_rows(15)
    turned = TrainingRows(rows.texts[::-1], rows.scores[::-1], (rows.originals or ())[::-1])

    assert evaluated(small_model, rows).as_dict() == evaluated(small_model, turned).as_dict()


def test_one_original_has_a_reason(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    rows = make_rows(4)
    evaluation = evaluated(small_model, TrainingRows(rows.texts, rows.scores, ["same"] * len(rows.texts)))

    for estimate in (
        evaluation.r,
        evaluation.spearman,
        evaluation.rmse,
        evaluation.rmse_constant,
        evaluation.rmse_gain,
        evaluation.share_of_ceiling,
    ):
        assert estimate.value is None
        assert estimate.reason.code == "one_original"


@pytest.mark.parametrize("label", ["mean", "median"])
def test_the_ceiling_is_that_of_the_label_with_interval_and_n(
    small_model: TextNum, make_rows: Callable[..., TrainingRows], label: Label
) -> None:
    data = label_texts(make_rows(40, judgements=3, noise=2.0), label=label)
    out_of_fold = cross_validate(small_model, small_model.represent(data.texts), data, seed=0, repeats=1)
    found = evaluate_out_of_fold(data, out_of_fold, seed=0, repeats=1)
    scores = {place: [int(score) for score in judged] for place, judged in enumerate(data.judgements)}
    expected = noise_ceiling(scores, label=label, seed=0, cluster_of=dict(enumerate(data.groups.tolist())))

    assert found.noise_ceiling == expected
    assert expected.value is not None and expected.interval is not None and expected.n == 120
    assert found.r.value is not None
    assert found.share_of_ceiling.value == pytest.approx(found.r.value / expected.value)
    assert found.share_of_ceiling.interval is not None


def test_fractions_have_no_ceiling_but_a_reason(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    rows = make_rows(10, judgements=2)
    evaluation = evaluated(small_model, TrainingRows(rows.texts, [1 + score / 7 for score in rows.scores], rows.originals))

    assert evaluation.noise_ceiling.reason.code == "not_whole_numbers"
    assert evaluation.share_of_ceiling.reason.code == "not_whole_numbers"


def test_the_protocol_says_what_was_done(small_model: TextNum, make_rows: Callable[..., TrainingRows]) -> None:
    protocol = evaluated(small_model, make_rows(12, judgements=2)).protocol

    first, second = protocol.pop("r_by_repeat")
    assert protocol.pop("r_spread") == {
        "least": min(first, second),
        "greatest": max(first, second),
        "standard_deviation": pytest.approx(abs(first - second) / 2**0.5),
    }
    assert protocol == {
        "kind": "repeated grouped cross-validation",
        "repeats": 2,
        "folds": 5,
        "seed": 0,
        "texts": 36,
        "judgements": 72,
        "originals": 12,
        "grouping": "original",
        "label": "median",
    }


def test_the_constant_is_the_weighted_mean_of_the_training_folds(
    small_model: TextNum, make_rows: Callable[..., TrainingRows]
) -> None:
    rows = make_rows(2)
    twice = TrainingRows([*rows.texts, rows.texts[0], rows.texts[3]], [*rows.scores, 5, 1], [*(rows.originals or ()), "x", "y"])
    data: LabelledTexts = label_texts(twice)
    out_of_fold = cross_validate(small_model, small_model.represent(data.texts), data, seed=0, repeats=1)

    assert out_of_fold is not None
    first, second = data.groups == 0, data.groups == 1
    assert sorted(data.counts[first]) == sorted(data.counts[second]) == [1, 1, 2]
    for tested, others in ((first, second), (second, first)):
        expected = np.average(data.labels[others], weights=data.counts[others])
        assert expected != data.labels[others].mean()
        assert out_of_fold.constants[0, tested] == pytest.approx([expected] * 3)


@pytest.mark.published_data
def test_the_lexical_part_on_published_judgements(published_data: Callable[[str], Any]) -> None:
    """Single judgements of 900 texts; boosting on lexical numbers reaches about 0.23 on all 2,700."""
    from scoring.table import read_table

    table = read_table(
        published_data("suspicion_mturk_dev.csv"), required=["Input.text", "Answer.judgement.score", "multi_annotation"]
    )
    single = [row for row in table.rows if not table.boolean(row, "multi_annotation")][::3]
    data = label_texts(
        TrainingRows([row["Input.text"] for row in single], [int(row["Answer.judgement.score"]) for row in single])
    )
    forest = make_model("forest")
    out_of_fold = cross_validate(forest, forest.represent(data.texts), data, seed=0, repeats=1)
    evaluation = evaluate_out_of_fold(data, out_of_fold, seed=0, repeats=1)

    assert evaluation.r.value is not None
    assert evaluation.r.interval is not None
    assert evaluation.r.value > 0.15
    assert evaluation.r.interval.low > 0
