"""The jobs about attacks: a run, in parts or whole; and how suspicious a model finds a run's successes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from annotation.errors import DomainError
from annotation.models import AttackRun, Job, LearnedModel, Task, Victim
from annotation.services.attacking import AttackWanted, task_sha256
from annotation.services.places import model_folder
from annotation.services.running import JobHandle
from annotation.services.runs import record_run, record_suspicion
from annotation.services.service_victims import KIND as SERVICE
from annotation.services.service_victims import described_in
from scoring.model_folder import read_model_folder

if TYPE_CHECKING:
    from attacks.results import Run
    from attacks.settings import RunSettings
    from attacks.shards import Shard

LEARNED = ("suspicion", "meaning")
"""Constraints that a learned model of the database sets."""


def run(job: JobHandle, **arguments: Any) -> dict[str, Any]:
    """Attack what the parts of the job, if it has any, have not attacked; score, and record the run."""
    wanted = AttackWanted(**arguments)
    made = _made_by_an_attempt_before(job, wanted.name) or _recorded(job, wanted, _finished(job, wanted))
    return {"run": made.name}


def run_part(job: JobHandle, *, attack: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Attack part `number` (from 1) of the texts."""
    from attacks.shards import Shard

    wanted = AttackWanted(**attack)
    shard = Shard(number - 1, Job.objects.get(pk=job.id).whole.parts.count())  # type: ignore[union-attr]
    if not _kept(wanted).exists():
        _attack(settings_of(wanted), wanted.folder, shard, job)
    return {}


def say_suspicion(job: JobHandle, *, run: str, model: str) -> dict[str, Any]:
    """Have the model say how suspicious the run's successes look."""
    from attacks.results import read_run

    row, learned = AttackRun.objects.filter(name=run).first(), model_named(model)
    if row is None:
        raise DomainError(f"There is no attack run named “{run}” any more.")
    job.progress(0, 1, "Reading the texts")
    _say_suspicion(row, read_run(row.folder), learned)
    return {"run": run, "model": model}


def settings_of(wanted: AttackWanted) -> RunSettings:
    """What the library is told. Raises DomainError where a folder is not what it was when its row was written."""
    from attacks.settings import RunSettings

    task, victim = Task.objects.filter(name=wanted.task).first(), Victim.objects.filter(name=wanted.victim).first()
    if task is None or victim is None:
        raise DomainError(f"There is no {'task' if task is None else 'victim'} of that name any more.")
    if task_sha256(Path(task.folder)) != task.sha256:
        raise DomainError(f"The files of the task “{task.name}” were changed since it was brought in; it is not used.")
    if victim.kind != SERVICE:
        _refuse_changed("victim", victim.name, victim.folder, victim.sha256)
    elif described_in(Path(victim.folder)).sha256 != victim.sha256:
        raise DomainError(f"The description of the victim “{victim.name}” was changed since it was kept; it is not used.")
    return RunSettings(
        task_dir=task.folder,
        victim=victim.folder,
        attacker=wanted.attacker,
        parameters=wanted.parameters,
        resources=settings.ATTACK_RESOURCES,
        constraints=dict(_placed(wanted.constraints)),
        targeted=wanted.targeted,
        budget=wanted.budget,
        seed=wanted.seed,
        texts=wanted.texts,
    )


def _placed(constraints: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The constraints, with the folders of the models in place of their names."""
    for name, value in constraints.items():
        if name in LEARNED:
            yield name, model_named(value).folder
        else:
            yield name, str(model_folder(value)) if name == "bertscore" else value


def _finished(job: JobHandle, wanted: AttackWanted) -> Path:
    """The folder of the finished run."""
    from attacks.shards import Shard, merge_shards

    kept = _kept(wanted)
    if kept.exists():
        return kept
    settings, parts = settings_of(wanted), Job.objects.filter(whole=job.id)
    if not parts.exists():
        _attack(settings, wanted.folder, Shard(0, 1), job)
    row = Job.objects.get(pk=job.id)
    job.progress(row.done, row.total, "Scoring what was changed")
    merge_shards(settings, wanted.folder)
    kept.parent.mkdir(parents=True, exist_ok=True)
    wanted.folder.rename(kept)
    return kept


def _attack(settings: RunSettings, folder: Path, shard: Shard, job: JobHandle) -> None:
    """Attack a shard. Whoever is the first of the run makes the folder its own."""
    from attacks.errors import AttackError
    from attacks.results import HEADER
    from attacks.shards import begin_run, run_shard

    try:
        if not (folder / HEADER).exists():
            begin_run(settings, folder)
    except AttackError:
        # Another part may have been faster.
        if not (folder / HEADER).exists():
            raise
    run_shard(settings, folder, shard, progress=job.progress)


def _kept(wanted: AttackWanted) -> Path:
    """Where the run lies when it is finished."""
    folder: Path = settings.DATA_DIR / "runs" / wanted.folder.name
    return folder


def _recorded(job: JobHandle, wanted: AttackWanted, folder: Path) -> AttackRun:
    from attacks.compare import compare
    from attacks.results import read_run
    from regressors.storage import load

    found = read_run(folder)
    if wanted.model is None:
        return record_run(folder, name=wanted.name)
    learned = model_named(wanted.model)
    row = Job.objects.get(pk=job.id)
    job.progress(row.done, row.total, "Asking how suspicious the changed texts look")
    if "suspicion" not in wanted.constraints:
        made = record_run(folder, name=wanted.name)
    elif "observe" in wanted.constraints:
        made = record_run(folder, name=wanted.name, model=learned)
    else:
        baseline = _without_constraint(found)
        comparison: dict[str, Any] = {}
        if baseline is not None:
            first = read_run(baseline.folder)
            comparison = compare(first, found, load(Path(learned.folder))).as_dict()
            _say_suspicion(baseline, first, learned)
        made = record_run(folder, name=wanted.name, model=learned, baseline=baseline, comparison=comparison)
    _say_suspicion(made, found, learned)
    return made


def _say_suspicion(row: AttackRun, run: Run, learned: LearnedModel) -> None:
    from attacks.set_aside import suspicion_of
    from regressors.storage import load

    said = suspicion_of(run.outcomes, load(Path(learned.folder)), run.header)
    successes = run.successes
    texts = {(successes[id].original, successes[id].adversarial or ""): scores for id, scores in said.items()}
    record_suspicion(run=row, model=learned, scores=texts)


def _without_constraint(run: Run) -> AttackRun | None:
    """The same attack without the suspicion constraint, if it is here: the newest one."""
    header = run.header | {"constraints": [each for each in run.header["constraints"] if each["name"] != "suspicion"]}
    same = AttackRun.objects.filter(task=header["task"]["name"], victim=header["victim"]["name"])
    found = same.filter(attacker=header["attacker"]["name"]).order_by("-pk")
    return next((row for row in found if row.summary.get("run") == header and Path(row.folder).is_dir()), None)


def model_named(name: str) -> LearnedModel:
    """A learned model whose folder is as it was kept. Raises DomainError otherwise."""
    found = LearnedModel.objects.filter(name=name).first()
    if found is None:
        raise DomainError(f"There is no model named “{name}” any more.")
    _refuse_changed("model", found.name, found.folder, found.sha256)
    return found


def _refuse_changed(what: str, name: str, folder: str, sha256: str) -> None:
    if read_model_folder(Path(folder)).sha256 != sha256:
        raise DomainError(f"The folder of the {what} “{name}” was changed since it was kept; it is not used.")


def _made_by_an_attempt_before(job: JobHandle, name: str) -> AttackRun | None:
    """The run, if this job's worker was lost after it had recorded everything but before it could say so."""
    started = Job.objects.get(pk=job.id).created_at
    return AttackRun.objects.filter(name=name, created_at__gte=started).first()
