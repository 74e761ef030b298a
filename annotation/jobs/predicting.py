"""The job `predict`: what a suspicion model says of one text, and which words drive it."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotation.errors import DomainError
from annotation.models import LearnedModel
from annotation.services.running import JobHandle

if TYPE_CHECKING:
    from regressors.trained import TrainedModel

MOST_MODELS = 3
"""How many a worker keeps in memory."""
MOST_WORDS = 10


def run(job: JobHandle, *, model: int, text: str) -> dict[str, Any]:
    """What `said_of` says."""
    row = LearnedModel.objects.filter(pk=model).first()
    if row is None:
        raise DomainError("The model was removed in the meantime.")
    trained = _loaded(row.folder, row.sha256)
    job.progress(1, 2, "Leaving out word after word")
    return said_of(trained, text)


def said_of(trained: TrainedModel, text: str) -> dict[str, Any]:
    """Score, the ends of its 90 % interval or the reason why there is none, and the words with the largest effects."""
    from regressors.explanation import explain

    found = explain(trained, text)
    words = [asdict(word) for word in found.words[:MOST_WORDS]]
    return {"score": found.score, **_interval(trained, text), "words": words, "words_in_text": found.words_in_text}


def _interval(trained: TrainedModel, text: str) -> dict[str, Any]:
    if reason := trained.card["calibration"].get("reason"):
        return {"low": None, "high": None, "no_interval": reason["message"]}
    _, low, high = trained.predict_interval([text])
    return {"low": float(low[0]), "high": float(high[0]), "no_interval": ""}


@lru_cache(MOST_MODELS)
def _loaded(folder: str, sha256: str) -> TrainedModel:
    """The model, read once by this process. A folder that is not what it was is refused."""
    from regressors.storage import load

    trained = load(Path(folder))
    if trained.sha256 != sha256:
        raise DomainError("The model's folder was changed since it was trained; it is not used. Train or upload it again.")
    return trained
