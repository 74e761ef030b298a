from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attacks.engine import Outcome
from attacks.errors import AttackError
from attacks.results import Run, read_run, score_run
from attacks.settings import RunSettings
from attacks.study import BOUNDS, WITHOUT, at_limit, intervals, read_study, run_study, study_settings
from attacks.tasks import Task, write_task
from attacks.victims import train_victim
from tests.attacks.toys import SuspicionByLength

MODEL = SuspicionByLength()  # 1 + length / 10


def run_of(lengths: list[int | None], header: dict[str, Any] | None = None) -> Run:
    """A run over originals of ten letters; a success is a text of so many letters, None a failure."""
    outcomes = [
        Outcome(id, f"{id}aaaaaaaaa", 1, "failed") if length is None
        else Outcome(id, f"{id}aaaaaaaaa", 1, "success", adversarial=f"{id}" + "x" * (length - 1))
        for id, length in enumerate(lengths)
    ]  # fmt: skip
    return score_run(header or {"seed": 0, "constraints": []}, outcomes, scorer=None, segmentation="HN")


FREE = run_of([31, 25, 22, 21, 20, None, 26])
BOUND = run_of([20, 18, 7, 24, 20, 15, None])


def test_the_flow_over_tau_lowered_kept_by_hand() -> None:
    """Suspicion without 4.1 3.5 3.2 3.1 3.0 – 3.6, with 3.0 2.8 1.7 3.4 3.0 2.5 –; all originals 2.0."""
    found = at_limit(FREE, BOUND, MODEL, 3.0)
    # over 3.0: 0, 1, 2, 3 and 6; lowered: 0, 1 and 2; of these, 2 is more than 0.2 below its original
    assert (found.flow.over, found.flow.lowered, found.flow.kept) == (5, 3, 2)
    assert found.flow.share_lowered.value == pytest.approx(3 / 5)
    assert [pair.id for pair in found.pairs] == [0, 1, 2, 3]  # the texts of 4 are the same
    assert [pair.id for pair in found.worth_asking] == [0, 1]
    assert found.comparison.second.set_aside == 1


def test_scores_are_counted_by_interval() -> None:
    found = at_limit(FREE, BOUND, MODEL, 3.0)
    assert intervals()[::7] == ["1 to 1.5", "4.5 to 5"]
    # 3.0 lies at an end and counts above it
    assert dict(zip(BOUNDS, found.before, strict=False)) == {
        1.0: 0, 1.5: 0, 2.0: 0, 2.5: 0, 3.0: 3, 3.5: 2, 4.0: 1, 4.5: 0,
    }  # fmt: skip
    assert dict(zip(BOUNDS, found.after, strict=False)) == {
        1.0: 0, 1.5: 1, 2.0: 0, 2.5: 2, 3.0: 3, 3.5: 0, 4.0: 0, 4.5: 0,
    }  # fmt: skip
    beyond = at_limit(run_of([50, 41, 40]), run_of([50, 41, 40]), MODEL, 3.0)
    assert beyond.before == (0, 0, 0, 0, 0, 0, 0, 3)


def test_nothing_over_tau_has_no_share() -> None:
    found = at_limit(FREE, BOUND, MODEL, 4.5)
    assert (found.flow.over, found.flow.share_lowered.value) == (0, None)
    assert found.flow.share_lowered.reason is not None
    assert found.worth_asking == []


def settings(**changed: Any) -> RunSettings:
    return RunSettings(**{"task_dir": "t", "victim": "v", "attacker": "a", "constraints": {"suspicion": "m"}} | changed)


def test_the_runs_of_a_study_differ_in_their_limit_only() -> None:
    runs = study_settings(settings(seed=3, constraints={"suspicion": "m", "similarity": 0.8, "tau": None}), [3.0, 2.25])
    assert {name: dict(each.constraints) for name, each in runs.items()} == {
        WITHOUT: {"suspicion": "m", "similarity": 0.8, "observe": True},
        "tau-2.25": {"suspicion": "m", "similarity": 0.8, "tau": 2.25},
        "tau-3": {"suspicion": "m", "similarity": 0.8, "tau": 3.0},
    }
    assert list(runs) == [WITHOUT, "tau-2.25", "tau-3"]
    assert {each.seed for each in runs.values()} == {3}


@pytest.mark.parametrize(
    ("constraints", "taus", "message"),
    [
        ({}, [2.5], "needs a suspicion model"),
        ({"suspicion": "m"}, [], "at least one --tau"),
        ({"suspicion": "m"}, [2.5, 2.5], "a number of its own"),
        ({"suspicion": "m"}, [float("inf")], "a number of its own"),
        ({"suspicion": "m", "margin": 0.1}, [2.5], "takes no --margin"),
    ],
)
def test_what_is_no_study_is_refused(constraints: dict[str, Any], taus: list[float], message: str) -> None:
    with pytest.raises(AttackError, match=message):
        study_settings(settings(constraints=constraints), taus)


@pytest.fixture
def attack(weather: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunSettings:
    task = Task("weather", weather.train, weather.dev, weather.attack[:6])
    write_task(task, tmp_path / "task")
    train_victim(task, "linear", tmp_path / "victim")
    monkeypatch.setattr("regressors.storage.load", lambda path: MODEL)
    return settings(
        task_dir=str(tmp_path / "task"), victim=str(tmp_path / "victim"), attacker="textattack:deepwordbug", semantic="none"
    )


def test_a_study_runs_resumes_and_reads_back_the_same(
    attack: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int, str]] = []
    first = run_study(attack, [5.0, 6.2], tmp_path / "study", progress=lambda *given: told.append(given))
    assert [each.tau for each in first] == [5.0, 6.2]
    assert told[-1][:2] == (18, 18)
    assert told[0][2].startswith("without: ")
    assert [each.name for each in sorted((tmp_path / "study").iterdir())] == ["tau-5", "tau-6.2", WITHOUT]
    for each in first:
        assert json.loads(json.dumps(each.as_dict(), allow_nan=False))["tau"] == each.tau
        assert all(pair.suspicion_bound <= max(each.tau, pair.suspicion_of_original) for pair in each.pairs)
    # one of the runs was lost: only that one is made again
    before = (tmp_path / "study" / "tau-5" / "results.jsonl").stat().st_mtime_ns
    (tmp_path / "study" / "tau-6.2" / "results.jsonl").unlink()
    with pytest.raises(AttackError, match="no finished run here"):
        read_study(tmp_path / "study", MODEL)
    assert [each.as_dict() for each in run_study(attack, [5.0, 6.2], tmp_path / "study")] == [each.as_dict() for each in first]
    assert (tmp_path / "study" / "tau-5" / "results.jsonl").stat().st_mtime_ns == before


def test_the_free_run_is_that_without_any_constraint(attack: RunSettings, tmp_path: Path) -> None:
    from attacks.runs import attack_task

    run_study(attack, [5.0], tmp_path / "study")
    free = attack_task(settings(**attack.as_dict() | {"constraints": {}}).load(), tmp_path / "alone")
    found = read_run(tmp_path / "study" / WITHOUT)
    assert [(o.status, o.adversarial, o.queries) for o in found.outcomes] == [
        (o.status, o.adversarial, o.queries) for o in free.outcomes
    ]


@pytest.mark.parametrize("prepare", [lambda out: None, lambda out: (out / WITHOUT).mkdir(parents=True)])
def test_a_folder_without_a_study_is_told(prepare: Callable[[Path], None], tmp_path: Path) -> None:
    prepare(tmp_path / "none")
    with pytest.raises(AttackError, match=r"no finished run here|no study here"):
        read_study(tmp_path / "none", MODEL)


def test_what_a_limit_costs_is_paired_by_original() -> None:
    costs = at_limit(FREE, BOUND, MODEL, 3.0).costs
    assert list(costs) == ["success", "queries"]  # without a semantic scorer there is no BODEGA score
    # 6 succeeds without the limit only, 5 with it only
    assert costs["success"].difference.value == pytest.approx(0.0)
    assert costs["success"].p_value.value == 1.0
    assert costs["success"].p_value.method == "p of McNemar's exact test, 1 against 1 originals that differ"
    fewer = at_limit(FREE, run_of([None, None, None, 21, 20, None, None]), MODEL, 3.0).costs["success"]
    assert fewer.difference.value == pytest.approx(-4 / 7)
    assert fewer.p_value.value == pytest.approx(2 * 0.5**4)


def test_nothing_attacked_costs_nothing() -> None:
    assert at_limit(run_of([]), run_of([]), MODEL, 3.0).costs == {}
