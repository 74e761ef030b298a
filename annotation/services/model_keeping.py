"""Keeping a model: its folder in the data folder, and the row that pages list and attacks ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.errors import DomainError
from annotation.models import Campaign, LearnedFrom, LearnedModel, User

from .leftovers import INCOMING
from .naming import refuse_unfit
from .storing import store

LONGEST_NAME = 120


class Saved(Protocol):
    """A model that is in its folder."""

    @property
    def card(self) -> dict[str, Any]: ...

    @property
    def sha256(self) -> str | None: ...


def check_name(name: str) -> None:
    """Raise DomainError where no model can have this name."""
    refuse_unfit(name, what="a model", longest=LONGEST_NAME)
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


def incoming() -> Path:
    """Where uploaded files lie until they are models."""
    folder: Path = settings.DATA_DIR / INCOMING
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def store_incoming(chunks: Iterable[bytes], *, most: int) -> str:
    """Write an uploaded file under its hash, which is returned. Raises DomainError when it has more than `most` bytes."""
    refusal = f"The file is larger than {most / 1e6:,.0f} MB, more than is taken."
    return store(chunks, incoming(), most=most, refusal=refusal, ending=".zip")


def incoming_file(sha256: str) -> Path:
    """Where the uploaded file with this hash lies, unless it is gone."""
    return incoming() / f"{sha256}.zip"
