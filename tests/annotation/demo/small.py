"""The sample study at a size for tests: one victim, one attacker, twelve texts."""

from __future__ import annotations

from pathlib import Path

from annotation.demo.plan import Study, StudyPlan
from annotation.demo.progress import Progress
from annotation.demo.study import build_study

SMALL = StudyPlan(
    victims={"linear": {}},
    attackers=("deepwordbug-greedy",),
    texts=12,
    samples={"meaning": 10, "suspicion": 10, "preference": 6},
    again_victim="linear",
    again_attackers=("deepwordbug-greedy",),
    measured_texts=4,
    damages=1,
    seed=1,
)


def quiet(done: int, total: int, message: str) -> None:
    """Progress that nobody looks at."""


def build_small_study(data: Path, progress: Progress = quiet) -> Study:
    study = Study(SMALL, data)
    build_study(study, progress)
    return study
