"""The jobs `next_round` and `train_version` of a series of retraining."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.errors import DomainError
from annotation.models import AttackRun, Job, Round, Series, User
from annotation.services.rounds import Next
from annotation.services.rounds import next_round as make_next
from annotation.services.running import JobHandle
from annotation.services.versions import train_version


def next_round(job: JobHandle, *, series: str, runs: Sequence[str], strategy: str, size: int, seed: int) -> dict[str, Any]:
    """Select what is judged next. The result names the campaign."""
    found = _series(series)
    made = _made_by_an_attempt_before(job, found)
    if made is None:
        wanted = Next(runs=[_run(name) for name in runs], strategy=strategy, size=size, seed=seed)
        by = User.objects.filter(jobs=job.id).first()
        made = make_next(series=found, wanted=wanted, by=by, progress=job.progress)
    return {"round": made.number, "campaign": made.campaigns.get().name}


def train(job: JobHandle, *, series: str) -> dict[str, Any]:
    """Train the version of the last round."""
    model = train_version(series=_series(series), progress=job.progress)
    return {"model": model.name, "sha256": model.sha256}


def _series(name: str) -> Series:
    found = Series.objects.filter(name=name).first()
    if found is None:
        raise DomainError(f"There is no series named “{name}”.")
    return found


def _run(name: str) -> AttackRun:
    found = AttackRun.objects.filter(name=name).first()
    if found is None:
        raise DomainError(f"There is no attack run named “{name}” any more.")
    return found


def _made_by_an_attempt_before(job: JobHandle, series: Series) -> Round | None:
    """The round, if this job's worker was lost after it had made it."""
    started = Job.objects.get(pk=job.id).created_at
    return series.rounds.filter(number__gt=1, created_at__gte=started, model=None).first()
