"""The training table: from a campaign's judgements to rows that a suspicion model learns from."""

from __future__ import annotations

from typing import Any

from annotation.errors import DomainError
from annotation.models import Campaign, Judgement
from annotation.protocols import protocol_of
from regressors.rows import TrainingRows


def training_rows(campaign: Campaign) -> TrainingRows:
    """One row per counted judgement, in stable order: the text, its score on the campaign's scale, the key of its original.

    Raises DomainError when the answers are not points of a scale about single texts, or there are none.
    """
    if not protocol_of(campaign).scale:
        raise DomainError(
            f"“{campaign.name}” did not ask how suspicious single texts look; no suspicion model can learn from it."
        )
    answers = Judgement.objects.filter(claim__item__campaign=campaign, uncounted="").order_by(
        "claim__item__number", "claim__slot__position"
    )
    rows = answers.values_list("claim__item__first__text", "label__value", "claim__original__task", "claim__original__key")
    texts, scores, tasks, keys = zip(*rows, strict=True) if rows else ((), (), (), ())
    if not texts:
        raise DomainError(f"“{campaign.name}” has no judgements yet.")
    return TrainingRows(texts, scores, [f"{task}/{key}" for task, key in zip(tasks, keys, strict=True)])


def scale_of(campaign: Campaign) -> tuple[float, float]:
    """The lowest and the highest point of the campaign's scale."""
    values = [label.value for label in protocol_of(campaign).labels_of(campaign)]
    return float(min(values)), float(max(values))


def provenance(campaign: Campaign) -> dict[str, Any]:
    """What a model's card says about the campaign that it learned from."""
    return {"campaign": campaign.name, "source": campaign.source, "simulated": campaign.simulated}
