"""The jobs of a constraint study: a part of one of its runs, and the whole when all parts are done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotation.errors import DomainError
from annotation.models import ConstraintStudy, Job
from annotation.services.studies import attack_part, finish_study

if TYPE_CHECKING:
    from annotation.services.running import JobHandle


def run(job: JobHandle, *, study: int, name: str) -> dict[str, Any]:
    """Score, compare and record what the parts have attacked. Its progress stays that of the parts."""
    row = Job.objects.get(pk=job.id)
    finish_study(_study(study, name), lambda done, total, message: job.progress(row.done, row.total, message))
    return {"study": name}


def run_part(job: JobHandle, *, study: int, run: str, number: int, of: int) -> dict[str, Any]:
    """Attack part `number`, from 1, of one run's texts."""
    attack_part(study=_study(study), run=run, number=number, of=of, progress=job.progress)
    return {}


def _study(pk: int, name: str = "") -> ConstraintStudy:
    found = ConstraintStudy.objects.filter(pk=pk).first()
    if found is None:
        raise DomainError(f"There is no study {f'named “{name}”' if name else pk} any more.")
    return found
