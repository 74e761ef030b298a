"""Comparing models, feature groups and variants: the same figures as one by one, resumable, and blind to the test set."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regressors.comparison import plan as plan_module
from regressors.comparison.files import write_report
from regressors.comparison.report import compare
from regressors.comparison.settings import Settings
from regressors.errors import RegressorError
from regressors.evaluation import predict_out_of_fold, seeds_of
from regressors.features import GROUPS, group_of
from regressors.features.group import Array, FeatureGroup
from regressors.features.lexical import LexicalFeatures
from regressors.models import FeatureModel, make_model
from regressors.paired import difference_of_r
from regressors.rows import TrainingRows, label_texts

MakeRows = Callable[..., TrainingRows]
SETTINGS = Settings(
    models=("ridge", "linear"), baseline="ridge", groups=("lexical", "letters"), learner="ridge", transfer="ridge", repeats=2
)


class LetterFeatures(FeatureGroup):
    """Two numbers of a text that take no time."""

    name, version = "letters", "1"

    @property
    def names(self) -> tuple[str, ...]:
        return "q", "x"

    def compute(self, texts: Sequence[str]) -> Array:
        return np.array([[text.count("q"), text.count("x")] for text in texts], dtype=np.float64).reshape(-1, 2)


@pytest.fixture(autouse=True)
def letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GROUPS, "letters", LetterFeatures)


@pytest.fixture
def rows(make_rows: MakeRows) -> TrainingRows:
    """Three texts of each of 24 originals, by "a", "b" and "=c" in turn."""
    return replace(make_rows(24), variants=["a", "b", "=c"] * 24)


def test_figures_are_those_of_each_model_alone(rows: TrainingRows, tmp_path: Path) -> None:
    report = compare(rows, tmp_path / "out", SETTINGS)
    data, seeds = label_texts(rows), seeds_of(0, 2)

    def alone(model: FeatureModel) -> Array:
        features = model.represent(data.texts)
        return np.array([predict_out_of_fold(model, features, data, seed=seed) for seed in seeds])

    ridge, linear = (alone(FeatureModel((LexicalFeatures(),), learner)) for learner in ("ridge", "linear"))
    letters = alone(FeatureModel((LetterFeatures(),), "ridge"))
    first, second = report["models"]
    assert (first["model"], second["model"]) == ("ridge", "linear")
    assert first["protocol"]["r_by_repeat"] == pytest.approx([np.corrcoef(data.labels, row)[0, 1] for row in ridge])
    assert second["difference_from_baseline"] == difference_of_r(data.labels, linear, ridge, data.groups, seed=0).as_dict()
    assert first["difference_from_baseline"]["value"] == 0
    assert report["selected"] == max((first, second), key=lambda entry: entry["r"]["value"])["model"]
    ablation = {entry["set"]: entry for entry in report["ablation"]}
    assert {name: entry["groups"] for name, entry in ablation.items()} == {
        "all": ["lexical", "letters"],
        "without lexical": ["letters"],
        "without letters": ["lexical"],
        "only lexical": ["lexical"],
        "only letters": ["letters"],
    }
    assert ablation["only letters"]["r"]["value"] == pytest.approx(
        np.mean([np.corrcoef(data.labels, row)[0, 1] for row in letters])
    )
    assert ablation["only lexical"]["r"]["value"] == first["r"]["value"]
    assert report["test"] is None


def test_transfer_is_of_every_two_variants(rows: TrainingRows, tmp_path: Path) -> None:
    found = compare(rows, tmp_path / "out", SETTINGS)["transfer"]

    assert [(entry["trained_on"], entry["tested_on"]) for entry in found] == [
        (one, other) for one in ("=c", "a", "b") for other in ("=c", "a", "b")
    ]
    assert [entry["r"]["n"] for entry in found] == [24] * 9
    assert sum(entry["r"]["value"] for entry in found) / 9 > 0.3


def test_what_was_stopped_goes_on_and_ends_the_same(rows: TrainingRows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[int] = []
    monkeypatch.setattr(
        plan_module, "predict_out_of_fold", lambda *given, **named: computed.append(1) or predict_out_of_fold(*given, **named)
    )
    whole = compare(rows, tmp_path / "whole", SETTINGS)
    in_one_go = len(computed)
    assert in_one_go == 2 * (2 + 3)  # two repetitions of two models and of three sets of feature groups

    class Stopped(Exception):
        pass

    def stop(done: int, total: int, message: str) -> None:
        if done == 5:
            raise Stopped

    with pytest.raises(Stopped):
        compare(rows, tmp_path / "out", SETTINGS, progress=stop)
    told: list[str] = []
    after = compare(
        rows, tmp_path / "out", SETTINGS, progress=lambda done, total, message: told.append(f"{done}/{total} {message}")
    )

    assert len(computed) == 2 * in_one_go
    assert json.dumps(after) == json.dumps(whole)
    assert told[4:6] == ["4/16 ridge of lexical letters, repetition 1 (known)", "5/16 ridge of lexical letters, repetition 2"]
    assert told[-1] == "16/16 Measuring"


def test_a_feature_group_is_made_once(rows: TrainingRows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that reads a folder hashes all of it, and one that asks a server asks it what it is."""
    made: list[str] = []
    monkeypatch.setattr(plan_module, "group_of", lambda spec: made.append(spec) or group_of(spec))
    compare(rows, tmp_path / "out", SETTINGS)

    assert made == ["lexical", "letters"]


def test_more_models_and_repetitions_may_be_asked_for_later(rows: TrainingRows, tmp_path: Path) -> None:
    less = compare(rows, tmp_path / "out", replace(SETTINGS, models=("ridge",), repeats=1))
    more = compare(rows, tmp_path / "out", SETTINGS)

    assert more["models"][0]["protocol"]["r_by_repeat"][:1] == less["models"][0]["protocol"]["r_by_repeat"]


def test_another_input_is_refused(rows: TrainingRows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    compare(rows, out, replace(SETTINGS, repeats=1))
    other_scores = replace(rows, scores=[5 if score == 1 else score for score in rows.scores])
    other_variants = replace(rows, variants=["a", "b", "d"] * 24)

    for data, settings, changed in (
        (other_scores, SETTINGS, "data"),
        (other_variants, SETTINGS, "variants"),
        (rows, replace(SETTINGS, seed=1), "seed"),
        (rows, replace(SETTINGS, folds=3), "folds"),
    ):
        with pytest.raises(RegressorError, match=f"holds results of something else: changed since is {changed}"):
            compare(data, out, settings)
    monkeypatch.setattr(LexicalFeatures, "version", "of another time")
    with pytest.raises(RegressorError, match="changed since is features"):
        compare(rows, out, SETTINGS)


def test_a_broken_part_and_a_folder_of_something_else_are_refused(rows: TrainingRows, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "report.json").write_text("of another kind")
    with pytest.raises(RegressorError, match="mine exists already, and holds no comparison that could go on"):
        compare(rows, tmp_path / "mine", SETTINGS)

    (tmp_path / "out" / "cells").mkdir(parents=True)
    (tmp_path / "out" / "cells" / "half.json").write_text('{"name": "mod')
    with pytest.raises(RegressorError, match=r"half\.json is not a finished part of a comparison"):
        compare(rows, tmp_path / "out", SETTINGS)


def test_a_damaged_part_that_is_still_json_is_refused_and_computed_anew_once_removed(rows: TrainingRows, tmp_path: Path) -> None:
    settings, values = replace(SETTINGS, repeats=1), [1.5] * 71
    compare(rows, tmp_path, settings)
    file = next((tmp_path / "cells").glob("model-ridge*.json"))
    sound = file.read_bytes()
    parts = {"basis": (None, []), "of": (None, "all"), "name": (7, "another"), "values": (None, {}, 3.0, [1.5]), "more": (1,)}
    wrong: list[Any] = [json.loads(sound) | {key: value} for key, found in parts.items() for value in found]
    wrong += [json.loads(sound) | {"values": [*values, value]} for value in (None, "2", [2.0], float("nan"), True, 10**400)]
    for damaged in (*wrong, None, [], "name"):
        file.write_text(json.dumps(damaged))
        with pytest.raises(RegressorError) as refused:
            compare(rows, tmp_path, settings)
        assert str(refused.value) == f"{file} is not a finished part of a comparison. Remove it."
    file.unlink()
    compare(rows, tmp_path, settings)
    assert file.read_bytes() == sound


def test_nothing_is_chosen_by_the_test_set(rows: TrainingRows, make_rows: MakeRows, tmp_path: Path) -> None:
    test = replace(make_rows(10, seed=7), variants=["a", "b", "=c"] * 10)
    against = replace(test, scores=[6 - score for score in test.scores])

    first, second = (compare(rows, tmp_path / name, SETTINGS, test=of) for name, of in (("1", test), ("2", against)))

    for part in ("models", "selected", "ablation", "transfer"):
        assert first[part] == second[part]
    of_test, labels = label_texts(test), label_texts(rows)
    expected = make_model("ridge").fit(labels.texts, labels.labels, labels.counts, labels.groups).predict(of_test.texts)
    ridge = first["test"]["models"][0]
    assert ridge["r"]["value"] == pytest.approx(np.corrcoef(of_test.labels, expected)[0, 1])
    assert second["test"]["models"][0]["r"]["value"] == pytest.approx(-ridge["r"]["value"])
    assert [found["variant"] for found in ridge["by_variant"]] == ["=c", "a", "b"]


def test_a_test_set_with_originals_of_the_training_is_refused(rows: TrainingRows, tmp_path: Path) -> None:
    changed = replace(rows, texts=[f"{text} indeed" for text in rows.texts])

    with pytest.raises(RegressorError, match="24 of the originals are in the training data too"):
        compare(rows, tmp_path / "out", SETTINGS, test=changed)
    assert not (tmp_path / "out").exists()


def test_tables_hold_the_figures_and_no_formula(rows: TrainingRows, make_rows: MakeRows, tmp_path: Path) -> None:
    test = replace(make_rows(10, seed=7), variants=["a", "b", "=c"] * 10)
    report = compare(rows, tmp_path, SETTINGS, test=test)
    write_report(report, tmp_path)

    def table(name: str) -> list[dict[str, Any]]:
        return list(csv.DictReader((tmp_path / f"{name}.csv").read_text(encoding="utf-8").splitlines()))

    assert json.loads((tmp_path / "report.json").read_text()) == json.loads(json.dumps(report))
    lines = table("comparison")
    assert [(line["model"], line["data"], line["n"]) for line in lines] == [
        ("ridge", "cross-validation", "72"),
        ("linear", "cross-validation", "72"),
        ("ridge", "test", "30"),
        ("linear", "test", "30"),
    ]
    assert lines[1]["difference_from_baseline_low"] == f"{report['models'][1]['difference_from_baseline']['interval']['low']:.6f}"
    assert lines[0]["difference_from_baseline_reason"] == "draws_equal"
    assert [line["set"] for line in table("ablation")] == [entry["set"] for entry in report["ablation"]]
    assert [line["trained_on"] for line in table("transfer")][::3] == ["'=c", "a", "b"]
    assert len(table("by_variant")) == 12


def test_without_variants_two_tables_are_not_there(rows: TrainingRows, tmp_path: Path) -> None:
    write_report(compare(replace(rows, variants=None), tmp_path, replace(SETTINGS, groups=("lexical",), repeats=1)), tmp_path)

    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["ablation.csv", "cells", "comparison.csv", "report.json"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (replace(SETTINGS, models=("ridge", "oracle")), "There is no model 'oracle'"),
        (replace(SETTINGS, baseline="oracle"), "There is no model 'oracle'"),
        (replace(SETTINGS, transfer="oracle"), "There is no model 'oracle'"),
        (replace(SETTINGS, learner="oracle"), "There is no learner 'oracle'"),
        (replace(SETTINGS, groups=("lexical", "tarot")), "There are no features 'tarot'"),
        (replace(SETTINGS, groups=("lexical", "lexical")), "'lexical' is named twice"),
        (replace(SETTINGS, groups=()), "Name at least one feature group"),
        (replace(SETTINGS, folds=1), "at least 1 repetition of 2 folds"),
    ],
)
def test_wrong_settings_are_said_before_anything_is_computed(
    rows: TrainingRows, tmp_path: Path, asked: Settings, message: str
) -> None:
    with pytest.raises(RegressorError, match=message):
        compare(rows, tmp_path / "out", asked)
    assert not (tmp_path / "out").exists()


def test_the_baseline_is_always_among_the_models() -> None:
    assert Settings(models=("linear",), baseline="boosting").compared == ("boosting", "linear")
    assert Settings(models=("linear", "huber"), baseline="huber").compared == ("linear", "huber")
