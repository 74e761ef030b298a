from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from attacks.__main__ import main
from attacks.errors import AttackError
from attacks.results import Run
from attacks.robustness import measure as module
from attacks.robustness.curve import accs, accs_of_examples, curve_of
from attacks.robustness.kinds import Examined
from attacks.robustness.measure import Search, _first_order, measure
from attacks.settings import RunSettings
from attacks.tasks import Task, write_task
from attacks.victims import train_victim
from scoring.result import Estimate

SEARCH = Search(wanted=2, beam=2, most=8)


@pytest.fixture(scope="module")
def setting(weather: Task, tmp_path_factory: pytest.TempPathFactory) -> RunSettings:
    folder = tmp_path_factory.mktemp("robustness")
    task = Task("weather", weather.train, weather.dev, weather.attack[:8])
    write_task(task, folder / "task")
    train_victim(task, "linear", folder / "victim")
    return RunSettings(
        task_dir=str(folder / "task"), victim=str(folder / "victim"), attacker="textattack:deepwordbug", semantic="none"
    )


def test_the_interval_draws_examples_with_both_rows() -> None:
    rng = np.random.default_rng(0)
    first = rng.random((200, 1)) < np.linspace(0.1, 0.9, 5)
    second = rng.random((200, 1)) < np.linspace(0.0, 0.4, 5)
    found = accs_of_examples(first, second)
    assert found.value == accs(curve_of(range(5), first.mean(axis=0), second.mean(axis=0))).value
    assert found.n == 200
    assert found.interval is not None and found.value is not None
    assert found.interval.low < found.value < found.interval.high

    by_hand = []
    for _ in range(300):
        drawn = rng.integers(0, 200, 200)
        by_hand.append(accs(curve_of(range(5), first[drawn].mean(axis=0), second[drawn].mean(axis=0))).value)
    low, high = np.percentile(by_hand, [2.5, 97.5])
    assert (found.interval.low, found.interval.high) == (pytest.approx(low, abs=0.03), pytest.approx(high, abs=0.03))


def test_examples_of_one_cluster_are_drawn_together() -> None:
    rng = np.random.default_rng(1)
    first, second = (rng.random((60, 1)) < np.linspace(low, 0.9, 4) for low in (0.3, 0.1))
    twice = [np.repeat(rows, 2, axis=0) for rows in (first, second)]
    alone, together = accs_of_examples(first, second), accs_of_examples(*twice, clusters=np.repeat(np.arange(60), 2).tolist())
    assert (together.value, together.n) == (pytest.approx(alone.value), 120)
    assert alone.interval is not None and together.interval is not None
    assert (together.interval.low, together.interval.high) == pytest.approx((alone.interval.low, alone.interval.high))


def test_two_constraints_are_measured_in_one_setting(setting: RunSettings, tmp_path: Path, monkeypatch: Any) -> None:
    told: list[tuple[int, int, str]] = []
    constraints = [Examined.of("character"), Examined.of("character")]
    one, other = measure(setting, constraints, tmp_path / "r", search=SEARCH, progress=lambda *given: told.append(given))
    assert (one.name, other.name) == ("character", "character-2")
    assert one.as_dict() | {"name": ""} == other.as_dict() | {"name": ""}
    assert told[-1][0] == told[-1][1]
    assert all(before[0] <= after[0] for before, after in pairwise(told))
    report = json.loads((tmp_path / "r" / "robustness.json").read_text("utf-8"))
    assert [each["name"] for each in report["constraints"]] == ["character", "character-2"]

    # each rate by hand, from the files
    texts = [json.loads(line) for line in (tmp_path / "r" / "character" / "second-order.jsonl").read_text().splitlines()]
    assert [each["id"] for each in texts] == list(range(8))
    for threshold, first, second in zip(one.thresholds, one.first, one.second, strict=True):
        lines = (tmp_path / "r" / "character" / f"at-{threshold:g}" / "results.jsonl").read_text().splitlines()
        assert first == sum(json.loads(line)["status"] == "success" for line in lines) / 8
        assert second == sum(each["accepted"] is not None and each["accepted"] >= threshold for each in texts) / 8
    assert one.too_short == sum(each["text"] is None for each in texts)


@pytest.mark.parametrize(("scores", "success"), [([4.0, 2.5], True), ([2.6], False), ([], False)])
def test_a_success_counts_only_if_it_meets_the_threshold(scores: list[float], success: bool) -> None:
    """An original over tau may be attacked with success and stay over it."""
    outcome = SimpleNamespace(constraint_scores={"suspicion": scores} if scores else {})
    run = cast(Run, SimpleNamespace(outcomes=[outcome]))
    assert _first_order(run, Examined.of("suspicion:m"), "suspicion", 2.5) == [success]


def test_equal_texts_are_drawn_together_and_the_seed_is_the_settings_own(
    setting: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    def watched(*rows: Any, **how: Any) -> Estimate:
        asked.append(how)
        return accs_of_examples(*rows, **how)

    monkeypatch.setattr(module, "accs_of_examples", watched)
    (found,) = measure(replace(setting, seed=3), [Examined.of("character")], tmp_path, thresholds=[0.0, 0.9], search=SEARCH)
    assert json.loads((tmp_path / "character" / "second-order.json").read_text())["seed"] == 3
    assert asked == [{"clusters": [each.original for each in found.spoiled], "seed": 3}]


def test_the_curve_is_a_file_that_accs_reads(setting: RunSettings, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = measure(setting, [Examined.of("character")], tmp_path / "r", thresholds=[0.0, 0.9, 0.95], search=SEARCH)
    columns = ["--threshold", "threshold", "--first", "first", "--second", "second"]
    assert main(["accs", str(tmp_path / "r" / "character" / "curve.csv"), *columns, "--loosest", "lowest", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(found.accs.value)


def test_what_was_finished_stays_and_a_torn_line_is_made_again(setting: RunSettings, tmp_path: Path) -> None:
    out, constraints = tmp_path / "r", [Examined.of("character")]
    (first,) = measure(setting, constraints, out, thresholds=[0.0, 0.9], search=SEARCH)
    texts = out / "character" / "second-order.jsonl"
    whole = texts.read_bytes()
    texts.write_bytes(whole[: len(whole) // 2])
    (again,) = measure(setting, constraints, out, thresholds=[0.0, 0.9], search=SEARCH)
    assert texts.read_bytes() == whole
    assert again.as_dict() == first.as_dict()


def test_another_search_and_another_folder_are_refused(setting: RunSettings, tmp_path: Path) -> None:
    constraints = [Examined.of("character")]
    measure(setting, constraints, tmp_path / "r", thresholds=[0.0, 0.9], search=SEARCH)
    with pytest.raises(AttackError, match="another constraint or search"):
        measure(setting, constraints, tmp_path / "r", thresholds=[0.0, 0.9], search=Search(wanted=1))
    with pytest.raises(AttackError, match="holds other texts"):
        measure(replace(setting, texts=4, seed=0), constraints, _other(tmp_path), thresholds=[0.0, 0.9], search=SEARCH)
    (tmp_path / "full" / "character").mkdir(parents=True)
    (tmp_path / "full" / "character" / "notes.txt").touch()
    with pytest.raises(AttackError, match="not empty, and no measurement"):
        measure(setting, constraints, tmp_path / "full", search=SEARCH)


def _other(folder: Path) -> Path:
    """A measurement of the same search whose texts are others'."""
    file = folder / "r" / "character" / "second-order.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps(line | {"original": "else"}) + "\n" for line in lines))
    return folder / "r"


@pytest.mark.parametrize(
    ("changed", "constraints", "thresholds", "message"),
    [
        ({"constraints": {"character": 0.9}}, ["character"], (), "has none of its own"),
        ({}, ["character", "encoder"], (0.5,), "go with one constraint"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    changed: dict[str, Any],
    constraints: list[str],
    thresholds: tuple[float, ...],
    message: str,
    setting: RunSettings,
    tmp_path: Path,
) -> None:
    with pytest.raises(AttackError, match=message):
        measure(replace(setting, **changed), [Examined.of(each) for each in constraints], tmp_path, thresholds=thresholds)
