"""The job `train`: a suspicion model from one campaign's judgements."""

from __future__ import annotations

from typing import Any

from annotation.errors import DomainError
from annotation.models import Campaign, Job, LearnedModel
from annotation.services.running import JobHandle
from annotation.services.training import DEFAULT_SEED, train_suspicion_model


def run(
    job: JobHandle, *, campaign: str, seed: int = DEFAULT_SEED, name: str = "", confidence_at_least: int = 1
) -> dict[str, Any]:
    """The job `train`: `campaign` is a name; the rest as for `train_suspicion_model`. The result names the model."""
    learned_from = Campaign.objects.filter(name=campaign).first()
    if learned_from is None:
        raise DomainError(f"There is no campaign named “{campaign}”.")
    model = _made_by_an_attempt_before(job, learned_from, name or campaign)
    if model is None:
        model = train_suspicion_model(
            campaign=learned_from, seed=seed, name=name, confidence_at_least=confidence_at_least, progress=job.progress
        )
    return {"model": model.name, "sha256": model.sha256}


def _made_by_an_attempt_before(job: JobHandle, campaign: Campaign, name: str) -> LearnedModel | None:
    """The model, if this job's worker was lost after it had saved everything but before it could say so."""
    started = Job.objects.get(pk=job.id).created_at
    return LearnedModel.objects.filter(name=name, campaign=campaign, created_at__gte=started).first()
