"""The job `upload_model`: a model folder that somebody uploaded is loaded whole, tried, and kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from annotation.errors import DomainError
from annotation.exchange.model_files import kind_of, unpacked
from annotation.models import Job, LearnedModel
from annotation.services.model_keeping import check_name, incoming_file, keep
from annotation.services.running import JobHandle
from regressors.errors import RegressorError
from scoring.model_folder import ModelFolder
from scoring.result import ScoringError


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
    """Load it, and have it say something. Raises DomainError where it cannot."""
    from regressors.storage import load
    from scoring.texts.meaning.trained import MeaningModel

    try:
        if kind == LearnedModel.Kind.SUSPICION:
            load(folder).predict(["The ferry leaves at nine."])
        else:
            MeaningModel.load(folder).predict([("The ferry leaves at nine.", "The ferry 1eaves at nine.")])
    except (RegressorError, ScoringError) as refused:
        raise DomainError(f"“{file}”: {str(refused).replace(str(folder), 'the folder')}") from refused


def _moved(folder: Path, found: ModelFolder) -> Any:
    def move(target: Path) -> ModelFolder:
        # Without a row for it, what lies there is left from a job that was stopped here.
        shutil.rmtree(target, ignore_errors=True)
        folder.rename(target)
        return found

    return move
