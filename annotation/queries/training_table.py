"""The training table: from a campaign's judgements to rows that a model learns from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from annotation.errors import DomainError
from annotation.models import Campaign, Judgement, LearnedModel
from annotation.protocols import protocol_of
from annotation.protocols.votes import counted_items
from regressors.rows import TrainingRows
from scoring.texts.meaning.model import DecidedPairs

LOWEST_CONFIDENCE = 1
ALL = Q()


def training_rows(*campaigns: Campaign, confidence_at_least: int = LOWEST_CONFIDENCE, only: Q = ALL) -> TrainingRows:
    """One row per counted judgement, campaign after campaign, in stable order: the text, its score on the campaigns' scale, the
    key of its original, who judged (numbered in the order in which they come up), and what made the text.

    `confidence_at_least` leaves out answers that were less sure: 2 all guesses, 3 what is only silver, too. `only` leaves
    out all but some. Raises DomainError when the answers are not points of one scale about single texts, when nobody was asked
    how sure they were, or there are none.
    """
    scale_of(*campaigns)
    rows = [row for campaign in campaigns for row in _judged(campaign, confidence_at_least, only)]
    if not rows:
        raise DomainError("None of the judgements are among those that were asked for.")
    texts, scores, tasks, keys, people, made_by = zip(*rows, strict=True)
    number: dict[int, str] = {}
    return TrainingRows(
        texts,
        scores,
        originals=[f"{task}/{key}" for task, key in zip(tasks, keys, strict=True)],
        annotators=[number.setdefault(person, str(len(number) + 1)) for person in people],
        variants=made_by,
    )


def _judged(campaign: Campaign, confidence_at_least: int, only: Q) -> list[tuple[Any, ...]]:
    if protocol_of(campaign).learns != LearnedModel.Kind.SUSPICION:
        raise DomainError(
            f"“{campaign.name}” did not ask how suspicious single texts look; no suspicion model can learn from it."
        )
    if confidence_at_least > LOWEST_CONFIDENCE and not asks_how_sure(campaign):
        raise DomainError(f"“{campaign.name}” did not ask how sure people were, so its answers cannot be chosen by it.")
    answers = Judgement.objects.filter(claim__item__in=counted_items(campaign), uncounted="")
    if confidence_at_least > LOWEST_CONFIDENCE:
        answers = answers.filter(confidence__gte=confidence_at_least)
    answers = answers.filter(only).order_by("claim__item__number", "claim__slot__position")
    rows = answers.values_list(
        "claim__item__first__text", "label__value", "claim__original__task", "claim__original__key",
        "claim__annotator", "claim__item__first__kind",
    )  # fmt: skip
    if only == ALL and not rows:
        sure = "" if confidence_at_least == LOWEST_CONFIDENCE else f" that are as sure as {confidence_at_least} or surer"
        raise DomainError(f"“{campaign.name}” has no judgements yet{sure}.")
    return list(rows)


def asks_how_sure(campaign: Campaign) -> bool:
    """Whether answers can be chosen by how sure people were."""
    return "confidence" in protocol_of(campaign).offered_settings and bool(campaign.settings["confidence"])


def scale_of(*campaigns: Campaign) -> tuple[float, float]:
    """The lowest and the highest point of the campaigns' scale. Raises DomainError unless they asked the same on the same."""
    first, *others = campaigns
    scale = _scale(first)
    for other in others:
        if other.protocol != first.protocol or _scale(other) != scale:
            raise DomainError(
                f"“{first.name}” and “{other.name}” asked different questions, or on different scales: no model can learn from "
                "both."
            )
    return scale


def _scale(campaign: Campaign) -> tuple[float, float]:
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


def provenance(*campaigns: Campaign, **chosen: Any) -> dict[str, Any]:
    """What a model's card says about the campaigns that it learned from; `chosen` is what was chosen of their answers."""
    return {
        "campaigns": [{"name": campaign.name, "source": campaign.source} for campaign in campaigns],
        "simulated": any(campaign.simulated for campaign in campaigns),
        **chosen,
    }
