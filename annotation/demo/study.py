"""The sample study: stages in order. A stage leaves alone what is stored already, so the study may be stopped at any time,
by a signal, a cancelled job or a power cut, and goes on from there.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from annotation.models import Campaign, LearnedModel
from annotation.services.training import train_suspicion_model

from .asking import have_judged, make_campaigns
from .attacking import attack_again, attack_victims, train_victims
from .constraint import study_constraint
from .plan import Study
from .progress import Progress, share
from .robustness import measure_constraints


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: its name, how long it takes beside the others, and the function that does it."""

    title: str
    weight: float
    run: Callable[[Study, Progress], None]


def train_model(study: Study, progress: Progress) -> None:
    """Train and evaluate the default suspicion model on the simulated judgements."""
    name = study.plan.campaign("suspicion")
    if not LearnedModel.objects.filter(name=name).exists():
        train_suspicion_model(campaigns=[Campaign.objects.get(name=name)], name=name, seed=study.plan.seed, progress=progress)


STAGES = (
    Stage("Training victims", 12, train_victims),
    Stage("Attacking", 25, attack_victims),
    Stage("Drawing examples", 1, make_campaigns),
    Stage("Simulated readers", 22, have_judged),
    Stage("Training the suspicion model", 15, train_model),
    Stage("Attacking under the suspicion constraint", 40, attack_again),
    Stage("Studying the constraint", 20, study_constraint),
    Stage("Measuring constraints", 20, measure_constraints),
)


def build_study(study: Study, progress: Progress) -> dict[str, float]:
    """Build whatever of the study is not there yet, in the database and in its folder.

    Returns the seconds that each stage took here. Waits while another process builds the same study.
    """
    seconds = {}
    total = sum(stage.weight for stage in STAGES)
    with _alone(study.data, progress):
        done = 0.0
        for stage in STAGES:
            start = time.perf_counter()
            stage.run(study, share(progress, done / total, (done + stage.weight) / total))
            done += stage.weight
            seconds[stage.title] = time.perf_counter() - start
    return seconds


@contextmanager
def _alone(data: Path, progress: Progress) -> Iterator[None]:
    """Hold the data folder's lock. The operating system gives it back when its holder dies, however that happens."""
    data.mkdir(parents=True, exist_ok=True)
    with (data / "study.lock").open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                progress(0, 1, "Another process is building the sample study; waiting for it")
                time.sleep(0.5)
        yield
