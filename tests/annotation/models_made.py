"""A small suspicion model in a folder, as a training leaves it, and its row."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from annotation.models import LearnedModel
from annotation.services.model_keeping import keep
from regressors.rows import TrainingRows
from regressors.storage import save
from regressors.trained import TrainedModel
from regressors.training import train

WORDS = ("ferry", "bridge", "harbour", "morning", "council", "market", "garden", "winter")


@cache
def trained() -> TrainedModel:
    """Texts with a misspelt word are suspicious."""
    rows: list[tuple[str, int, str]] = []
    for number in range(24):
        words = [WORDS[(number + step * (1 + number % 3)) % 8] for step in range(4)]
        rows.append((" ".join(words), 1 + number % 2, str(number)))
        words[number % 4] = words[number % 4][::-1] + "qx"
        rows.append((" ".join(words), 5 - number % 2, str(number)))
    texts, scores, originals = zip(*rows, strict=True)
    return train(TrainingRows(texts, scores, originals), model="linear", repeats=1, folds=3)


def keep_model(name: str, **how: Any) -> LearnedModel:
    """The model under that name, in the data folder of the test."""

    def saved(folder: Path) -> TrainedModel:
        return save(trained(), folder, replace=True)

    return keep(saved, name, LearnedModel.Kind.SUSPICION, **how)
