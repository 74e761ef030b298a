"""Training a model on a campaign's judgements: of suspicion, or of meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.errors import DomainError
from annotation.models import Campaign, LearnedModel
from annotation.queries.training_table import LOWEST_CONFIDENCE, decided_pairs, provenance, scale_of, training_rows
from regressors.errors import RegressorError
from scoring.result import ScoringError

DEFAULT_SEED = 0

Progress = Callable[[int, int, str], None]


class Saved(Protocol):
    """A model that is in its folder."""

    @property
    def card(self) -> dict[str, Any]: ...

    @property
    def sha256(self) -> str | None: ...


def train_suspicion_model(
    *,
    campaign: Campaign,
    seed: int = DEFAULT_SEED,
    name: str = "",
    confidence_at_least: int = LOWEST_CONFIDENCE,
    progress: Progress | None = None,
) -> LearnedModel:
    """Train and evaluate the default model, save it under the data folder, and record it with its card.

    `name` is the campaign's unless given; `confidence_at_least` leaves out answers that were less sure.
    Raises DomainError when the name is taken or the judgements cannot be learned from.
    """
    from regressors.storage import save
    from regressors.training import train

    name = name or campaign.name
    check_name(name)
    rows = training_rows(campaign, confidence_at_least=confidence_at_least)
    card = provenance(campaign, confidence_at_least=confidence_at_least)
    try:
        trained = train(rows, seed=seed, card=card, progress=progress, scale=scale_of(campaign))
    except RegressorError as refused:
        raise DomainError(str(refused)) from refused
    return _keep(LearnedModel.Kind.SUSPICION, campaign, name, lambda folder: save(trained, folder, replace=True))


def train_meaning_model(
    *,
    campaign: Campaign,
    seed: int = DEFAULT_SEED,
    name: str = "",
    preserved: Sequence[str] = (),
    progress: Progress | None = None,
) -> LearnedModel:
    """Train and evaluate a model of what people decide keeps the meaning, save it, and record it with its card.

    `preserved` are the keys of the answers that mean "kept", by default those of the campaign's settings. Raises DomainError
    when the name is taken or the decisions cannot be learned from.
    """
    from scoring.texts.meaning.trained import train

    name = name or campaign.name
    check_name(name)
    preserved = list(preserved or campaign.settings["kept"])
    pairs = decided_pairs(campaign, preserved=preserved)
    try:
        trained = train(pairs, seed=seed, card=provenance(campaign, preserved=preserved), progress=progress)
    except ScoringError as refused:
        raise DomainError(str(refused)) from refused
    return _keep(LearnedModel.Kind.MEANING, campaign, name, lambda folder: trained.save(folder, replace_model=True))


TRAINERS: dict[str, Callable[..., LearnedModel]] = {
    LearnedModel.Kind.SUSPICION: train_suspicion_model,
    LearnedModel.Kind.MEANING: train_meaning_model,
}
"""By what a protocol says can learn from its campaigns."""


def check_name(name: str) -> None:
    """Raise DomainError where no model can have this name."""
    if "/" in name or name.startswith(".") or len(name) > 120:
        raise DomainError(f"“{name}” cannot name a model: at most 120 characters, no slash, no dot in front.")
    if LearnedModel.objects.filter(name=name).exists():
        raise DomainError(f"There is already a model named “{name}”. Choose another name.")


def _keep(kind: LearnedModel.Kind, campaign: Campaign, name: str, save: Callable[[Path], Saved]) -> LearnedModel:
    folder = settings.DATA_DIR / "models" / name
    try:
        with transaction.atomic():
            # The row comes first: its unique name keeps two trainings out of one folder. A folder without a row is left
            # from a training that was stopped here, and may be replaced.
            model = LearnedModel.objects.create(
                kind=kind, name=name, campaign=campaign, folder=str(folder), simulated=campaign.simulated
            )
            saved = save(folder)
            assert saved.sha256 is not None
            model.sha256, model.card = saved.sha256, saved.card
            model.save(update_fields=["sha256", "card"])
    except IntegrityError as clash:
        raise DomainError(f"There is already a model named “{name}”. Choose another name.") from clash
    return model
