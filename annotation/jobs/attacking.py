"""The jobs about attacks: a run, in parts or whole; and how suspicious a model finds a run's successes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from annotation.errors import DomainError
from annotation.models import AttackRun, Job
from annotation.services.attack_folders import attack_shard, model_named, settings_of
from annotation.services.attacking import AttackWanted
from annotation.services.running import JobHandle
from annotation.services.runs import record_predictions, record_run

if TYPE_CHECKING:
    from attacks.results import Run


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
        attack_shard(settings_of(wanted), wanted.folder, shard, job.progress)
    return {}


def say_suspicion(job: JobHandle, *, run: str, model: str) -> dict[str, Any]:
    """Have the model say how suspicious the run's successes look."""
    from attacks.results import read_run

    row, learned = AttackRun.objects.filter(name=run).first(), model_named(model)
    if row is None:
        raise DomainError(f"There is no attack run named “{run}” any more.")
    job.progress(0, 1, "Reading the texts")
    record_predictions(row=row, run=read_run(row.folder), learned=learned)
    return {"run": run, "model": model}


def _finished(job: JobHandle, wanted: AttackWanted) -> Path:
    """The folder of the finished run."""
    from attacks.shards import Shard, merge_shards

    kept = _kept(wanted)
    if kept.exists():
        return kept
    settings, parts = settings_of(wanted), Job.objects.filter(whole=job.id)
    if not parts.exists():
        attack_shard(settings, wanted.folder, Shard(0, 1), job.progress)
    row = Job.objects.get(pk=job.id)
    job.progress(row.done, row.total, "Scoring what was changed")
    merge_shards(settings, wanted.folder)
    kept.parent.mkdir(parents=True, exist_ok=True)
    wanted.folder.rename(kept)
    return kept


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
            record_predictions(row=baseline, run=first, learned=learned)
        made = record_run(folder, name=wanted.name, model=learned, baseline=baseline, comparison=comparison)
    record_predictions(row=made, run=found, learned=learned)
    return made


def _without_constraint(run: Run) -> AttackRun | None:
    """The same attack without the suspicion constraint, if it is here: the newest one."""
    header = run.header | {"constraints": [each for each in run.header["constraints"] if each["name"] != "suspicion"]}
    same = AttackRun.objects.filter(task=header["task"]["name"], victim=header["victim"]["name"])
    found = same.filter(attacker=header["attacker"]["name"]).order_by("-pk")
    return next((row for row in found if row.summary.get("run") == header and Path(row.folder).is_dir()), None)


def _made_by_an_attempt_before(job: JobHandle, name: str) -> AttackRun | None:
    """The run, if this job's worker was lost after it had recorded everything but before it could say so."""
    started = Job.objects.get(pk=job.id).created_at
    return AttackRun.objects.filter(name=name, created_at__gte=started).first()
