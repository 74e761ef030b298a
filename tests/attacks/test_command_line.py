"""The whole way on the command line, with the embedded vectors and encoder."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attacks.__main__ import main
from attacks.attackers import ATTACKERS
from attacks.results import read_run
from attacks.tasks import Task, write_task
from scoring.model_folder import read_model_folder

WEATHER = {"the", "report", "about", "rain", "in", "our", "town", "was", "read", "by", "some", "people", "on", "monday"}
WEATHER |= {"official", "measured", "expects", "forecast", "shocking", "secret", "unbelievable", "exposed"}


class UnknownWords:
    """A suspicion model: 1 plus the number of words that are not in the task's texts."""

    card: Mapping[str, Any] = {}
    sha256 = "unknown-words"

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([1.0 + sum(word not in WEATHER for word in text.split()) for text in texts])


@pytest.fixture(scope="module")
def task_dir(weather: Task, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks") / "weather"
    write_task(Task("weather", weather.train, weather.dev, weather.attack[:4]), folder)
    return folder


@pytest.fixture(scope="module")
def victim(task_dir: Path) -> Path:
    folder = task_dir.parent / "victim"
    assert main(["train-victim", "--task-dir", str(task_dir), "--kind", "linear", "--out", str(folder)]) == 0
    return folder


def command(task_dir: Path, victim: Path, out: Path, *more: str) -> list[str]:
    return ["run", "--task-dir", str(task_dir), "--victim", str(victim), "--out", str(out), *more]


@pytest.mark.parametrize("attacker", ["deepwordbug", "textfooler"])
def test_run_and_run_again(
    attacker: str, task_dir: Path, victim: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = command(task_dir, victim, tmp_path / "run", "--attacker", attacker, "--seed", "5")
    assert main(arguments) == 0
    shown = capsys.readouterr()
    run = read_run(tmp_path / "run")
    assert run.header["task"] == {"name": "weather", "n": 4, "sha256": run.header["task"]["sha256"]}
    assert run.header["victim"]["sha256"] == read_model_folder(victim).sha256
    assert (run.header["seed"], run.header["attacker"]["name"]) == (5, attacker)
    assert run.summary["statuses"]["success"] + run.summary["statuses"]["failed"] == 4
    assert f"success    {run.summary['success']['value']:.4f}" in shown.out
    assert "by cosine of all-MiniLM-L6-v2" in shown.out
    assert "4 of 4" in shown.err
    assert sorted(path.name for path in (tmp_path / "run").glob("*_*")) == [
        f"raw_weather_False_{attacker}_linear.tsv",
        f"results_weather_False_{attacker}_linear.txt",
        f"submission_weather_False_{attacker}_linear.tsv",
    ]
    before = (tmp_path / "run" / "results.jsonl").read_bytes()
    assert main(arguments) == 0
    assert "already finished" in capsys.readouterr().err
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == before
    assert main([*arguments, "--targeted"]) == 2
    assert "holds another run, with other scenario" in capsys.readouterr().err


def test_suspicion_and_compare(
    task_dir: Path, victim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("regressors.storage.load", lambda folder: UnknownWords())
    free = command(task_dir, victim, tmp_path / "free", "--attacker", "deepwordbug")
    assert main(free) == 0
    bound = command(task_dir, victim, tmp_path / "bound", "--attacker", "deepwordbug")
    assert main([*bound, "--suspicion", "model", "--tau", "1.0"]) == 0
    run = read_run(tmp_path / "bound")
    assert [c["name"] for c in run.header["constraints"]] == ["edit_distance", "suspicion"]
    assert run.header["constraints"][1]["tau"] == 1.0
    successes = len(read_run(tmp_path / "free").successes)
    assert successes > 0
    assert run.successes == {}  # every edit makes a word that the model does not know
    assert "checks     edit_distance 1.0, suspicion 1.0 per attacked text\n" in capsys.readouterr().out
    assert main(["compare", str(tmp_path / "free"), str(tmp_path / "bound"), "--suspicion", "model"]) == 0
    assert f"{successes} of the first run's successes are above 1.0; 0 brought under" in capsys.readouterr().out


def test_an_observed_run_tells_of_limits_and_of_what_is_set_aside(
    task_dir: Path, victim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("regressors.storage.load", lambda folder: UnknownWords())
    out = tmp_path / "observed"
    greedy = ("--attacker", "deepwordbug-greedy", "--semantic", "none")
    assert main(command(task_dir, victim, out, *greedy, "--suspicion", "model", "--observe")) == 0
    run = read_run(out)
    n = len(run.successes)
    assert n > 0
    assert (
        f"set aside  0 of {n} successes, whose predicted suspicion is more than 0.2 below their original's; "
        f"success without them {run.summary['success']['value']:.4f}"
    ) in capsys.readouterr().out
    assert main(["sweep", str(out), "--taus", "1,50", "--margins", "0"]) == 0
    none, every, still = capsys.readouterr().out.splitlines()
    assert none.startswith(f"tau 1        lets 0 of {n} successes through: success at least 0.0000 (n = 4)")
    assert every.startswith(f"tau 50       lets {n} of {n} successes through: success at least {n / 4:.4f} (n = 4)")
    assert still.startswith(f"margin 0     lets 0 of {n} successes through")
    assert main(["sweep", str(out), "--margins", "50", "--json"]) == 0
    assert [found["margin"] for found in json.loads(capsys.readouterr().out)] == [50]


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.partition("  ")[0] for line in lines if not line.startswith(("    ", "victim"))]
    assert named == list(ATTACKERS)
    at = lines.index("textfooler  (words; Jin et al. 2020)")
    assert lines[at + 1 : at + 4] == [
        "    parameters: count=50, nearness=0.7, similarity=0.8, first=victim, keep=",
        "    needs word vectors: there",
        "    needs dictionary of word forms: there",
    ]
    assert "victim linear" in lines


def test_faults_are_one_line_and_exit_2(task_dir: Path, victim: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = ["train-victim", "--task-dir", str(task_dir), "--kind", "linear", "--out"]
    faults = {
        "no such task folder": command(tmp_path / "none", victim, tmp_path / "o", "--attacker", "deepwordbug"),
        "unknown attacker 'x'": command(task_dir, victim, tmp_path / "o", "--attacker", "x"),
        "so it is not a model folder": command(task_dir, tmp_path, tmp_path / "o", "--attacker", "deepwordbug"),
        "--tau needs --suspicion": command(task_dir, victim, tmp_path / "o", "--attacker", "deepwordbug", "--tau", "2"),
        "--preserved needs --meaning": command(task_dir, victim, tmp_path / "o", "--attacker", "pwws", "--preserved", "1"),
        "a budget of 1 leaves": command(task_dir, victim, tmp_path / "o", "--attacker", "deepwordbug", "--budget", "1"),
        "holds a model already": [*train, str(victim)],
        "--set epochs=2: expected NAME=VALUE, where NAME is one of C": [*train, str(tmp_path / "v"), "--set", "epochs=2"],
        "say which model paraphrases": command(
            task_dir, victim, tmp_path / "o", "--attacker", "paraphrase", "--paraphraser", "http://localhost:1"
        ),
        "so it holds no model": command(task_dir, victim, tmp_path / "o", "--attacker", "scpn", "--paraphraser", str(tmp_path)),
        "population must be a whole number of at least 1, not 0": command(
            task_dir, victim, tmp_path / "o", "--attacker", "genetic", "--set", "population=0"
        ),
        "no finished run here": ["compare", str(tmp_path), str(tmp_path), "--suspicion", "m"],
    }
    for message, arguments in faults.items():
        capsys.readouterr()
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert message in error
        assert error.count("\n") == 1
    assert not (tmp_path / "o").exists()


def test_a_run_of_nothing_but_errors_fails(
    task_dir: Path, victim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "attacks.victims.linear.LinearVictim.predict_proba", lambda self, texts: [[float("nan")] * 2] * len(texts)
    )
    assert main(command(task_dir, victim, tmp_path / "run", "--attacker", "deepwordbug")) == 2
    assert "all 4 examples ended in an error, the first: AttackError: the victim's answer to" in capsys.readouterr().err
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["statuses"]["error"] == 4


def test_importing_the_library_loads_no_torch() -> None:
    code = "import sys, attacks.__main__; print(sorted({'torch', 'transformers', 'django', 'lemminflect'} & set(sys.modules)))"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert shown.stdout == "[]\n"
