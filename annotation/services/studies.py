"""Constraint studies: asked for, attacked, recorded as runs and compared. `study_campaigns` has what people are asked of them."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, ConstraintStudy, Job, LearnedModel, StudyRun, User
from annotation.queries.jobs import CONSTRAINT_STUDY, is_carried_out

from .attack_folders import attack_shard, model_named, settings_of
from .attacking import AttackWanted, shares_of
from .jobs import Part, enqueue
from .naming import refuse_unfit
from .runs import record_predictions, record_run

if TYPE_CHECKING:
    from attacks.engine.lockstep import Progress
    from attacks.settings import RunSettings
    from attacks.study import AtLimit

STUDY_PART = "study_part"
LONGEST = 100
MOST_LIMITS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyWanted:
    """An attack that names a suspicion model and no limit on it, and the limits that it is repeated under. Its other constraints
    hold without a limit, too."""

    attack: AttackWanted
    taus: Sequence[float]


def check_study_name(name: str) -> None:
    """Raise DomainError where no study can have this name."""
    refuse_unfit(name, what="a study", longest=LONGEST)
    if ConstraintStudy.objects.filter(name=name).exists():
        raise _taken(name)


@transaction.atomic
def make_study(*, wanted: StudyWanted, by: User | None = None) -> ConstraintStudy:
    """The study before anything is attacked. Raises DomainError where its name, or that of one of its runs, is taken, where there
    are no limits, too many or one twice, and where the model is none of suspicion."""
    from attacks.attackers import ATTACKERS
    from attacks.errors import AttackError

    attack = wanted.attack
    check_study_name(attack.name)
    if attack.attacker not in ATTACKERS:
        raise DomainError(f"There is no attacker “{attack.attacker}”. There are: {', '.join(sorted(ATTACKERS))}.")
    model = model_named(attack.model or "")
    if model.kind != LearnedModel.Kind.SUSPICION:
        raise DomainError("A study needs a suspicion model.")
    if len(wanted.taus) > MOST_LIMITS:
        raise DomainError(f"A study has at most {MOST_LIMITS} limits.")
    said = json.dumps([attack.folder.name, sorted(wanted.taus), model.sha256])
    # Of another study of that name, in another database, nothing is taken for a part of this one.
    folder = settings.DATA_DIR / "studies" / f"{attack.name}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
    try:
        with transaction.atomic():
            study = ConstraintStudy.objects.create(
                name=attack.name,
                asked=asdict(attack),
                taus=sorted(wanted.taus),
                model=model,
                folder=str(folder),
                created_by=by,
            )
    except IntegrityError as clash:
        raise _taken(attack.name) from clash
    try:
        runs = [run_name(study, name) for name in settings_of_runs(study)]
    except AttackError as refused:
        raise DomainError(str(refused)) from refused
    if taken := AttackRun.objects.filter(name__in=runs).values_list("name", flat=True).first():
        raise DomainError(f"There is already an attack run named “{taken}”. Choose another name for the study.")
    return study


def start_study(*, study: ConstraintStudy, by: User) -> Job:
    """Queue a study that was made, each of its runs in parts; what is done already is not done again. Raises AlreadyRunning."""
    attack = asked_of(study)
    shares = shares_of(attack)
    parts = [
        Part(STUDY_PART, {"study": study.pk, "run": run, "number": number, "of": len(shares)}, size)
        for run in settings_of_runs(study)
        for number, size in enumerate(shares, start=1)
    ]
    arguments = {"study": study.pk, "name": study.name}
    return enqueue(kind=CONSTRAINT_STUDY, arguments=arguments, by=by, alone=f"{CONSTRAINT_STUDY}:{study.pk}", parts=parts)


def why_not_dropped(study: ConstraintStudy, by: User) -> str:
    """Why this person cannot delete the study; empty where they can."""
    if study.result is not None:
        return "The study is finished; its runs stay, and so does it."
    if study.created_by is not None and study.created_by != by:
        return f"Only {study.created_by.username}, whose study it is, can delete it."
    if is_carried_out(study):
        return "Somebody is carrying the study out. Cancel that first; it stops at its next step."
    return ""


@transaction.atomic
def drop_study(*, study: ConstraintStudy, by: User) -> None:
    """Delete a study that is not finished, with the folder in which it was attacked. Raises DomainError where it may not."""
    held = ConstraintStudy.objects.select_for_update().filter(pk=study.pk).first()
    if held is None:
        return
    if problem := why_not_dropped(held, by):
        raise DomainError(problem)
    held.delete()
    transaction.on_commit(partial(shutil.rmtree, study.folder, ignore_errors=True))


def asked_of(study: ConstraintStudy) -> AttackWanted:
    """The attack that was asked for."""
    return AttackWanted(**study.asked)


def run_name(study: ConstraintStudy, folder: str) -> str:
    """What the run in that folder of the study is called among all runs."""
    return f"{study.name}-{folder}"


def settings_of_runs(study: ConstraintStudy) -> dict[str, RunSettings]:
    """What the library is told, by the name of the run's folder: the free run first, then the limits from the strictest. Raises
    DomainError where task, victim or model are not what they were."""
    from attacks.study import study_settings

    attack = settings_of(asked_of(study))
    suspicion = model_named(study.asked["model"]).folder
    return study_settings(replace(attack, constraints={**attack.constraints, "suspicion": suspicion}), study.taus)


def attack_part(*, study: ConstraintStudy, run: str, number: int, of: int, progress: Progress) -> None:
    """Attack part `number`, from 1, of the texts of one run."""
    from attacks.shards import Shard

    attack_shard(settings_of_runs(study)[run], Path(study.folder) / run, Shard(number - 1, of), progress)


def finish_study(study: ConstraintStudy, progress: Progress) -> None:
    """Score the attacked texts, compare, and record all of it. Called again, it changes nothing."""
    from attacks.shards import merge_shards
    from attacks.study import read_study
    from regressors.storage import load

    if study.result is not None:
        return
    runs = settings_of_runs(study)
    for number, (name, each) in enumerate(runs.items()):
        progress(number, len(runs), f"{name}: scoring what was changed")
        merge_shards(each, Path(study.folder) / name)
    progress(len(runs), len(runs), "Comparing the runs")
    _record(study, read_study(study.folder, load(Path(study.model.folder))))


def carry_out(study: ConstraintStudy, progress: Progress) -> None:
    """All of it in this process, one run after the other; it goes on where it was."""
    if study.result is not None:
        return
    runs = list(settings_of_runs(study))
    texts = sum(shares_of(asked_of(study)))
    for place, run in enumerate(runs):

        def shifted(done: int, total: int, message: str, place: int = place, run: str = run) -> None:
            progress(place * texts + done, len(runs) * texts, f"{run}: {message}")

        attack_part(study=study, run=run, number=1, of=1, progress=shifted)
    finish_study(study, progress)


@transaction.atomic
def _record(study: ConstraintStudy, found: Sequence[AtLimit]) -> None:
    from attacks.study import WITHOUT

    free = _record_run(study, WITHOUT, None)
    for each in found:
        _record_run(study, f"tau-{each.tau:g}", each.tau, model=study.model, baseline=free, comparison=each.comparison.as_dict())
    study.result = [each.as_dict() for each in found]
    study.save(update_fields=["result"])


def _record_run(study: ConstraintStudy, name: str, tau: float | None, **more: Any) -> AttackRun:
    from attacks.results import read_run

    folder = Path(study.folder) / name
    row = record_run(folder, name=run_name(study, name), **more)
    record_predictions(row=row, run=read_run(folder), learned=study.model)
    StudyRun.objects.get_or_create(study=study, tau=tau, defaults={"run": row})
    return row


def limit_of(study: ConstraintStudy, tau: float) -> Mapping[str, Any]:
    """What was found at a limit. Raises DomainError where the study has none such, or is not finished."""
    if study.result is None:
        raise DomainError("The study is not finished; people can be asked when all of its runs are there.")
    found = next((each for each in study.result if each["tau"] == tau), None)
    if found is None:
        raise DomainError(f"The study has no limit {tau:g}.")
    return found


def _taken(name: str) -> DomainError:
    return DomainError(f"There is already a study named “{name}”. Choose another name.")
