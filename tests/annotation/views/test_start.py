from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import AttackRun, Campaign, Job, Membership, User
from annotation.services.practice import set_gold

SignIn = Callable[[User], Client]


def headings(page: str) -> list[str]:
    return re.findall(r"<h2>(?:<a [^>]*>)?([^<]+)", page)


def test_signed_out_it_says_what_passable_is_and_lists_nothing(campaign: Campaign, client: Client) -> None:
    page = client.get("/").text
    assert "Would a reader notice?" in page
    assert (headings(page), "/signin/" in page) == ([], True)


def test_an_organiser_finds_their_campaigns(campaign: Campaign, organiser: User, other_organiser: User, sign_in: SignIn) -> None:
    page = sign_in(organiser).get("/").text
    assert headings(page) == ["About harbour"]
    assert "0 of 3 items" in page
    assert headings(sign_in(other_organiser).get("/").text) == ["Elsewhere"]


def test_a_simulated_campaign_is_marked(make_campaign: Callable[..., Campaign], organiser: User, sign_in: SignIn) -> None:
    make_campaign(name="real")
    assert 'class="chip simulated"' not in sign_in(organiser).get("/").text
    make_campaign(name="model", simulated=True)
    assert sign_in(organiser).get("/").text.count('class="chip simulated"') == 1


def test_an_annotator_finds_what_to_do_next(
    campaign: Campaign, annotator: User, answer: Callable[..., object], sign_in: SignIn
) -> None:
    page = sign_in(annotator).get("/").text
    assert (headings(page), "You have not started." in page) == (["About harbour"], True)
    answer(campaign, annotator, "preserve")
    page = sign_in(annotator).get("/").text
    assert "You gave 1 answer." in page
    assert "New campaign" not in page


@pytest.mark.parametrize(
    ("standing", "state", "said"),
    [
        ("active", "open", "You have not started."),
        ("active", "draft", "You have not started. It is not open yet."),
        ("active", "closed", "The campaign is closed."),
        ("paused", "open", "You are paused."),
        ("deactivated", "open", "Your part in it has ended."),
        ("withdrawn", "open", "You have withdrawn."),
    ],
)
def test_somebody_without_an_answer_is_told_how_they_stand_and_nothing_beside_it(
    campaign: Campaign, annotator: User, sign_in: SignIn, standing: str, state: str, said: str
) -> None:
    Membership.objects.filter(user=annotator).update(state=standing)
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    page = sign_in(annotator).get("/").text
    entry = re.search(r'<p class="small quiet">([^<]*)', page.partition("About harbour")[2])
    assert entry is not None and entry[1].strip() == said


def test_practice_is_a_start_but_no_answer(
    make_campaign: Callable[..., Campaign],
    annotator: User,
    organiser: User,
    answer: Callable[..., object],
    sign_in: SignIn,
) -> None:
    campaign = make_campaign(items=4, name="drill")
    campaign.memberships.create(user=annotator, role="annotator")
    for number, use in ((1, "training"), (2, "test")):
        label = campaign.labels.get(key="preserve")
        set_gold(item=campaign.items.get(number=number), by=organiser, label=label, use=use, explanation="Because.")
    said = []
    for _ in range(3):
        answer(campaign, annotator, "preserve")
        page = sign_in(annotator).get("/").text.partition("About drill")[2]
        (entry,) = re.findall(r'<p class="small quiet">([^<]*)', page)[:1]
        said.append((entry.strip(), "Continue" in page))
    assert said == [
        ("You have started the practice.", True),
        ("The practice is behind you; the work itself you have not started.", True),
        ("You gave 1 answer.", True),
    ]


def test_somebody_without_a_campaign_is_told_how_to_get_one(db: None, sign_in: SignIn) -> None:
    user = User.objects.create_user(username="nobody")
    assert "Open the invitation link" in sign_in(user).get("/").text


@pytest.mark.parametrize("count", [1, 3, 30])
def test_the_number_of_queries_does_not_grow(
    count: int,
    make_campaign: Callable[..., Campaign],
    organiser: User,
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., object],
) -> None:
    for number in range(count):
        make_campaign(name=f"c{number}", items=1)
    client = sign_in(organiser)
    with django_assert_num_queries(8):  # type: ignore[attr-defined]
        page = client.get("/").text
    assert len(headings(page)) == count


def test_the_sample_studys_progress_is_shown_to_organisers_only(
    annotator: User, organiser: User, client: Client, sign_in: SignIn
) -> None:
    job = Job.objects.create(kind="demo", state=Job.State.RUNNING, done=30, total=100, message="Attacking")
    page = sign_in(organiser).get("/").text
    assert "The sample study is being built" in page and "Attacking · 30 %" in page and "Cancel" in page
    assert f'hx-get="/jobs/{job.pk}/" hx-trigger="every 1s"' in page
    for stranger in (client, sign_in(annotator)):
        assert "Attacking" not in stranger.get("/").text
        assert stranger.get(f"/jobs/{job.pk}/").status_code == 404


def test_polling_ends_when_the_job_has_ended(organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    job = Job.objects.create(kind="demo", state=Job.State.RUNNING, done=30, total=100, message="Attacking")
    running = client.get(f"/jobs/{job.pk}/")
    assert (running.status_code, "hx-trigger" in running.text) == (200, True)
    Job.objects.update(state=Job.State.DONE)
    ended = client.get(f"/jobs/{job.pk}/")
    assert (ended.status_code, "hx-trigger" in ended.text, ended.headers["HX-Refresh"]) == (286, False, "true")
    Job.objects.update(state=Job.State.FAILED, error="The disk is full.")
    failed = client.get(f"/jobs/{job.pk}/")
    assert (failed.status_code, "The disk is full." in failed.text, "HX-Refresh" in failed.headers) == (286, True, False)


def test_only_an_organiser_stops_the_sample_study(annotator: User, organiser: User, client: Client, sign_in: SignIn) -> None:
    job = Job.objects.create(kind="demo")
    assert client.post(f"/jobs/{job.pk}/cancel/").headers["Location"] == "/signin/?next=/"
    assert sign_in(annotator).post(f"/jobs/{job.pk}/cancel/").status_code == 404
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED
    assert sign_in(organiser).get(f"/jobs/{job.pk}/cancel/").status_code == 405
    sign_in(organiser).post(f"/jobs/{job.pk}/cancel/")
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED


def test_attack_runs_are_for_organisers(annotator: User, organiser: User, sign_in: SignIn) -> None:
    AttackRun.objects.create(name="run-1", task="headlines", victim="linear", attacker="deepwordbug", folder="x")
    assert "run-1" in sign_in(organiser).get("/attacks/").text
    assert sign_in(annotator).get("/attacks/").status_code == 403


def test_the_address_of_all_campaigns_leads_to_the_start_page(db: None, client: Client) -> None:
    response = client.get("/campaigns/")
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    assert client.post("/campaigns/").status_code == 405
