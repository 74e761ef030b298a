"""Keeping a model: its folder in the data folder, and the row that pages list and attacks ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.errors import DomainError
from annotation.models import Campaign, LearnedFrom, LearnedModel, User


class Saved(Protocol):
    """A model that is in its folder."""

    @property
    def card(self) -> dict[str, Any]: ...

    @property
    def sha256(self) -> str | None: ...


def check_name(name: str) -> None:
    """Raise DomainError where no model can have this name."""
    if not name or "/" in name or name.startswith(".") or len(name) > 120 or not name.isprintable():
        raise DomainError(f"“{name}” cannot name a model: at most 120 characters, no slash, no dot in front.")
    if LearnedModel.objects.filter(name=name).exists():
        raise DomainError(f"There is already a model named “{name}”. Choose another name.")


def keep(
    save: Callable[[Path], Saved],
    name: str,
    kind: LearnedModel.Kind,
    *,
    campaigns: Sequence[Campaign] = (),
    uploaded_by: User | None = None,
    simulated: bool = False,
) -> LearnedModel:
    """Have the model saved in a folder of its name, and record it. Raises DomainError when another has the name."""
    folder = settings.DATA_DIR / "models" / name
    simulated = simulated or any(campaign.simulated for campaign in campaigns)
    try:
        with transaction.atomic():
            # The row comes first: its unique name keeps two trainings out of one folder. A folder without a row is left
            # from a training that was stopped here, and may be replaced.
            model = LearnedModel.objects.create(
                kind=kind, name=name, folder=str(folder), simulated=simulated, uploaded_by=uploaded_by
            )
            LearnedFrom.objects.bulk_create(LearnedFrom(model=model, campaign=campaign) for campaign in campaigns)
            saved = save(folder)
            assert saved.sha256 is not None
            model.sha256, model.card = saved.sha256, saved.card
            model.save(update_fields=["sha256", "card"])
    except IntegrityError as clash:
        raise DomainError(f"There is already a model named “{name}”. Choose another name.") from clash
    return model
