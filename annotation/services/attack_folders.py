"""From the names of rows to what the library is told: folders, if they are what they were when their rows were written. And
attacking there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from annotation.errors import DomainError
from annotation.models import LearnedModel, Task, Victim
from scoring.model_folder import ModelFolderError, read_model_folder

from .attacking import AttackWanted, task_sha256
from .places import model_folder
from .service_victims import KIND as SERVICE
from .service_victims import described_in

if TYPE_CHECKING:
    from attacks.engine.lockstep import Progress
    from attacks.settings import RunSettings
    from attacks.shards import Shard

LEARNED = ("suspicion", "meaning")
"""Constraints that a learned model of the database sets."""


def settings_of(wanted: AttackWanted) -> RunSettings:
    """What the library is told. Raises DomainError where a folder is not what it was when its row was written."""
    from attacks.settings import RunSettings

    task, victim = Task.objects.filter(name=wanted.task).first(), Victim.objects.filter(name=wanted.victim).first()
    if task is None or victim is None:
        raise DomainError(f"There is no {'task' if task is None else 'victim'} of that name any more.")
    with _readable("task", task.name):
        found = task_sha256(Path(task.folder))
    if found != task.sha256:
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


def model_named(name: str) -> LearnedModel:
    """A learned model whose folder is as it was kept. Raises DomainError otherwise."""
    found = LearnedModel.objects.filter(name=name).first()
    if found is None:
        raise DomainError(f"There is no model named “{name}” any more.")
    _refuse_changed("model", found.name, found.folder, found.sha256)
    return found


def _refuse_changed(what: str, name: str, folder: str, sha256: str) -> None:
    with _readable(what, name):
        found = read_model_folder(Path(folder)).sha256
    if found != sha256:
        raise DomainError(f"The folder of the {what} “{name}” was changed since it was kept; it is not used.")


@contextmanager
def _readable(what: str, name: str) -> Iterator[None]:
    """Whoever asks for an attack learns what is missing, not where on the server it lay."""
    try:
        yield
    except (ModelFolderError, OSError) as broken:
        told = f"The folder of the {what} “{name}” is missing or damaged. Put it back as it was, or choose another."
        raise DomainError(told) from broken


def attack_shard(settings: RunSettings, folder: Path, shard: Shard, progress: Progress) -> None:
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
    run_shard(settings, folder, shard, progress=progress)
