"""A small task and a victim trained on it, as uploads and trainings leave them, and their rows."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotation.models import Task, Victim
from annotation.services.attacking import keep_task, keep_victim
from attacks.tasks.layout import Row, write_task
from attacks.tasks.layout import Task as TaskFolder
from attacks.victims.training import train_victim
from scoring.model_folder import read_model_folder, write_model_folder

CALM = ("ferry", "council", "harbour", "timetable", "library", "bridge")
LOUD = ("shocking", "secret", "miracle", "outrage", "exposed", "unbelievable")
BETWEEN = ("opens", "says", "closes", "after", "before", "near")


def _rows(n: int, seed: int) -> list[Row]:
    draw = random.Random(seed)
    rows = []
    for number in range(n):
        words = [draw.choice(LOUD if number % 2 else CALM), draw.choice(BETWEEN), draw.choice(CALM), draw.choice(BETWEEN)]
        rows.append(Row(number % 2, f"paper {number}", f"{' '.join(words).capitalize()} number {number}."))
    return rows


def write_small_task(folder: Path) -> Path:
    """The task's folder: loud headlines are non-credible."""
    write_task(TaskFolder("ferries", _rows(80, 1), _rows(40, 2), _rows(12, 3)), folder)
    return folder


def keep_small_task(name: str = "ferries", **how: Any) -> Task:
    with TemporaryDirectory() as folder:
        return keep_task(folder=write_small_task(Path(folder)), name=name, **how)


@cache
def _small_victim() -> tuple[dict[str, Any], dict[str, bytes]]:
    with TemporaryDirectory() as folder:
        task = TaskFolder("ferries", _rows(80, 1), _rows(40, 2), _rows(12, 3))
        train_victim(task, "linear", Path(folder) / "v")
        found = read_model_folder(Path(folder) / "v")
        return dict(found.card), dict(found.files)


def write_small_victim(folder: Path) -> Any:
    """The victim's folder."""
    card, files = _small_victim()
    folder.parent.mkdir(parents=True, exist_ok=True)
    return write_model_folder(folder, card=card, files=files) or read_model_folder(folder)


def keep_small_victim(name: str = "small", **how: Any) -> Victim:
    def save(folder: Path) -> Any:
        write_small_victim(folder)
        return read_model_folder(folder)

    return keep_victim(save, name, **how)
