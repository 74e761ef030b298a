"""/api/robustness/: measurements, their curves and their texts."""

from __future__ import annotations

from annotation.models import User
from tests.annotation.robustness_made import SCORES, keep_measurement

from .conftest import NOT_FOUND, Caller, problem


def test_a_measurement_with_its_curves_and_texts(organiser: User, calling: Caller) -> None:
    measured, client = keep_measurement(), calling(organiser)
    [row] = client.get("/api/robustness/").json()["results"]
    whole = client.get(f"/api/robustness/{measured.pk}/").json()
    assert {name: whole[name] for name in row} == row
    assert (row["name"], row["constraints"], row["simulated"]) == ("measured", [["suspicion", "readers"]], False)
    assert whole["result"] == measured.result
    texts = client.get(f"/api/robustness/{measured.pk}/texts/?constraint=suspicion").json()["results"]
    assert [(text["number"], text["score"], text["damages"]) for text in texts] == [
        (number, score, ["typo"]) for number, score in enumerate(SCORES, start=1)
    ]
    assert client.get(f"/api/robustness/{measured.pk}/texts/?constraint=encoder").json()["results"] == []
    assert problem(client.get("/api/robustness/0/")) == problem(client.get("/api/robustness/0/texts/")) == NOT_FOUND
