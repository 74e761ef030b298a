"""Adversarial training with an attacker whose every step is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attacks import AttackError
from attacks.engine import Example, Goal, Query, run_attack
from attacks.tasks import Row, Task
from attacks.text import Text
from attacks.victims import train_victim
from attacks.victims.adversarial import SOURCE, TrainingSetAttack
from scoring.model_folder import read_model_folder
from tests.attacks.toys import WordVictim

PLAIN = {"official": "offizial", "measured": "meazured", "expects": "exbects", "forecast": "vorecast"}
ODD = {"shocking": "shoking", "secret": "sekret", "unbelievable": "unpelievable", "exposed": "exbosed"}
MISSPELLED = PLAIN | ODD


class Misspelling:
    """Misspells all telling words, always in the same way, and adds one that tells of the other label."""

    name = "misspelling"
    unit = "words"
    constraints: tuple[Any, ...] = ()

    def describe(self) -> dict[str, Any]:
        return {"name": self.name}

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Iterator[Any]:
        words = [MISSPELLED.get(word, word) for word in text.words]
        found = Text(" ".join([*words, ("exposed", "forecast")[goal.leave]]), text)
        return found if goal.reached((yield Query([found])))[0] else None


def successes(victim: Any, rows: list[Row]) -> int:
    examples = [Example(id, row.text, row.label) for id, row in enumerate(rows)]
    return sum(outcome.succeeded for outcome in run_attack(examples, victim, Misspelling()))


def test_the_victim_learns_from_what_misled_it(weather: Task, tmp_path: Path) -> None:
    plain = train_victim(weather, "linear", tmp_path / "plain")
    hard = train_victim(weather, "linear", tmp_path / "hard", adversary=TrainingSetAttack(Misspelling(), texts=60))
    assert successes(plain, weather.attack) == 30
    assert successes(hard, weather.attack) <= 3
    card = read_model_folder(tmp_path / "hard").card["adversarial"]
    assert (card["attacker"], card["source"], card["texts"]) == ({"name": "misspelling"}, SOURCE, 60)
    assert card["attacked"] == 60  # the victim gets all of its training texts right
    assert card["n"] == card["statuses"]["success"] >= 20
    assert read_model_folder(tmp_path / "hard").card["data"] == read_model_folder(tmp_path / "plain").card["data"]


def test_only_what_the_victim_gets_right_is_attacked_and_keeps_its_label(tmp_path: Path) -> None:
    rows = [Row(1, "", "bad secret"), Row(1, "", "good secret"), Row(0, "", "good"), Row(1, "", "bad secret rain")]
    victim = WordVictim({"secret": 0.3, "good": -0.6})  # without its secret a text is a tie, which counts as label 0
    added = TrainingSetAttack(Misspelling())(victim, rows, seed=0, kept=tmp_path / "kept", progress=None)
    assert sorted((row.label, row.text) for row in added.rows) == [
        (1, "bad sekret forecast"),
        (1, "bad sekret rain forecast"),
    ]
    assert {row.source for row in added.rows} == {f"misspelling against training text {i}" for i in (0, 3)}
    assert (added.description["attacked"], added.description["statuses"]) == (3, {"failed": 1, "success": 2})


def test_an_attack_that_was_stopped_goes_on(tmp_path: Path) -> None:
    rows = [Row(1, "", f"bad secret {i}") for i in range(300)]
    attack = TrainingSetAttack(Misspelling())

    def stop(done: int, total: int, message: str) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attack(WordVictim({"secret": 0.3}), rows, seed=0, kept=tmp_path / "kept", progress=stop)
    again = WordVictim({"secret": 0.3})
    found = attack(again, rows, seed=0, kept=tmp_path / "kept", progress=None)
    assert len(found.rows) == 300
    assert len({text for call in again.calls for text in call if "sekret" in text}) < 300


def test_nothing_to_add_is_an_error(tmp_path: Path) -> None:
    rows = [Row(1, "", "bad"), Row(0, "", "good")]
    with pytest.raises(
        AttackError, match="misspelling misled the victim on none of 1 training texts, so there is nothing to add"
    ):
        TrainingSetAttack(Misspelling())(WordVictim({"bad": 0.3}), rows[:1], seed=0, kept=tmp_path / "k", progress=None)
