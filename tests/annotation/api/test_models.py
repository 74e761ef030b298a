"""/api/models/: models, their cards, and what they say of a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign, Job, LearnedModel, User
from annotation.services import predicting
from annotation.services.running import run_job
from tests.annotation.models_made import keep_model

from .conftest import NOT_FOUND, Caller, problem


@pytest.fixture
def model(campaign: Campaign, settings: Any, tmp_path: Path) -> LearnedModel:
    settings.DATA_DIR = tmp_path
    return keep_model("small", campaigns=[campaign])


def test_the_list_and_the_card(model: LearnedModel, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    (row,) = client.get("/api/models/").json()["results"]
    assert {key: value for key, value in row.items() if key != "created_at"} == {
        "id": model.pk, "kind": "suspicion", "name": "small", "campaigns": ["harbour"], "uploaded": False, "simulated": False,
        "sha256": model.sha256,
    }  # fmt: skip
    assert client.get(f"/api/models/{model.pk}/").json() == row | {"card": model.card}


def test_a_text_is_asked_about_and_the_answer_fetched(model: LearnedModel, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    asked = client.post(f"/api/models/{model.pk}/predictions/", {"text": "ferry brigdeqx"}, content_type="application/json")
    body = asked.json()
    assert (asked.status_code, body["state"], body["result"], body["text"]) == (202, "queued", None, "ferry brigdeqx")
    run_job.call(body["id"], 1)
    found = client.get(f"/api/models/{model.pk}/predictions/{body['id']}/").json()
    job = Job.objects.get()
    assert (found["state"], found["result"]) == ("done", job.result)
    assert client.get("/api/jobs/").json()["results"] == []


def test_what_is_not_scored_is_refused(model: LearnedModel, organiser: User, calling: Caller) -> None:
    client = calling(organiser)

    def ask(body: Any) -> tuple[int, str]:
        return problem(client.post(f"/api/models/{model.pk}/predictions/", body, content_type="application/json"))

    assert [ask(body) for body in ({}, {"text": ""}, {"text": 7}, {"text": "x" * 2_001}, {"texts": "a"})] == [
        (400, "invalid")
    ] * 5
    LearnedModel.objects.update(kind="meaning")
    assert ask({"text": "ferry"}) == (409, "refused")


def test_somebody_who_asks_too_often_is_told_to_wait(
    model: LearnedModel, organiser: User, calling: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predicting, "PREDICTIONS", predicting.limits.Limit("predict", 1, predicting.PREDICTIONS.within))
    client = calling(organiser)
    knocks = [
        client.post(f"/api/models/{model.pk}/predictions/", {"text": "ferry"}, content_type="application/json") for _ in range(2)
    ]
    assert [knock.status_code for knock in knocks] == [202, 429]


def test_models_of_others_do_not_exist(model: LearnedModel, organiser: User, strangers: list[Client], calling: Caller) -> None:
    job = Job.objects.create(kind="predict", arguments={"model": model.pk, "text": "ferry"}, created_by=organiser)
    for stranger in strangers:
        assert stranger.get("/api/models/").json()["results"] == []
        knocks = [
            stranger.get(f"/api/models/{model.pk}/"),
            stranger.post(f"/api/models/{model.pk}/predictions/", {"text": "ferry"}, content_type="application/json"),
            stranger.get(f"/api/models/{model.pk}/predictions/{job.pk}/"),
            stranger.get(f"/api/jobs/{job.pk}/"),
        ]
        assert [problem(knock) for knock in knocks] == [NOT_FOUND] * 4
