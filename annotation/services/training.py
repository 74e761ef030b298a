"""Training a model on judgements: of suspicion from one or several campaigns, or of meaning from one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db.models import Q

from annotation.errors import DomainError
from annotation.models import Campaign, LearnedModel
from annotation.protocols import protocol_of
from annotation.queries.training_table import ALL, LOWEST_CONFIDENCE, decided_pairs, provenance, scale_of, training_rows
from regressors.errors import RegressorError
from regressors.names import DEFAULT
from scoring.result import ScoringError

from .leftovers import TRAINING
from .model_keeping import check_name, keep

DEFAULT_SEED = 0

Progress = Callable[[int, int, str], None]


def train_suspicion_model(
    *,
    campaigns: Sequence[Campaign],
    seed: int = DEFAULT_SEED,
    name: str = "",
    model: str = DEFAULT,
    confidence_at_least: int = LOWEST_CONFIDENCE,
    only: Q = ALL,
    said: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> LearnedModel:
    """Train and evaluate a model, save it under the data folder, and record it with its card, in which `said` stands too.

    `name` is the first campaign's unless given; `model` a name of `regressors.names`; `confidence_at_least` leaves out answers
    that were less sure, and `only` all but some. Called again after it was stopped, it goes on from the last fold of its
    cross-validation. Raises DomainError when the name is taken or the judgements cannot be learned from.
    """
    from regressors.storage import save
    from regressors.training import train

    name = name or campaigns[0].name
    check_name(name)
    rows = training_rows(*campaigns, confidence_at_least=confidence_at_least, only=only)
    card = provenance(*campaigns, confidence_at_least=confidence_at_least, **(said or {}))
    try:
        trained = train(
            rows,
            seed=seed,
            card=card,
            progress=progress,
            label=protocol_of(campaigns[0]).learned_label,
            scale=scale_of(*campaigns),
            model=model,
            keep=settings.DATA_DIR / TRAINING,
        )
    except RegressorError as refused:
        raise DomainError(str(refused)) from refused
    return keep(lambda folder: save(trained, folder, replace=True), name, LearnedModel.Kind.SUSPICION, campaigns=campaigns)


def train_meaning_model(
    *,
    campaigns: Sequence[Campaign],
    seed: int = DEFAULT_SEED,
    name: str = "",
    preserved: Sequence[str] = (),
    progress: Progress | None = None,
) -> LearnedModel:
    """Train and evaluate a model of what people decide keeps the meaning, save it, and record it with its card.

    `preserved` are the keys of the answers that mean "kept", by default those of the campaign's settings. Raises DomainError
    when the name is taken, there are several campaigns, or the decisions cannot be learned from.
    """
    from scoring.texts.meaning.trained import train

    if len(campaigns) != 1:
        raise DomainError("A meaning model learns from one campaign: what its labels mean is that campaign's own.")
    (campaign,) = campaigns
    name = name or campaign.name
    check_name(name)
    preserved = list(preserved or campaign.settings["kept"])
    pairs = decided_pairs(campaign, preserved=preserved)
    try:
        trained = train(pairs, seed=seed, card=provenance(campaign, preserved=preserved), progress=progress)
    except ScoringError as refused:
        raise DomainError(str(refused)) from refused
    return keep(lambda folder: trained.save(folder, replace_model=True), name, LearnedModel.Kind.MEANING, campaigns=campaigns)


TRAINERS: dict[str, Callable[..., LearnedModel]] = {
    LearnedModel.Kind.SUSPICION: train_suspicion_model,
    LearnedModel.Kind.MEANING: train_meaning_model,
}
"""By what a protocol says can learn from its campaigns."""
