"""Constraint studies as pages: started, watched, read, put to people, and the votes back on the study's page."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, TestCase

from annotation.exchange.origin import SIMULATED_MODEL
from annotation.models import Campaign, Claim, ConstraintStudy, Item, Job, LearnedModel, StudyCampaign, User
from annotation.queries.studied import asked_people
from annotation.services.answering import submit
from annotation.services.campaigns import open_campaign
from annotation.services.claiming import claim_next
from annotation.services.jobs import cancel
from annotation.services.people import invite, join
from annotation.services.running import run_job
from annotation.services.studies import settings_of_runs
from annotation.services.study_campaigns import Asking, ask_people
from tests.annotation.studies_made import finished_study, small_material

SignIn = Callable[[User], Client]
START = {
    "task": "ferries", "victim": "small", "attacker": "deepwordbug-greedy", "scenario": "untargeted", "seed": 0, "parts": 1,
    "model": "readers", "taus": "3, 2",
}  # fmt: skip
ASK = {"tau": "3", "preferred": "0.65", "power": "0.8"}


@pytest.fixture(autouse=True)
def small(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    small_material(settings, tmp_path, monkeypatch)
    LearnedModel.objects.update(uploaded_by=User.objects.create_user("uploader", is_organiser=True))


@pytest.fixture
def client(organiser: User, sign_in: SignIn) -> Client:
    return sign_in(organiser)


def rows_of(page: str, table: str) -> list[list[str]]:
    """The cells of a table of the page, line by line."""
    section = page.split(f'data-table="{table}"')[1].split("</section>")[0].split("<tbody>")[1]
    lines = section.split("</tbody>")[0].split("<tr>")[1:]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line)] for line in lines]


def test_a_study_is_started_watched_and_stopped(client: Client) -> None:
    response = client.post("/studies/new/", START)
    study = ConstraintStudy.objects.get()
    assert response.url == f"/studies/{study.pk}/"  # type: ignore[attr-defined]
    assert (study.name, study.taus) == ("ferries-small-deepwordbug-greedy-study", [2.0, 3.0])
    page = client.get(f"/studies/{study.pk}/").content.decode()
    assert "The study is running" in page and "Ask people" not in page
    whole = Job.objects.get(kind="study")
    cancel(job=whole)
    page = client.get(f"/studies/{study.pk}/").content.decode()
    assert "The study did not end: it was cancelled." in page
    assert client.post(f"/jobs/{whole.pk}/resume/").url == f"/studies/{study.pk}/"  # type: ignore[attr-defined]
    for job in Job.objects.filter(kind="study_part", state="queued").order_by("pk"):
        run_job.call(job.pk, job.attempt)
    again = Job.objects.filter(kind="study").latest("pk")
    run_job.call(again.pk, again.attempt)
    again.refresh_from_db()
    assert (again.state, again.error) == ("done", "")
    assert "Ask people about the pairs" in client.get(f"/studies/{study.pk}/").content.decode()


def test_other_constraints_hold_without_a_limit_too(client: Client) -> None:
    assert "More constraints" in client.get("/studies/new/").content.decode()
    client.post("/studies/new/", START | {"character": "0.5", "keep_numbers": "on"})
    study = ConstraintStudy.objects.get()
    rules = {"without": {"observe": True}, "tau-2": {"tau": 2.0}, "tau-3": {"tau": 3.0}}
    same = {"character": 0.5, "keep": "numbers", "suspicion": study.model.folder}
    assert {name: each.constraints for name, each in settings_of_runs(study).items()} == {
        name: same | rule for name, rule in rules.items()
    }
    assert "character=0.5, keep=numbers" in client.get(f"/studies/{study.pk}/").content.decode()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"preserved": "0.7"}, "Choose one: “Chance of “preserved” at least” says nothing without it."),
        ({"character": "2"}, "less than or equal to 1"),
        ({"taus": "2, two"}, "Write numbers with commas"),
        ({"taus": "2, 2"}, "none twice"),
        ({"taus": "0.5, 2"}, "The model says something from 1 to 5"),
        ({"taus": ", ".join(map(str, range(1, 10)))}, "At most 8 limits"),
        ({"model": ""}, "This field is required"),
        ({"called": "a/b"}, "cannot name a study"),
    ],
)
def test_what_cannot_be_studied_is_told_at_its_field(client: Client, changed: dict[str, str], message: str) -> None:
    response = client.post("/studies/new/", START | changed)
    assert response.status_code == 422 and message in response.content.decode()
    assert not ConstraintStudy.objects.exists()


def test_the_page_tells_what_was_stored(client: Client, organiser: User) -> None:
    study = finished_study(organiser)
    page = client.get(f"/studies/{study.pk}/").content.decode()
    for row, found in zip(rows_of(page, "flow"), study.result, strict=True):
        flow = found["flow"]
        assert row[:4] == [f"{found['tau']:g}", str(flow["over"]), str(flow["lowered"]), str(flow["kept"])]
        assert row[5] == str(len(found["worth_asking"]))
    strict = study.result[0]
    counted = [[int(cell) for cell in row[1:]] for row in rows_of(page, "intervals-2")]
    assert counted == [list(sides) for sides in zip(strict["intervals"]["before"], strict["intervals"]["after"], strict=True)]
    assert [row[0] for row in rows_of(page, "success")] == ["none", "2", "3"]
    assert "McNemar" in page and "Nobody was asked yet" in page
    assert page.count('data-pair="') == min(10, sum(len(each["worth_asking"]) for each in study.result))
    plots = client.get(f"/studies/{study.pk}/?plots").content.decode()
    assert plots.count('<svg class="plot"') == plots.count("data-table=") == 7  # no semantic scores, so no BODEGA score


def test_a_model_of_simulated_readers_is_named(client: Client, organiser: User) -> None:
    study = finished_study(organiser)
    assert SIMULATED_MODEL not in client.get(f"/studies/{study.pk}/").content.decode()
    LearnedModel.objects.update(simulated=True)
    assert SIMULATED_MODEL in client.get(f"/studies/{study.pk}/").content.decode()
    assert SIMULATED_MODEL in client.get(f"/studies/{study.pk}/files/study.html").content.decode()
    assert json.loads(client.get(f"/studies/{study.pk}/files/study.json").content)["simulated"] == [SIMULATED_MODEL]
    assert "Simulated:" in client.get(f"/studies/{study.pk}/files/flow.tex").content.decode()


def test_the_plan_stands_beside_what_there_is(client: Client, organiser: User) -> None:
    study = finished_study(organiser)
    pairs, planned = len(study.result[1]["worth_asking"]), Asking(tau=3.0).plan.items
    page = client.get(f"/studies/{study.pk}/ask/", ASK).content.decode()
    assert f"<b>{pairs} pairs</b> beside <b>{planned}</b>" in page and "fewer than planned" in page
    assert "More texts to attack, or another limit, may give more." in page
    assert "Without “Pairs at most” there may be more." in client.get(f"/studies/{study.pk}/ask/", ASK | {"most": "1"}).text
    assert not Campaign.objects.exists()
    impossible = client.get(f"/studies/{study.pk}/ask/", ASK | {"preferred": "0.5"})
    assert impossible.status_code == 422 and "no preference to be found" in impossible.content.decode()


def ask(client: Client, study: ConstraintStudy) -> Campaign:
    response = client.post(f"/studies/{study.pk}/ask/", ASK)
    campaign = Campaign.objects.get()
    assert response.url == f"/campaigns/{campaign.name}/"  # type: ignore[attr-defined]
    return campaign


def vote(campaign: Campaign, organiser: User, people: int) -> None:
    """All prefer the held text but for one item, and find out what is misspelt."""
    open_campaign(campaign=campaign)
    last = campaign.items.filter(use=Item.Use.WORK).latest("number")
    for number in range(people):
        person = User.objects.create_user(f"reader-{number}")
        join(token=invite(campaign=campaign, by=organiser), user=person)
        for _ in range(campaign.items.count()):
            claim = claim_next(campaign=campaign, annotator=person)
            submit(claim_id=claim.pk, annotator=person, data={"label": "second" if claim.item_id == last.pk else "first"})


def test_votes_come_back_to_the_study(client: Client, organiser: User) -> None:
    study = finished_study(organiser)
    campaign = ask(client, study)
    pairs = campaign.items.filter(use=Item.Use.WORK).count()
    page = client.get(f"/studies/{study.pk}/").content.decode()
    assert f"0 pairs decided of {pairs}" in page
    vote(campaign, organiser, 5)
    page = client.get(f"/studies/{study.pk}/").content.decode()
    [row] = rows_of(page, "votes")
    planned = Asking(tau=3.0).plan.items
    assert row[:4] == ["ferries: which text did a person write?", "3", str(pairs), str(planned)]
    assert row[-1] == "5"
    assert f"{pairs - 1} of {pairs} items" in page
    assert f"{pairs} pairs decided of {pairs}; {planned} were planned: fewer than planned" in page
    met = Claim.objects.filter(campaign=campaign, use="attention").count()
    assert met == 10 and "10 of 10 known answers right" in page
    assert page.count("5 of 5 for the held text") == min(10, pairs - 1)
    lines = list(csv.DictReader(io.StringIO(client.get(f"/studies/{study.pk}/files/pairs.csv").content.decode("utf-8-sig"))))
    assert [(line["limit"], line["votes for with"], line["votes"]) for line in lines if line["campaign"]] == [
        *[("3.0", "5", "5")] * (pairs - 1), ("3.0", "0", "5"),
    ]  # fmt: skip
    [votes] = json.loads(client.get(f"/studies/{study.pk}/files/study.json").content)["votes"]
    assert (votes["decided"], votes["annotators"], votes["fewer_than_planned"]) == (pairs, 5, True)
    StudyCampaign.objects.update(planned=pairs)
    assert "fewer than planned" not in client.get(f"/studies/{study.pk}/").content.decode()
    assert votes["figures"]["preferred"]["value"] == pytest.approx((pairs - 1) / pairs)


def test_votes_stay_with_their_limit_and_go_with_their_campaign(client: Client, organiser: User) -> None:
    study = finished_study(organiser)
    campaign = ask(client, study)
    vote(campaign, organiser, 1)
    strict = ask_people(study=study, asking=Asking(tau=2.0), name="strict", title="Strict", by=organiser)
    lines = csv.DictReader(io.StringIO(client.get(f"/studies/{study.pk}/files/pairs.csv").text.removeprefix("\ufeff")))
    assert [(line["limit"], line["campaign"]) for line in lines] == [
        *[("2.0", strict.name)] * len(study.result[0]["worth_asking"]),
        *[("3.0", campaign.name)] * len(study.result[1]["worth_asking"]),
    ]
    Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State.DELETED)
    for user in (organiser, None):
        assert [each.campaign for each in asked_people(study, user)] == [strict]


def test_what_people_said_is_for_the_campaigns_organisers(client: Client, organiser: User, sign_in: SignIn) -> None:
    study = finished_study(organiser)
    campaign = ask(client, study)
    other = sign_in(User.objects.create_user("other", is_organiser=True))
    page = other.get(f"/studies/{study.pk}/").content.decode()
    assert campaign.title not in page and "data-asked" not in page
    assert json.loads(other.get(f"/studies/{study.pk}/files/study.json").content)["votes"] == []
    assert other.get(f"/studies/{study.pk}/files/votes.csv").status_code == 404
    assert client.get(f"/studies/{study.pk}/files/votes.csv").status_code == 200


def test_an_unfinished_study_can_be_gone_on_with_by_anybody(client: Client, organiser: User) -> None:
    finished = finished_study(organiser)
    assert "nothing to go on with" in client.post(f"/studies/{finished.pk}/go-on/", follow=True).content.decode()
    finished.result = None
    finished.save()
    assert "This study is not finished" in client.get(f"/studies/{finished.pk}/").content.decode()
    assert client.get(f"/studies/{finished.pk}/ask/").status_code == 200
    client.post(f"/studies/{finished.pk}/go-on/")
    assert Job.objects.get(kind="study").arguments == {"study": finished.pk, "name": "held"}


def test_an_unfinished_study_is_deleted_by_its_maker_when_nobody_carries_it_out(
    client: Client, other_organiser: User, sign_in: SignIn
) -> None:
    client.post("/studies/new/", START)
    study, job = ConstraintStudy.objects.get(), Job.objects.get(kind="study")
    at, other = f"/studies/{study.pk}/", sign_in(other_organiser)
    part = Job.objects.filter(kind="study_part").earliest("pk")
    run_job.call(part.pk, part.attempt)
    assert (Path(study.folder) / "without").is_dir()
    assert "Delete the study" not in client.get(at).text
    assert "Somebody else is carrying this study out" in other.get(at).text
    assert "Cancel that first" in client.post(f"{at}drop/", follow=True).text
    client.post(f"/jobs/{job.pk}/cancel/")
    running = Job.objects.filter(kind="study_part").latest("pk")
    Job.objects.filter(pk=running.pk).update(state="running")
    assert "Cancel that first" in client.post(f"{at}drop/", follow=True).text
    Job.objects.filter(pk=running.pk).update(state="cancelled")
    assert "Only olga, whose study it is" in other.post(f"{at}drop/", follow=True).text
    assert "Delete the study" not in other.get(at).text
    assert "Delete the study" in client.get(at).text
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert client.post(f"{at}drop/").url == "/studies/"  # type: ignore[attr-defined]
    assert not ConstraintStudy.objects.exists() and not Path(study.folder).exists()
    assert client.post(f"/jobs/{job.pk}/resume/").url == "/studies/"  # type: ignore[attr-defined]


def test_a_finished_study_stays(client: Client, organiser: User) -> None:
    study = finished_study(organiser)
    assert "The study is finished" in client.post(f"/studies/{study.pk}/drop/", follow=True).text
    assert ConstraintStudy.objects.get() == study
