"""Tasks, victims and attack runs: kept under names that are taken once, and attacks started as jobs in parts."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.errors import DomainError
from annotation.models import AttackRun, Job, LearnedModel, Task, User, Victim
from annotation.queries.jobs import ATTACK, SUSPICION
from scoring.model_folder import read_model_folder

from .jobs import Part, enqueue
from .leftovers import ATTACKING
from .model_keeping import Saved
from .naming import refuse_unfit

ATTACK_PART = "attack_part"
SPLITS = ("train", "dev", "attack")
LONGEST = {"task": 40, "victim": 120, "attack run": 120}
MOST_PARTS = 16
HERE: Mapping[str, type[Task] | type[Victim] | type[AttackRun]] = {"task": Task, "victim": Victim, "attack run": AttackRun}


def check_name(what: str, name: str) -> None:
    """Raise DomainError where no task, victim or attack run (`what`) can have this name."""
    refuse_unfit(name, what=f"an {what}" if what == "attack run" else f"a {what}", longest=LONGEST[what])
    if HERE[what].objects.filter(name=name).exists():
        raise _taken(what, name)


@transaction.atomic
def keep_task(*, folder: Path, name: str, by: User | None = None) -> Task:
    """Copy a task folder into the data folder and record it. Raises DomainError when its files cannot be read as a task, or
    another has the name."""
    from attacks.errors import AttackError
    from attacks.tasks.layout import read_task

    check_name("task", name)
    try:
        task = read_task(folder)
    except AttackError as refused:
        raise DomainError(str(refused).replace(f"{folder}/", "")) from refused
    counts = {}
    for split in SPLITS:
        rows = getattr(task, split)
        if split != "dev" and any("\0" in row.text for row in rows):
            raise DomainError(f"{split}.tsv has a NUL character in a text, which no database holds.")
        counts[split] = [sum(row.label == label for row in rows) for label in (0, 1)]
    target = settings.DATA_DIR / "tasks" / name
    row = _recorded("task", name, folder=str(target), counts=counts, created_by=by)
    assert isinstance(row, Task)
    # Without a row for it, what lies there is left from a job that was stopped here.
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for split in SPLITS:
        shutil.copyfile(folder / f"{split}.tsv", target / f"{split}.tsv")
    row.sha256 = task_sha256(target)
    row.save(update_fields=["sha256"])
    return row


@transaction.atomic
def keep_victim(save: Callable[[Path], Saved], name: str, *, by: User | None = None) -> Victim:
    """Have the victim saved in a folder of its name, and record it. Raises DomainError when another has the name."""
    check_name("victim", name)
    folder = settings.DATA_DIR / "victims" / name
    row = _recorded("victim", name, folder=str(folder), created_by=by)
    assert isinstance(row, Victim)
    for column, value in _said_of(save(folder)).items():
        setattr(row, column, value)
    row.save()
    return row


def know_victim(folder: Path) -> Victim:
    """The row of a victim that lies in a folder of its name already, made if there is none."""
    known = _said_of(read_model_folder(folder)) | {"folder": str(folder)}
    return Victim.objects.get_or_create(name=folder.name, defaults=known)[0]


def _said_of(saved: Saved) -> dict[str, Any]:
    """What the row of a victim repeats of its folder."""
    card = saved.card
    return {"sha256": saved.sha256 or "", "card": card, "kind": str(card["kind"]), "trained_on": str(card.get("task", ""))}


def task_sha256(folder: Path) -> str:
    """Over the names and the contents of a task folder's files."""
    digest = hashlib.sha256()
    for split in SPLITS:
        content = (folder / f"{split}.tsv").read_bytes()
        digest.update(f"{split} {len(content)} ".encode() + content)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackWanted:
    """An attack as a job is told of it: names of rows, an attacker by its name, and how to attack.

    `model` says afterwards how suspicious the successes look. `constraints` are those of `attacks.constraints.wanted.WANTED`,
    learned models by the names of their rows, others by their folders' (`annotation.services.places`). `parts` may run at the
    same time."""

    name: str
    task: str
    victim: str
    attacker: str
    parameters: Mapping[str, Any]
    targeted: bool = False
    budget: int | None = None
    seed: int = 0
    texts: int | None = None
    model: str | None = None
    constraints: Mapping[str, Any] = field(default_factory=dict)
    parts: int = 1

    @property
    def folder(self) -> Path:
        """Where the attack works until it is recorded: another one's, if anything of it is another."""
        said = json.dumps({**asdict(self), "resources": settings.ATTACK_RESOURCES}, sort_keys=True)
        folder: Path = settings.DATA_DIR / ATTACKING / f"{self.name}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        return folder


def start_attack(*, wanted: AttackWanted, by: User) -> Job:
    """Queue the attack, in parts if there are to be several. Raises DomainError when the name is taken, AlreadyRunning while an
    attack of that name is under way."""
    check_name("attack run", wanted.name)
    arguments = asdict(wanted)
    shares = shares_of(wanted)
    parts = [
        Part(ATTACK_PART, {"attack": arguments, "number": number}, size) for number, size in enumerate(shares, start=1)
    ]  # fmt: skip
    return enqueue(
        kind=ATTACK,
        arguments=arguments,
        by=by,
        alone=f"{ATTACK}:{wanted.name}",
        parts=parts if len(parts) > 1 else (),
    )


def ask_suspicion(*, run: AttackRun, model: LearnedModel, by: User) -> Job:
    """Have the model say how suspicious the run's successes look. Raises DomainError for a model of something else."""
    if model.kind != LearnedModel.Kind.SUSPICION:
        raise DomainError("Only suspicion models say how suspicious a text looks.")
    arguments = {"run": run.name, "model": model.name}
    return enqueue(kind=SUSPICION, arguments=arguments, by=by, alone=f"{SUSPICION}:{run.pk}:{model.pk}")


def shares_of(wanted: AttackWanted) -> list[int]:
    """How many of the attack's texts each part has; none is empty."""
    counts = Task.objects.get(name=wanted.task).counts["attack"]
    texts = min(sum(counts), wanted.texts or sum(counts))
    parts = max(1, min(wanted.parts, texts))
    return [texts // parts + (number < texts % parts) for number in range(parts)]


def _recorded(what: str, name: str, **fields: Any) -> Task | Victim | AttackRun:
    """The row comes first: its unique name keeps two jobs out of one folder."""
    try:
        with transaction.atomic():
            return HERE[what].objects.create(name=name, **fields)
    except IntegrityError as clash:
        raise _taken(what, name) from clash


def _taken(what: str, name: str) -> DomainError:
    return DomainError(f"There is already {'an' if what == 'attack run' else 'a'} {what} named “{name}”. Choose another name.")
