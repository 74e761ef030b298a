"""The job `train`: a model from one campaign's judgements."""

from __future__ import annotations

from typing import Any

from annotation.errors import DomainError
from annotation.models import Campaign, Job, LearnedModel
from annotation.protocols import protocol_of
from annotation.services.running import JobHandle
from annotation.services.training import DEFAULT_SEED, TRAINERS


def run(job: JobHandle, *, campaign: str, seed: int = DEFAULT_SEED, name: str = "", **chosen: Any) -> dict[str, Any]:
    """The job `train`: `campaign` is a name; the rest as for its trainer. The result names the model."""
    learned_from = Campaign.objects.filter(name=campaign).first()
    if learned_from is None:
        raise DomainError(f"There is no campaign named “{campaign}”.")
    trainer = TRAINERS.get(protocol_of(learned_from).learns)
    if trainer is None:
        raise DomainError(f"No model can learn from “{campaign}”: there is none for the protocol {learned_from.protocol}.")
    model = _made_by_an_attempt_before(job, learned_from, name or campaign)
    if model is None:
        model = trainer(campaign=learned_from, seed=seed, name=name, progress=job.progress, **chosen)
    return {"model": model.name, "sha256": model.sha256}


def _made_by_an_attempt_before(job: JobHandle, campaign: Campaign, name: str) -> LearnedModel | None:
    """The model, if this job's worker was lost after it had saved everything but before it could say so."""
    started = Job.objects.get(pk=job.id).created_at
    return LearnedModel.objects.filter(name=name, campaign=campaign, created_at__gte=started).first()
