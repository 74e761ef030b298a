"""Stages 1, 2 and 6: train the victims, attack them, and attack again under the suspicion constraint."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.errors import DomainError
from annotation.models import AttackRun, LearnedModel, Task
from annotation.services.attacking import keep_task, know_victim
from annotation.services.runs import record_run
from attacks.names import victim_name

from .plan import Study
from .progress import Progress, part

if TYPE_CHECKING:
    from attacks.constraints import Constraint
    from attacks.results import Run


def train_victims(study: Study, progress: Progress) -> None:
    """Train each kind of victim on the task's training set, unless its folder is there. People can then attack them, too."""
    from attacks.tasks.layout import read_task
    from attacks.victims import train_victim

    task = read_task(study.plan.task)
    for number, (kind, parameters) in enumerate(study.plan.victims.items()):
        folder = study.victim_folder(kind)
        if not folder.exists():
            inner = part(progress, number, len(study.plan.victims))
            inner(0, 1, f"Training the {victim_name(kind)} victim")
            train_victim(task, kind, folder, seed=study.plan.seed, progress=inner, **parameters)
        know_victim(folder)
    if not Task.objects.filter(name=study.plan.name).exists():
        keep_task(folder=study.plan.task, name=study.plan.name)
    progress(1, 1, "Victims are trained")


def attack_victims(study: Study, progress: Progress) -> None:
    """Attack each victim with each attacker, score the results, and record them."""
    pairs = study.plan.attacks
    for number, (victim, attacker) in enumerate(pairs):
        name = study.plan.run(victim, attacker)
        if not AttackRun.objects.filter(name=name).exists():
            folder = study.run_folder(name)
            _attack(study, victim, attacker, folder, (), part(progress, number, len(pairs)))
            record_run(folder, name=name)
    progress(1, 1, "Victims are attacked")


def attack_again(study: Study, progress: Progress) -> None:
    """Repeat attacks, same texts and seed, under the suspicion constraint, and set each beside its first run."""
    plan = study.plan
    waiting = [name for name in plan.again_attackers if not AttackRun.objects.filter(name=plan.run_again(name)).exists()]
    if not waiting:
        return
    from attacks.compare import compare
    from attacks.constraints import SuspicionAtMost
    from attacks.results import read_run
    from regressors.storage import load

    row = LearnedModel.objects.get(name=plan.campaign("suspicion"))
    model = load(Path(row.folder))
    if model.sha256 != row.sha256:
        raise DomainError(
            f"{row.folder} does not hold the model “{row.name}” of this database. Use another data folder (PASSABLE_DATA)."
        )
    constraint = SuspicionAtMost(model, plan.tau)
    for number, attacker in enumerate(waiting):
        baseline = AttackRun.objects.get(name=plan.run(plan.again_victim, attacker))
        # A model trained anew makes another run: its folder must not be taken for the old one's.
        folder = study.run_folder(f"{plan.run_again(attacker)}-{row.sha256[:8]}")
        again = _attack(study, plan.again_victim, attacker, folder, (constraint,), part(progress, number, len(waiting)))
        comparison = compare(read_run(baseline.folder), again, model).as_dict()
        record_run(folder, name=plan.run_again(attacker), model=row, baseline=baseline, comparison=comparison)


def _attack(study: Study, victim: str, attacker: str, folder: Path, constraints: Sequence[Constraint], progress: Progress) -> Run:
    from attacks.attackers import make_attacker
    from attacks.runs import Attack, attack_task
    from attacks.tasks.layout import read_task
    from attacks.victims import load_victim

    plan = study.plan
    progress(0, 1, f"{attacker} attacks the {victim_name(victim)} victim")
    attack = Attack(
        task=read_task(plan.task),
        victim=load_victim(study.victim_folder(victim)),
        attacker=make_attacker(attacker),
        constraints=constraints,
        seed=plan.seed,
        texts=plan.texts,
    )
    return attack_task(
        attack,
        folder,
        progress=lambda done, total, message: progress(done, total, f"{victim_name(victim)} victim, {message}"),
    )
