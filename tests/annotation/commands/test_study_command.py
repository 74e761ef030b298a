"""manage.py study: all of a study in one process, gone on with under its name, and never mistaken for another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import ConstraintStudy
from annotation.services import studies
from tests.annotation.commands.test_exchange_commands import refused, said
from tests.annotation.studies_made import small_material

ASKED = ("study", "held", "--task", "ferries", "--victim", "small", "--attacker", "deepwordbug-greedy", "--model", "readers")


@pytest.fixture(autouse=True)
def small(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_material(settings, tmp_path, monkeypatch)


def test_a_study_is_carried_out_reported_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how = (*ASKED, "--tau", "3", "2", "--out", tmp_path / "report")
    real, done = studies.attack_part, 0

    def stopped(**more: Any) -> None:
        nonlocal done
        done += 1
        if done == 2:
            raise KeyboardInterrupt
        real(**more)

    monkeypatch.setattr(studies, "attack_part", stopped)
    with pytest.raises(KeyboardInterrupt):
        said(*how)
    study = ConstraintStudy.objects.get()
    assert study.result is None
    out = said(*how)
    assert out.endswith(f"Report: {tmp_path / 'report' / 'study.html'}\n")
    study.refresh_from_db()
    assert json.loads((tmp_path / "report" / "study.json").read_text())["limits"] == study.result
    assert said(*how) == out
    assert refused(*ASKED, "--tau", "2", "--out", tmp_path / "other").startswith("The study “held” is another one")
    assert not (tmp_path / "other").exists()


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    wrong = [("nobody" if part == "readers" else part) for part in ASKED]
    assert refused(*wrong, "--tau", "2", "--out", tmp_path / "report") == "There is no model named “nobody”. There are: readers."
    assert not ConstraintStudy.objects.exists()
