"""How large the sample study is, and what its parts are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import attacks.tasks
from annotation.models import RobustnessMeasurement

HEADLINES = Path(attacks.tasks.__file__).parent / "headlines"
VICTIMS: Mapping[str, Mapping[str, Any]] = {"linear": {}, "bilstm": {"epochs": 12, "rate": 0.005, "hidden": 64}}
"""A small BiLSTM: with so few texts, a larger one or a slower rate does no better on the development set."""


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The sizes and the seed of the sample study. The defaults take about two minutes on two cores.

    `victims` are kinds with their training parameters; `attackers` are tried on each. `texts` is how many of the task's texts
    are attacked, from the first on. `samples` are examples per campaign, by protocol (for suspicion, each brings its original).
    The attacks `again_attackers` on `again_victim` are repeated under `SuspicionAtMost(model, tau)`; tau is on the scale of
    suspicion, from 1 to 5. The constraint study repeats `studied_attacker` on `studied_victim` at each of `taus`. Constraints are
    measured under `measured_attacker` on `measured_victim`, with `damages` words of each text spoiled.
    """

    task: Path = HEADLINES
    victims: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: VICTIMS)
    attackers: tuple[str, ...] = ("deepwordbug-greedy", "textfooler")
    texts: int = 60
    samples: Mapping[str, int] = field(default_factory=lambda: {"meaning": 60, "suspicion": 120, "preference": 40})
    again_victim: str = "bilstm"
    again_attackers: tuple[str, ...] = ("deepwordbug-greedy", "textfooler")
    tau: float = 2.5
    studied_victim: str = "linear"
    studied_attacker: str = "deepwordbug-greedy"
    taus: tuple[float, ...] = (2.0, 2.5)
    measured_victim: str = "linear"
    measured_attacker: str = "deepwordbug-greedy"
    measured_texts: int = 8
    damages: int = 2
    seed: int = 0

    @property
    def name(self) -> str:
        """The study's name, with which the names of everything that it makes begin."""
        return self.task.name

    @property
    def attacks(self) -> list[tuple[str, str]]:
        """Victims and attackers of the runs without the suspicion constraint."""
        return [(victim, attacker) for victim in self.victims for attacker in self.attackers]

    def campaign(self, protocol: str) -> str:
        """The name of the campaign of that protocol."""
        return f"{self.name}-{protocol}"

    def run(self, victim: str, attacker: str) -> str:
        """The name of an attack run without the suspicion constraint."""
        return f"{self.name}-{victim}-{attacker}"

    def run_again(self, attacker: str) -> str:
        """The name of an attack run under the suspicion constraint."""
        return f"{self.run(self.again_victim, attacker)}-suspicion"

    @property
    def constraint_study(self) -> str:
        """The name of the constraint study, and of its campaign."""
        return f"{self.name}-constraint"

    @property
    def measurement(self) -> str:
        """The name of the measurement of constraints."""
        return f"{self.name}-robustness"


@dataclass(frozen=True, slots=True)
class Study:
    """A plan and the folder in which its files are kept; its rows are in the database that Django is configured with."""

    plan: StudyPlan
    data: Path

    def victim_folder(self, kind: str) -> Path:
        return self.data / "victims" / f"{self.plan.name}-{kind}"

    def run_folder(self, name: str) -> Path:
        return self.data / "runs" / name


def study_exists(plan: StudyPlan) -> bool:
    """Whether the last stage's results are in the database."""
    return RobustnessMeasurement.objects.filter(name=plan.measurement).exists()
