"""A finished study of a small task, victim and suspicion model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.models import ConstraintStudy, User
from annotation.services import studies
from annotation.services.attacking import AttackWanted
from annotation.services.studies import StudyWanted, carry_out, make_study

from .attacks_made import keep_small_task, keep_small_victim
from .models_made import keep_model

WANTED = StudyWanted(
    attack=AttackWanted(
        name="held", task="ferries", victim="small", attacker="deepwordbug-greedy", parameters={}, model="readers"
    ),
    taus=(3.0, 2.0),
)


def small_material(settings: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the study needs, in that data folder. Without an encoder: what it says is tested elsewhere."""
    settings.DATA_DIR = folder
    keep_small_task()
    keep_small_victim()
    keep_model("readers")
    whole = studies.settings_of
    monkeypatch.setattr(studies, "settings_of", lambda wanted: replace(whole(wanted), semantic="none"))


def finished_study(by: User | None = None) -> ConstraintStudy:
    study = make_study(wanted=WANTED, by=by)
    carry_out(study, lambda *_: None)
    return study
