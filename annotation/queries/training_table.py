"""The training table: from a campaign's judgements to rows that a suspicion model learns from."""

from __future__ import annotations

from typing import Any

from annotation.errors import DomainError
from annotation.models import Campaign, Judgement
from annotation.protocols import protocol_of
from annotation.protocols.votes import counted_items
from regressors.rows import TrainingRows

LOWEST_CONFIDENCE = 1


def training_rows(campaign: Campaign, *, confidence_at_least: int = LOWEST_CONFIDENCE) -> TrainingRows:
    """One row per counted judgement, in stable order: the text, its score on the campaign's scale, the key of its original.

    `confidence_at_least` leaves out answers that were less sure: 2 all guesses, 3 what is only silver, too. Raises DomainError
    when the answers are not points of a scale about single texts, when nobody was asked how sure they were, or there are none.
    """
    if not protocol_of(campaign).scale:
        raise DomainError(
            f"“{campaign.name}” did not ask how suspicious single texts look; no suspicion model can learn from it."
        )
    if confidence_at_least > LOWEST_CONFIDENCE and not campaign.settings["confidence"]:
        raise DomainError(f"“{campaign.name}” did not ask how sure people were, so its answers cannot be chosen by it.")
    answers = Judgement.objects.filter(claim__item__in=counted_items(campaign), uncounted="")
    if confidence_at_least > LOWEST_CONFIDENCE:
        answers = answers.filter(confidence__gte=confidence_at_least)
    answers = answers.order_by("claim__item__number", "claim__slot__position")
    rows = answers.values_list("claim__item__first__text", "label__value", "claim__original__task", "claim__original__key")
    texts, scores, tasks, keys = zip(*rows, strict=True) if rows else ((), (), (), ())
    if not texts:
        sure = "" if confidence_at_least == LOWEST_CONFIDENCE else f" that are as sure as {confidence_at_least} or surer"
        raise DomainError(f"“{campaign.name}” has no judgements yet{sure}.")
    return TrainingRows(texts, scores, [f"{task}/{key}" for task, key in zip(tasks, keys, strict=True)])


def scale_of(campaign: Campaign) -> tuple[float, float]:
    """The lowest and the highest point of the campaign's scale."""
    values = [label.value for label in protocol_of(campaign).labels_of(campaign)]
    return float(min(values)), float(max(values))


def provenance(campaign: Campaign, *, confidence_at_least: int = LOWEST_CONFIDENCE) -> dict[str, Any]:
    """What a model's card says about the campaign that it learned from."""
    return {
        "campaign": campaign.name,
        "source": campaign.source,
        "simulated": campaign.simulated,
        "confidence_at_least": confidence_at_least,
    }
