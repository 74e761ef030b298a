"""The pages of rounds: from a judged campaign over a round and its answers to a second version, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.models import Campaign, Job, Series, User
from annotation.queries.rounds import series_seen_by
from annotation.services.campaigns import create_campaign, open_campaign
from annotation.services.rounds import start_series
from annotation.services.running import run_job
from tests.annotation.rounds_made import answer_all, attack_run, join, judged_campaign, train_quickly

SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path, db: None) -> None:
    train_quickly(monkeypatch)
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def first(organiser: User) -> Campaign:
    return judged_campaign(organiser)


def work() -> Job:
    """Do the newest job."""
    job = Job.objects.latest("pk")
    if job.state == Job.State.QUEUED:
        run_job.call(job.pk, job.attempt)
    job.refresh_from_db()
    return job


def table(page: str, key: str) -> list[list[str]]:
    (body,) = re.findall(rf'data-table="{key}".*?<tbody>(.*?)</tbody>', page, re.S)
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in body.split("<tr>")[1:]]
    return [[" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in row] for row in rows]


def test_from_a_judged_campaign_to_a_second_version(first: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    run = attack_run(first)
    given = {"campaigns": ["first"], "name": "harbour", "learner": "ordinal", "test_share": "25", "anchors": "4", "seed": "3"}
    page = client.post("/rounds/start/", given, follow=True)
    series = Series.objects.get()
    at = f"/rounds/{series.pk}/"
    assert page.redirect_chain[-1][0] == at
    assert "Train the version of round 1" in page.text

    client.post(f"{at}train/")
    assert work().result == {"model": "harbour-1", "sha256": series.rounds.get().model.sha256}  # type: ignore[union-attr]
    asked = {"runs": [run.pk], "strategy": "uncertain", "size": "8", "seed": "5"}
    assert client.post(f"{at}next/", asked).url == at  # type: ignore[attr-defined]
    assert work().result == {"round": 2, "campaign": "harbour-2"}
    second = Campaign.objects.get(name="harbour-2")
    assert second.created_by == organiser
    open_campaign(campaign=second)
    answer_all(second, [join(second, "cy")], score=lambda item: 5 if item.repeated else 2 + item.number % 2)
    client.post(f"{at}train/")
    assert work().state == Job.State.DONE

    page = client.get(at)
    assert [row[0] for row in table(page.text, "versions")] == ["harbour-1", "harbour-2"]
    assert [row[:2] for row in table(page.text, "mean")] == [["1", "24"], ["2", "8"]]
    assert [row[:2] for row in table(page.text, "share")] == [["1", "24"], ["2", "8"]]
    assert [row[:2] for row in table(page.text, "anchors")] == [["1", "4"], ["2", "4"]]
    assert "In round 2, suspicion of the attacks fell: −" in page.text
    assert "Begin round 3" in page.text
    assert "planned answer" not in page.text


def test_fewer_answers_than_planned_are_said_and_anchors_that_moved_warn(
    first: Campaign, organiser: User, sign_in: SignIn
) -> None:
    client = sign_in(organiser)
    series = start_series(name="harbour", campaigns=[first], learner="ordinal", anchors=8, by=organiser)
    call_command("retrain", "train", "harbour")
    call_command("retrain", "next", "harbour", "--run", attack_run(first).name, "--size", "4", "--by", "random")
    campaign = Campaign.objects.get(name="harbour-2")
    open_campaign(campaign=campaign)
    before = {item.first_id: item.number for item in first.items.all()}
    answer_all(campaign, [join(campaign, "ada"), join(campaign, "ben")], score=lambda item: 4 - before[item.first_id] % 2)
    page = client.get(f"/rounds/{series.pk}/").text
    assert "Round 2 rests on 8 of 12 planned answers." in page
    assert table(page, "mean")[1][1:3] == ["0", "not defined"]
    assert [row[1] for row in table(page, "anchors")] == ["8", "8"]


def test_what_cannot_be_is_said_on_the_form(first: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    given = {"campaigns": ["first"], "name": "harbour", "learner": "ordinal", "test_share": "90", "anchors": "4", "seed": "3"}
    page = client.post("/rounds/start/", given)
    assert page.status_code == 422
    assert "as many have to be left" in page.text
    series = start_series(name="harbour", campaigns=[first], learner="ordinal", anchors=4, by=organiser)
    assert "Train it first" in client.get(f"/rounds/{series.pk}/next/").text
    asked = {"runs": [attack_run(first).pk], "strategy": "uncertain", "size": "8", "seed": "5"}
    page = client.post(f"/rounds/{series.pk}/next/", asked)
    assert page.status_code == 422
    page = client.post(f"/rounds/{series.pk}/drop/", {"number": "1"}, follow=True)
    assert "never the first" in page.text
    assert not Job.objects.exists()


def test_a_series_is_for_whoever_organises_all_of_its_campaigns(
    first: Campaign, organiser: User, other_organiser: User, sign_in: SignIn
) -> None:
    series = start_series(name="harbour", campaigns=[first], learner="ordinal", anchors=4, by=organiser)
    assert list(series_seen_by(organiser)) == [series]
    assert list(series_seen_by(other_organiser)) == []
    series.rounds.get().campaigns.add(
        create_campaign(name="theirs", title="Theirs", protocol="suspicion", created_by=other_organiser)
    )
    assert list(series_seen_by(organiser)) == []
    assert sign_in(organiser).get(f"/rounds/{series.pk}/").status_code == 404


def test_simulated_readers_answer_the_rounds_of_a_simulated_series(
    first: Campaign, organiser: User, sign_in: SignIn, capsys: pytest.CaptureFixture[str]
) -> None:
    run = attack_run(first)
    run.examples.update(character_score=0.9)
    with pytest.raises(CommandError, match="no campaign named"):
        call_command("retrain", "start", "harbour", "--campaign", "nobody")
    call_command("retrain", "start", "harbour", "--campaign", "first", "--model", "ordinal", "--anchors", "4")
    call_command("retrain", "train", "harbour")
    with pytest.raises(CommandError, match="asks people; simulated readers never answer there"):
        call_command("retrain", "answer", "harbour")
    # What follows is a series of simulated readers, as that of the sample study.
    Campaign.objects.filter(pk=first.pk).update(simulated=True)
    Series.objects.update(simulated=True)
    call_command("retrain", "next", "harbour", "--run", "run", "--size", "6")
    call_command("retrain", "answer", "harbour")
    call_command("retrain", "train", "harbour")
    call_command("retrain", "show", "harbour")
    said = capsys.readouterr().out

    campaign = Campaign.objects.get(name="harbour-2")
    assert (campaign.simulated, campaign.state, campaign.link_group) == (True, "closed", "")
    assert Series.objects.get().rounds.get(number=2).model.simulated  # type: ignore[union-attr]
    assert "Simulated: simulated readers" in said
    assert "version | r | Spearman | mean absolute error | change of r | change of error | p\nharbour-1 | " in said
    page = sign_in(organiser).get(f"/rounds/{Series.objects.get().pk}/").text
    assert "data-simulated" in page
    with pytest.raises(CommandError, match=r"no series named “nobody”\. Series: harbour"):
        call_command("retrain", "show", "nobody")
