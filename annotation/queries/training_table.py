"""The training table: from a campaign's judgements to rows that a model learns from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.errors import DomainError
from annotation.models import Campaign, Judgement, LearnedModel
from annotation.protocols import protocol_of
from annotation.protocols.votes import counted_items
from regressors.rows import TrainingRows
from scoring.texts.meaning.model import DecidedPairs

LOWEST_CONFIDENCE = 1


def training_rows(campaign: Campaign, *, confidence_at_least: int = LOWEST_CONFIDENCE) -> TrainingRows:
    """One row per counted judgement, in stable order: the text, its score on the campaign's scale, the key of its original.

    `confidence_at_least` leaves out answers that were less sure: 2 all guesses, 3 what is only silver, too. Raises DomainError
    when the answers are not points of a scale about single texts, when nobody was asked how sure they were, or there are none.
    """
    if protocol_of(campaign).learns != LearnedModel.Kind.SUSPICION:
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


def decided_pairs(campaign: Campaign, *, preserved: Sequence[str]) -> DecidedPairs:
    """Original and modified text of every decided item, and whether its decision is one of the labels `preserved`.

    Raises DomainError when the campaign did not ask about meaning, a label is none of its own, or nothing is decided.
    """
    if protocol_of(campaign).learns != LearnedModel.Kind.MEANING:
        raise DomainError(f"“{campaign.name}” did not ask whether the meaning survives; no meaning model can learn from it.")
    known = [label.key for label in protocol_of(campaign).labels_of(campaign)]
    if not preserved:
        raise DomainError(f"Nothing says which answers mean that the meaning is kept. Name them; there are: {', '.join(known)}.")
    if strange := [key for key in preserved if key not in known]:
        raise DomainError(f"“{campaign.name}” has no answer “{strange[0]}”. There are: {', '.join(known)}.")
    decided = counted_items(campaign).filter(second__isnull=False, decided__isnull=False)
    rows = list(decided.values_list("first__text", "second__text", "decided__key"))
    if not rows:
        raise DomainError(f"“{campaign.name}” has no decided items yet.")
    return DecidedPairs.of([(old, new) for old, new, _ in rows], [key in preserved for *_, key in rows])


def provenance(campaign: Campaign, **chosen: Any) -> dict[str, Any]:
    """What a model's card says about the campaign that it learned from; `chosen` is what was chosen of its answers."""
    return {"campaign": campaign.name, "source": campaign.source, "simulated": campaign.simulated, **chosen}
