"""Which function does which kind of job.

The functions are named, not imported: the web process lists the kinds without loading the libraries that they need.
A job's function is `def run(job: JobHandle, **arguments) -> dict` (see `annotation.services.running`); what it returns must
be JSON and becomes the job's result. It may be run again after a killed worker, so it must go on from what it finds.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from annotation.errors import DomainError

KINDS: dict[str, str] = {
    "add_service": "annotation.jobs.victims:add_service",
    "attack": "annotation.jobs.attacking:run",
    "attack_part": "annotation.jobs.attacking:run_part",
    "demo": "annotation.jobs.demo:run",
    "check_upload": "annotation.jobs.importing:check",
    "import_judgements": "annotation.jobs.importing:judgements",
    "import_upload": "annotation.jobs.importing:run",
    "next_round": "annotation.jobs.rounds:next_round",
    "predict": "annotation.jobs.predicting:run",
    "robustness": "annotation.jobs.robustness:run",
    "study": "annotation.jobs.studying:run",
    "study_part": "annotation.jobs.studying:run_part",
    "suspicion": "annotation.jobs.attacking:say_suspicion",
    "train": "annotation.jobs.training:run",
    "train_version": "annotation.jobs.rounds:train",
    "train_victim": "annotation.jobs.victims:train",
    "upload_model": "annotation.jobs.uploading:run",
    "upload_task": "annotation.jobs.victims:upload_task",
    "upload_victim": "annotation.jobs.victims:upload_victim",
}


def check_kind(kind: str) -> None:
    """Raises DomainError, naming the kinds that exist, when there is no such kind."""
    if kind not in KINDS:
        raise DomainError(f"There is no kind of job called “{kind}”. There are: {', '.join(sorted(KINDS))}.")


def function_for(kind: str) -> Callable[..., dict[str, Any]]:
    """Import and return the function of a kind. Raises DomainError for an unknown kind."""
    check_kind(kind)
    module, name = KINDS[kind].split(":")
    function: Callable[..., dict[str, Any]] = getattr(import_module(module), name)
    return function
