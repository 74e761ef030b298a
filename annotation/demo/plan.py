"""How large the sample study is, and what its parts are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import attacks.tasks

HEADLINES = Path(attacks.tasks.__file__).parent / "headlines"


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The sizes and the seed of the sample study. The defaults take about two minutes on two cores.

    `victims` are kinds with their training parameters; `attackers` are tried on each. `texts` is how many of the task's texts
    are attacked, from the first on. `samples` are examples per campaign, by protocol (for suspicion, each adds its original).
    `again` is the attack that is repeated under `SuspicionAtMost(model, tau)`, tau being on the scale of suspicion from 1 to 5.
    """

    task: Path = HEADLINES
    victims: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"linear": {}, "bilstm": {"epochs": 8}})
    attackers: tuple[str, ...] = ("deepwordbug", "textfooler")
    texts: int = 60
    budget: int | None = None
    samples: Mapping[str, int] = field(default_factory=lambda: {"meaning": 60, "suspicion": 80, "preference": 40})
    again: tuple[str, tuple[str, ...]] = ("bilstm", ("deepwordbug", "textfooler"))
    tau: float = 2.5
    seed: int = 0

    @property
    def name(self) -> str:
        """The study's name, which starts the name of everything that it makes."""
        return self.task.name

    def campaign(self, protocol: str) -> str:
        """The name of the campaign of that protocol."""
        return f"{self.name}-{protocol}"

    def run(self, victim: str, attacker: str) -> str:
        """The name of an attack run without the suspicion constraint."""
        return f"{self.name}-{victim}-{attacker}"
