"""The jobs that bring tasks and victims: uploaded ones are read whole and tried; a victim may be trained here, or be asked at an
address."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from django.conf import settings

from annotation.errors import DomainError
from annotation.exchange.attack_files import unpacked_task, unpacked_victim
from annotation.models import Job, Task, Victim
from annotation.services.attacking import check_name, keep_task, keep_victim, task_sha256
from annotation.services.leftovers import ATTACKING
from annotation.services.model_keeping import incoming_file
from annotation.services.places import model_folder
from annotation.services.running import JobHandle
from annotation.services.service_victims import describe_in
from scoring.model_folder import ModelFolder, ModelFolderError, read_model_folder
from scoring.table import one_line

if TYPE_CHECKING:
    from attacks.victims.adversarial import TrainingSetAttack

TRIED = ("The ferry leaves at nine.", "")
LONGEST_PROBLEM = 300


def upload_task(job: JobHandle, *, stored: str, file: str, name: str) -> dict[str, Any]:
    """`stored` is the hash of the uploaded zip file, `file` what it was called, `name` what the task is to be called."""
    queued = Job.objects.select_related("created_by").get(pk=job.id)
    made = Task.objects.filter(name=name, created_by=queued.created_by, created_at__gte=queued.created_at).first()
    if made is None:
        job.progress(0, 1, "Reading the task's files")
        with unpacked_task(stored, file) as folder:
            made = keep_task(folder=folder, name=name, by=queued.created_by)
    incoming_file(stored).unlink(missing_ok=True)
    return {"task": made.name}


def upload_victim(job: JobHandle, *, stored: str, file: str, name: str) -> dict[str, Any]:
    """The same for a victim, which is loaded and asked about a text before it is kept."""
    made = _made_by_an_attempt_before(job, name)
    if made is None:
        check_name("victim", name)
        job.progress(0, 1, "Loading the victim")
        with unpacked_victim(stored, file) as (folder, found):
            _try(folder, file)
            made = keep_victim(_moved(folder, found), name, by=Job.objects.get(pk=job.id).created_by)
    incoming_file(stored).unlink(missing_ok=True)
    return {"victim": made.name}


def brought_victim(folder: Path, name: str) -> Victim:
    """Keep a copy of a folder of this machine as a victim. Raises DomainError for what is none, or cannot answer."""
    check_name("victim", name)
    with TemporaryDirectory(dir=_working()) as parent:
        copy = Path(parent) / "victim"
        try:
            read_model_folder(folder)
            shutil.copytree(folder, copy)
            found = read_model_folder(copy)
        except ModelFolderError as refused:
            raise DomainError(str(refused)) from refused
        _try(copy, str(folder))
        return keep_victim(_moved(copy, found), name)


def add_service(job: JobHandle, *, name: str, description: Mapping[str, Any]) -> dict[str, Any]:
    """Ask a victim behind an address about a text, and keep its description."""
    made = _made_by_an_attempt_before(job, name)
    if made is None:
        check_name("victim", name)
        job.progress(0, 1, "Asking it about a text")
        with TemporaryDirectory(dir=_working()) as parent:
            describe_in(Path(parent), description)
            _try(Path(parent), name)
        by = Job.objects.get(pk=job.id).created_by
        made = keep_victim(lambda folder: describe_in(folder, description), name, by=by)
    return {"victim": made.name}


def train(
    job: JobHandle,
    *,
    task: str,
    kind: str,
    seed: int,
    name: str,
    parameters: Mapping[str, Any] | None = None,
    base: str = "",
    adversary: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Train a victim of a kind on a task, unless it is no better than chance. `base` is a folder of PASSABLE_MODELS; `adversary`
    says who attacks it for adversarial training: `attacker`, and how many `texts` with which `budget`."""
    from attacks.tasks.layout import read_task
    from attacks.victims.training import train_victim

    made = _made_by_an_attempt_before(job, name)
    if made is None:
        check_name("victim", name)
        row = Task.objects.filter(name=task).first()
        if row is None:
            raise DomainError(f"There is no task named “{task}” any more.")
        if task_sha256(Path(row.folder)) != row.sha256:
            raise DomainError(f"The files of the task “{task}” were changed since it was brought in; it is not used.")
        how = {**(parameters or {}), **({"base": str(model_folder(base))} if base else {})}
        # The same for whoever goes on with it: what a training that was stopped had done lies beside.
        said = json.dumps([row.sha256, kind, seed, how, adversary], sort_keys=True)
        folder = _working() / f"victim-{name}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        shutil.rmtree(folder, ignore_errors=True)
        against = _adversary(adversary) if adversary else None
        train_victim(read_task(row.folder), kind, folder, seed=seed, adversary=against, progress=job.progress, **how)
        made = keep_victim(_moved(folder, read_model_folder(folder)), name, by=Job.objects.get(pk=job.id).created_by)
    return {"victim": made.name}


def _adversary(wanted: Mapping[str, Any]) -> TrainingSetAttack:
    from attacks.attackers import make_attacker
    from attacks.resources import Resources
    from attacks.victims.adversarial import TrainingSetAttack

    attacker = make_attacker(wanted["attacker"], Resources.at(**settings.ATTACK_RESOURCES))
    return TrainingSetAttack(attacker, wanted["texts"], wanted["budget"])


def _working() -> Path:
    """Where victims lie on their way."""
    folder: Path = settings.DATA_DIR / ATTACKING
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _try(folder: Path, file: str) -> None:
    """Load it, and ask it about texts as an attack will. Raises DomainError where it cannot answer."""
    from attacks.victims.training import load_victim

    try:
        found = load_victim(folder).predict_proba(TRIED)
        possible = found.shape == (len(TRIED), 2) and bool(((found >= 0) & (found <= 1)).all())
    except Exception as wrong:  # what a stranger's files provoke in the libraries may be anything
        said = one_line(f"{type(wrong).__name__}: {wrong}".replace(str(folder), "the folder"))[:LONGEST_PROBLEM]
        raise DomainError(f"“{file}”: the victim was tried on a text and failed ({said}).") from wrong
    if not possible:
        raise DomainError(f"“{file}”: the victim was tried on a text and gave no two probabilities.")


def _moved(folder: Path, found: ModelFolder) -> Callable[[Path], ModelFolder]:
    def move(target: Path) -> ModelFolder:
        # Without a row for it, what lies there is left from a job that was stopped here.
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder, target)
        return found

    return move


def _made_by_an_attempt_before(job: JobHandle, name: str) -> Victim | None:
    """The victim, if this job's worker was lost after it had kept it but before it could say so."""
    queued = Job.objects.get(pk=job.id)
    return Victim.objects.filter(name=name, created_by=queued.created_by, created_at__gte=queued.created_at).first()
