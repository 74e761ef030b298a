"""Train a victim, judge it on the development set, keep it as a model folder with a card."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from attacks.errors import AttackError
from attacks.tasks.layout import Row, Task
from attacks.victims.bilstm import BiLSTMVictim
from attacks.victims.linear import LinearVictim
from attacks.victims.victim import evaluate
from scoring.model_folder import CARD, ModelFolder, read_model_folder, write_model_folder

TrainedVictim = LinearVictim | BiLSTMVictim
KINDS: Mapping[str, type[LinearVictim] | type[BiLSTMVictim]] = {"linear": LinearVictim, "bilstm": BiLSTMVictim}
_NOT_PARAMETERS = {"rows", "seed", "progress"}


def train_victim(
    task: Task,
    kind: str,
    out: str | os.PathLike[str],
    *,
    seed: int = 0,
    force: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
    **parameters: Any,
) -> TrainedVictim:
    """Train a victim of a kind on ``task.train``, evaluate it on ``task.dev`` and write it to the folder ``out``.

    The card holds accuracy, F1, parameters, seed and the hash of the data. ``parameters`` are those of the kind's
    `train` (`parameters_of`). Raises `AttackError` for an unknown kind or parameter, for a training set with one label,
    and, unless forced, for a victim that cannot be told from always answering the most frequent label.
    """
    trainer = _kind(kind)
    if (Path(out) / CARD).exists():  # said before the training, not after it
        raise AttackError(f"{out} holds a model already; choose another folder, or remove it first")
    defaults = parameters_of(kind)
    if unknown := sorted(parameters.keys() - defaults.keys()):
        raise AttackError(f"a {kind} victim has no parameter {unknown[0]!r}; it has {', '.join(defaults)}")
    for split, rows in (("train", task.train), ("dev", task.dev)):
        if {row.label for row in rows} != {0, 1}:
            raise AttackError(f"task {task.name}: its {split} set needs texts of both labels, 0 and 1")
    victim = trainer.train(task.train, seed=seed, progress=progress, **parameters)
    result = evaluate(victim, task.dev)
    if result.at_chance and not force:
        raise AttackError(
            f"the {kind} victim is at chance: accuracy {result.accuracy:.3f} on {result.n} development texts, where the "
            f"most frequent label alone gives {result.majority:.3f}; train it longer or on more texts, or force it"
        )
    card = {
        "what": f"victim: {kind}",
        "kind": kind,
        "task": task.name,
        "labels": ["credible", "non-credible"],
        "parameters": defaults | parameters,
        "seed": seed,
        "data": {split: {"n": len(rows), "sha256": data_sha256(rows)} for split, rows in _used(task)},
        "results": asdict(result),
        "resources": getattr(victim, "resources", {}),
        "forced": force,
    }
    write_model_folder(Path(out), card=card, files=victim.files())
    return load_victim(out)


def load_victim(folder: str | os.PathLike[str]) -> TrainedVictim:
    """A victim from its folder; its `sha256` is the folder's. Raises `ModelFolderError` or `AttackError`."""
    return victim_of(read_model_folder(Path(folder)), str(folder))


def victim_of(model: ModelFolder, where: str) -> TrainedVictim:
    """The victim that a model folder, already read and checked, holds."""
    if model.card.get("kind") not in KINDS:
        raise AttackError(f"{where}: the card's kind is {model.card.get('kind')!r}, so this is not a victim")
    try:
        return _kind(model.card["kind"]).from_files(model.files, model.card, model.sha256)
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


def _kind(kind: str) -> type[LinearVictim] | type[BiLSTMVictim]:
    if kind not in KINDS:
        raise AttackError(f"unknown kind of victim {kind!r}; there are {', '.join(KINDS)}")
    return KINDS[kind]


def _used(task: Task) -> list[tuple[str, list[Row]]]:
    return [("train", task.train), ("dev", task.dev)]
