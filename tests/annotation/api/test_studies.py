"""/api/studies/: what was asked for, what was found, and the votes of one's own campaigns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.models import User
from annotation.services.study_campaigns import Asking, ask_people
from tests.annotation.studies_made import WANTED, finished_study, small_material

from .conftest import NOT_FOUND, Caller, problem


@pytest.fixture(autouse=True)
def small(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_material(settings, tmp_path, monkeypatch)


def test_a_study_and_its_result_with_the_votes_of_ones_own_campaigns(
    organiser: User, other_organiser: User, calling: Caller
) -> None:
    study = finished_study(organiser)
    ask_people(study=study, asking=Asking(tau=3.0), name="asked", title="Asked", by=organiser)
    client = calling(organiser)
    [row] = client.get("/api/studies/").json()["results"]
    assert client.get(f"/api/studies/{study.pk}/").json() == row
    assert (row["name"], row["taus"], row["model"], row["finished"]) == ("held", [2.0, 3.0], "readers", True)
    assert row["asked"]["attacker"] == WANTED.attack.attacker
    result = client.get(f"/api/studies/{study.pk}/result/").json()
    assert result["limits"] == study.result
    assert [(run["name"], run["tau"]) for run in result["runs"]] == [
        ("held-without", None), ("held-tau-2", 2.0), ("held-tau-3", 3.0),
    ]  # fmt: skip
    [votes] = result["votes"]
    assert (votes["campaign"], votes["tau"], votes["power"], votes["preferred"]) == ("asked", 3.0, 0.8, 0.65)
    others = calling(other_organiser).get(f"/api/studies/{study.pk}/result/").json()
    assert others == result | {"votes": []}


def test_studies_are_for_organisers(organiser: User, annotator: User, calling: Caller) -> None:
    study = finished_study(organiser)
    for address in ("/api/studies/", f"/api/studies/{study.pk}/", f"/api/studies/{study.pk}/result/"):
        assert calling(annotator).get(address).status_code == 403
    assert problem(calling(organiser).get("/api/studies/0/")) == NOT_FOUND
    assert problem(calling(organiser).get("/api/studies/0/result/")) == NOT_FOUND
