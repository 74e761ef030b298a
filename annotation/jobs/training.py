"""The job `train`: a model from the judgements of one or several campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.errors import DomainError
from annotation.models import Campaign, Job, LearnedModel
from annotation.protocols import protocol_of
from annotation.services.running import JobHandle
from annotation.services.training import DEFAULT_SEED, TRAINERS


def run(
    job: JobHandle, *, campaign: str, also: Sequence[str] = (), seed: int = DEFAULT_SEED, name: str = "", **chosen: Any
) -> dict[str, Any]:
    """The job `train`: `campaign` and those of `also` are names; the rest as for their trainer. The result names the model."""
    learned_from = [_campaign(each) for each in (campaign, *also)]
    trainer = TRAINERS.get(protocol_of(learned_from[0]).learns)
    if trainer is None:
        raise DomainError(f"No model can learn from “{campaign}”: there is none for the protocol {learned_from[0].protocol}.")
    model = _made_by_an_attempt_before(job, learned_from[0], name or campaign)
    if model is None:
        model = trainer(campaigns=learned_from, seed=seed, name=name, progress=job.progress, **chosen)
    return {"model": model.name, "sha256": model.sha256}


def _campaign(name: str) -> Campaign:
    found = Campaign.objects.filter(name=name).first()
    if found is None:
        raise DomainError(f"There is no campaign named “{name}”.")
    return found


def _made_by_an_attempt_before(job: JobHandle, campaign: Campaign, name: str) -> LearnedModel | None:
    """The model, if this job's worker was lost after it had saved everything but before it could say so."""
    started = Job.objects.get(pk=job.id).created_at
    return LearnedModel.objects.filter(name=name, campaigns=campaign, created_at__gte=started).first()
