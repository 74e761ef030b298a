"""Training a suspicion model on a campaign's judgements."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.errors import DomainError
from annotation.models import Campaign, LearnedModel
from annotation.queries.training_table import LOWEST_CONFIDENCE, provenance, scale_of, training_rows
from regressors.errors import RegressorError

if TYPE_CHECKING:
    from regressors.trained import TrainedModel

DEFAULT_SEED = 0


def train_suspicion_model(
    *,
    campaign: Campaign,
    seed: int = DEFAULT_SEED,
    name: str = "",
    confidence_at_least: int = LOWEST_CONFIDENCE,
    progress: Callable[[int, int, str], None] | None = None,
) -> LearnedModel:
    """Train and evaluate the default model, save it under the data folder, and record it with its card.

    `name` is the campaign's unless given; `confidence_at_least` leaves out answers that were less sure.
    Raises DomainError when the name is taken or the judgements cannot be learned from.
    """
    from regressors.training import train

    name = name or campaign.name
    _check_name(name)
    rows = training_rows(campaign, confidence_at_least=confidence_at_least)
    card = provenance(campaign, confidence_at_least=confidence_at_least)
    try:
        trained = train(rows, seed=seed, card=card, progress=progress, scale=scale_of(campaign))
    except RegressorError as refused:
        raise DomainError(str(refused)) from refused
    return _keep(trained, campaign, name)


def _check_name(name: str) -> None:
    if "/" in name or name.startswith(".") or len(name) > 120:
        raise DomainError(f"“{name}” cannot name a model: at most 120 characters, no slash, no dot in front.")
    if LearnedModel.objects.filter(name=name).exists():
        raise DomainError(f"There is already a model named “{name}”. Choose another name.")


def _keep(trained: TrainedModel, campaign: Campaign, name: str) -> LearnedModel:
    from regressors.storage import save

    folder = settings.DATA_DIR / "models" / name
    try:
        with transaction.atomic():
            # The row comes first: its unique name keeps two trainings out of one folder. A folder without a row is left
            # from a training that was stopped here, and may be replaced.
            model = LearnedModel.objects.create(name=name, campaign=campaign, folder=str(folder), simulated=campaign.simulated)
            saved = save(trained, folder, replace=True)
            assert saved.sha256 is not None
            model.sha256, model.card = saved.sha256, saved.card
            model.save(update_fields=["sha256", "card"])
    except IntegrityError as clash:
        raise DomainError(f"There is already a model named “{name}”. Choose another name.") from clash
    return model
