"""Train a victim, judge it on the development set, keep it as a model folder with a card."""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from attacks.errors import AttackError
from attacks.tasks.layout import Row, Task
from attacks.victims.bilstm import BiLSTMVictim
from attacks.victims.epochs import KeptEpochs, digest_of
from attacks.victims.linear import LinearVictim
from attacks.victims.service import DESCRIPTION, ServiceVictim
from attacks.victims.sklearn_pipeline import SklearnVictim
from attacks.victims.transformer import TransformerVictim
from attacks.victims.victim import Evaluation, Progress, Victim, evaluate
from scoring.model_folder import CARD, ModelFolder, read_model_folder, write_model_folder

TrainedVictim = LinearVictim | BiLSTMVictim | TransformerVictim
StoredVictim = TrainedVictim | SklearnVictim
KINDS: Mapping[str, type[TrainedVictim]] = {"linear": LinearVictim, "bilstm": BiLSTMVictim, "transformer": TransformerVictim}
"""Kinds of victims that can be trained here."""
STORED: Mapping[str, type[StoredVictim]] = {**KINDS, SklearnVictim.kind: SklearnVictim}
"""Kinds of victims that a model folder can hold."""
_NOT_PARAMETERS = {"rows", "seed", "progress", "kept"}


@dataclass(frozen=True, slots=True)
class Hardening:
    """Adversarial examples to train on besides the training set: rows with their originals' labels, and what made them."""

    rows: list[Row]
    description: Mapping[str, Any]


class Adversary(Protocol):
    """What attacks a victim that was trained on ``rows``, and gives back what it should be trained on besides."""

    def describe(self) -> dict[str, Any]: ...

    def __call__(self, victim: Victim, rows: Sequence[Row], *, seed: int, kept: Path, progress: Progress | None) -> Hardening:
        """``kept`` is where a file may lie that should outlast a killed process; its folder need not be there."""
        ...


def train_victim(
    task: Task,
    kind: str,
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    force: bool = False,
    adversary: Adversary | None = None,
    progress: Progress | None = None,
    **parameters: Any,
) -> TrainedVictim:
    """Train a victim of a kind on ``task.train``, evaluate it on ``task.dev`` and write it to the folder ``out``.

    The card holds accuracy and F1 with intervals, parameters, seed, the hash of the data and versions. ``parameters`` are
    those of the kind's `train` (`parameters_of`). With an ``adversary`` the victim that was trained is attacked, and one is
    trained anew on the training set and the adversarial examples. A training in epochs that was stopped goes on after its
    last finished one when it is called again with the same arguments. Raises `AttackError` for an unknown kind or parameter,
    for a training set with one label, and, unless forced, for a victim that cannot be told from always answering the most
    frequent label.
    """
    out = Path(out)
    trainer = _kind(kind)
    if (out / CARD).exists():  # said before the training, not after it
        raise AttackError(f"{out} holds a model already; choose another folder, or remove it first")
    defaults = parameters_of(kind)
    if unknown := sorted(parameters.keys() - defaults.keys()):
        raise AttackError(f"a {kind} victim has no parameter {unknown[0]!r}; it has {', '.join(defaults)}")
    for split, rows in _used(task):
        if {row.label for row in rows} != {0, 1}:
            raise AttackError(f"task {task.name}: its {split} set needs texts of both labels, 0 and 1")
    unfinished = out.resolve().parent / f".{out.name}.unfinished"

    def settings_with(rows: list[Row]) -> dict[str, Any]:
        return {"kind": kind, "seed": seed, "data": data_sha256(rows), **defaults, **parameters}

    def train_on(rows: list[Row]) -> TrainedVictim:
        return trainer.train(rows, seed=seed, progress=progress, kept=KeptEpochs(unfinished, settings_with(rows)), **parameters)

    victim, added = train_on(task.train), None
    if adversary is not None:
        settings = settings_with(task.train) | {"adversary": adversary.describe()}
        kept = unfinished / f"{digest_of(settings)}.jsonl"
        added = adversary(victim, task.train, seed=seed, kept=kept, progress=progress)
        victim = train_on([*task.train, *added.rows])
    told = {
        "parameters": defaults | parameters,
        "seed": seed,
        "adversarial": None if added is None else {**added.description, "n": len(added.rows), "sha256": data_sha256(added.rows)},
    }
    save_victim(victim, task, out, force=force, **told)
    shutil.rmtree(unfinished, ignore_errors=True)
    victim.sha256 = read_model_folder(out).sha256
    return victim


def save_victim(victim: StoredVictim, task: Task, out: str | os.PathLike[str], *, force: bool = False, **told: Any) -> Evaluation:
    """Evaluate a victim on ``task.dev`` and write it to the folder ``out``, with a card that says also what is ``told``.

    Raises `AttackError`, unless forced, for a victim at chance, and for a pipeline of parts that would not be loaded.
    """
    result = evaluate(victim, task.dev)
    if result.at_chance and not force:
        raise AttackError(
            f"the {victim.kind} victim is at chance: accuracy {result.accuracy:.3f} on {result.n} development texts, where the "
            f"most frequent label alone gives {result.majority:.3f}; train it longer or on more texts, or force it"
        )
    card = {
        "what": f"victim: {victim.kind}",
        "kind": victim.kind,
        "task": task.name,
        "labels": ["credible", "non-credible"],
        **told,
        "data": {split: {"n": len(rows), "sha256": data_sha256(rows)} for split, rows in _used(task)},
        "results": asdict(result),
        "resources": getattr(victim, "resources", {}),
        "forced": force,
        "versions": {"python": platform.python_version(), **_versions(victim.libraries)},
    }
    write_model_folder(Path(out), card=card, files=victim.files())
    return result


def load_victim(path: str | os.PathLike[str]) -> StoredVictim | ServiceVictim:
    """A victim from its folder; its `sha256` is the folder's.

    One behind an address is described by a JSON file (`ServiceVictim.from_file`): give that, or a folder in which it is called
    victim.json. Raises `ModelFolderError` or `AttackError`.
    """
    path = Path(path)
    description = path if path.is_file() else path / DESCRIPTION
    if description.is_file() and not (path / CARD).exists():
        return ServiceVictim.from_file(description)
    return victim_of(read_model_folder(path), str(path))


def victim_of(model: ModelFolder, where: str) -> StoredVictim:
    """The victim that a model folder, already read and checked, holds."""
    kind = model.card.get("kind")
    if not isinstance(kind, str) or kind not in STORED:
        raise AttackError(f"{where}: the card's kind is {kind!r}, so this is not a victim")
    try:
        return STORED[kind].from_files(model.files, model.card, model.sha256)
    except KeyError as error:
        raise AttackError(f"{where}: the victim lacks {error.args[0]!r}; train it again") from None


def parameters_of(kind: str) -> dict[str, Any]:
    """The parameters of a kind of victim, with their defaults."""
    signature = inspect.signature(_kind(kind).train)
    return {name: p.default for name, p in signature.parameters.items() if name not in _NOT_PARAMETERS}


def data_sha256(rows: list[Row]) -> str:
    """SHA-256 over the rows' labels and texts, in order."""
    digest = hashlib.sha256()
    for row in rows:
        text = row.text.encode("utf-8", "surrogatepass")
        digest.update(f"{row.label} {len(text)} ".encode() + text)
    return digest.hexdigest()


def _kind(kind: str) -> type[TrainedVictim]:
    if kind not in KINDS:
        raise AttackError(f"unknown kind of victim {kind!r}; there are {', '.join(KINDS)}")
    return KINDS[kind]


def _used(task: Task) -> list[tuple[str, list[Row]]]:
    return [("train", task.train), ("dev", task.dev)]


def _versions(libraries: Iterable[str]) -> dict[str, str]:
    """Of those that are installed; some are needed by some victims of a kind only."""
    found = {}
    for name in libraries:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
