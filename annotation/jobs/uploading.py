"""The job `upload_model`: a model folder that somebody uploaded is loaded whole, tried, and kept."""

from __future__ import annotations

import shutil
from math import isfinite
from pathlib import Path
from typing import Any

from annotation.errors import DomainError
from annotation.exchange.model_files import kind_of, unpacked
from annotation.jobs.predicting import said_of
from annotation.models import Job, LearnedModel
from annotation.services.model_keeping import check_name, incoming_file, keep
from annotation.services.running import JobHandle
from regressors.errors import RegressorError
from scoring.model_folder import ModelFolder
from scoring.result import ScoringError
from scoring.table import one_line

TRIED = "The ferry leaves at nine."
LONGEST_PROBLEM = 300


def run(job: JobHandle, *, stored: str, file: str, name: str) -> dict[str, Any]:
    """`stored` is the hash of the uploaded file, `file` what it was called, `name` what the model is to be called."""
    queued = Job.objects.select_related("created_by").get(pk=job.id)
    made = LearnedModel.objects.filter(name=name, uploaded_by=queued.created_by, created_at__gte=queued.created_at).first()
    if made is None:
        check_name(name)
        job.progress(0, 2, "Loading the model")
        with unpacked(incoming_file(stored), file) as (folder, found):
            kind = kind_of(found.card)
            _try(folder, kind, file)
            job.progress(1, 2, "Keeping the model")
            simulated = found.card.get("simulated") is True
            made = keep(_moved(folder, found), name, kind, uploaded_by=queued.created_by, simulated=simulated)
    incoming_file(stored).unlink(missing_ok=True)
    return {"model": made.name, "sha256": made.sha256}


def _try(folder: Path, kind: LearnedModel.Kind, file: str) -> None:
    """Load it, and have it say something as it will be asked to. Raises DomainError where it cannot."""
    try:
        (_try_suspicion if kind == LearnedModel.Kind.SUSPICION else _try_meaning)(folder)
    except (RegressorError, ScoringError) as refused:
        raise DomainError(f"“{file}”: {str(refused).replace(str(folder), 'the folder')}") from refused
    except Exception as wrong:  # what a stranger's files provoke in the libraries may be anything
        said = one_line(f"{type(wrong).__name__}: {wrong}".replace(str(folder), "the folder"))[:LONGEST_PROBLEM]
        raise DomainError(f"“{file}”: its model was tried on a text and failed ({said}).") from wrong


def _try_suspicion(folder: Path) -> None:
    from regressors.storage import load

    trained = load(folder)
    low, high = trained.card["data"]["scale"]
    said = said_of(trained, TRIED)
    # False of NaN too.
    if not all(low <= said[part] <= high for part in ("score", "low", "high") if said[part] is not None):
        raise RegressorError(f"its model was tried on a text and says {said['score']}; its scale is {low:g} to {high:g}.")
    if not all(isfinite(word["effect"]) for word in said["words"]):
        raise RegressorError("its model was tried on a text and cannot say what its words do.")


def _try_meaning(folder: Path) -> None:
    from scoring.texts.meaning.trained import MeaningModel

    (found,) = MeaningModel.load(folder).predict([(TRIED, TRIED.replace("l", "1"))]).tolist()
    if not 0 <= found <= 1:
        raise ScoringError(f"its model was tried on a pair and says {found}, which is no probability.")


def _moved(folder: Path, found: ModelFolder) -> Any:
    def move(target: Path) -> ModelFolder:
        # Without a row for it, what lies there is left from a job that was stopped here.
        shutil.rmtree(target, ignore_errors=True)
        folder.rename(target)
        return found

    return move
