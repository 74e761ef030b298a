"""Every page of a campaign: strangers are sent to sign in, others' campaigns do not exist, wrong methods are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Campaign, Claim, User
from annotation.services.claiming import claim_next
from annotation.services.jobs import enqueue

ORGANISERS_GET = ["campaign", "items", "agreement", "export"]
ORGANISERS_POST = ["open_campaign", "close_campaign", "invite", "train"]
PERSONAL_GET = ["models", "attacks", "new_campaign"]

SignIn = Callable[[User], Client]


@pytest.mark.parametrize("name", ORGANISERS_GET)
def test_the_organiser_sees_the_page(name: str, campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    response = sign_in(organiser).get(reverse(name, args=["harbour"]))
    assert response.status_code == 200
    assert "About harbour" in response.text


@pytest.mark.parametrize("name", [*ORGANISERS_GET, "sheet", "work"])
def test_whoever_is_not_signed_in_is_sent_to_sign_in(name: str, campaign: Campaign, client: Client) -> None:
    address = reverse(name, args=["harbour"])
    assert client.get(address).headers["Location"] == f"/signin/?next={address}"


@pytest.mark.parametrize("name", ORGANISERS_POST)
def test_a_form_of_somebody_not_signed_in_does_nothing(name: str, campaign: Campaign, client: Client) -> None:
    response = client.post(reverse(name, args=["harbour"]))
    assert response.headers["Location"] == "/signin/?next=/"
    campaign.refresh_from_db()
    assert (campaign.state, campaign.invitations.count()) == ("open", 0)


@pytest.mark.parametrize("name", PERSONAL_GET)
def test_pages_without_a_campaign_need_an_organiser(
    name: str, annotator: User, organiser: User, client: Client, sign_in: SignIn
) -> None:
    assert client.get(reverse(name)).status_code == 302
    assert sign_in(annotator).get(reverse(name)).status_code == 403
    assert sign_in(organiser).get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", ORGANISERS_GET)
def test_a_campaign_of_others_does_not_exist(
    name: str, campaign: Campaign, annotator: User, other_organiser: User, sign_in: SignIn
) -> None:
    address = reverse(name, args=["harbour"])
    assert [sign_in(user).get(address).status_code for user in (annotator, other_organiser)] == [404, 404]


@pytest.mark.parametrize("name", ORGANISERS_POST)
def test_nobody_else_can_change_a_campaign(
    name: str, campaign: Campaign, annotator: User, other_organiser: User, sign_in: SignIn
) -> None:
    address = reverse(name, args=["harbour"])
    form = {"uses": "3", "days": "5"}
    assert [sign_in(user).post(address, form).status_code for user in (annotator, other_organiser)] == [404, 404]
    campaign.refresh_from_db()
    assert (campaign.state, campaign.invitations.count()) == ("open", 0)


@pytest.mark.parametrize("file", ["report.html", "judgements.csv", "decisions.csv", "items.jsonl", "codebook.md"])
def test_no_file_is_handed_to_others(file: str, annotator: User, other_organiser: User, client: Client, sign_in: SignIn) -> None:
    address = reverse("download", args=["harbour", file])
    assert client.get(address).status_code == 302
    assert [sign_in(user).get(address).status_code for user in (annotator, other_organiser)] == [404, 404]


def test_a_file_that_is_no_export_does_not_exist(campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert sign_in(organiser).get("/campaigns/harbour/export/settings.py").status_code == 404


@pytest.mark.parametrize("name", ["pause_campaign", "invite", "train"])
def test_verbs_refuse_get(name: str, campaign: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert sign_in(organiser).get(reverse(name, args=["harbour"])).status_code == 405


@pytest.mark.parametrize("name", ["items", "agreement", "export", "work"])
def test_pages_refuse_post(name: str, annotator: User, organiser: User, sign_in: SignIn) -> None:
    who = annotator if name == "work" else organiser
    assert sign_in(who).post(reverse(name, args=["harbour"])).status_code == 405


def test_a_campaign_that_was_made_at_the_command_line_is_every_organisers(
    campaign: Campaign, annotator: User, other_organiser: User, sign_in: SignIn
) -> None:
    campaign.memberships.filter(role="organiser").delete()
    Campaign.objects.filter(pk=campaign.pk).update(created_by=None)
    assert sign_in(other_organiser).get("/campaigns/harbour/").status_code == 200
    assert sign_in(annotator).get("/campaigns/harbour/").status_code == 404


def test_somebody_elses_claim_does_not_exist(
    campaign: Campaign, annotator: User, make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    claim = claim_next(campaign=campaign, annotator=annotator)
    thief = sign_in(make_annotator(campaign, "boris"))
    form = {"label": "preserve", "confidence": "4"}
    for name in ("answer", "draft"):
        assert thief.post(reverse(name, args=["harbour", claim.pk]), form).status_code == 404
    claim.refresh_from_db()
    assert (claim.state, claim.draft) == (Claim.State.LIVE, {})


def test_a_claim_under_another_campaigns_address_does_not_exist(
    campaign: Campaign, annotator: User, make_campaign: Callable[..., Campaign], sign_in: SignIn
) -> None:
    claim = claim_next(campaign=campaign, annotator=annotator)
    make_campaign(name="other")
    assert sign_in(annotator).post(reverse("answer", args=["other", claim.pk])).status_code == 404


def test_only_those_of_its_campaign_watch_and_stop_a_job(
    campaign: Campaign, organiser: User, annotator: User, other_organiser: User, client: Client, sign_in: SignIn
) -> None:
    job = enqueue(kind="train", arguments={"campaign": "harbour"}, by=organiser)
    address, stop = reverse("job", args=[job.pk]), reverse("cancel_job", args=[job.pk])
    assert client.get(address).status_code == 404
    for stranger in (annotator, other_organiser):
        assert [sign_in(stranger).get(address).status_code, sign_in(stranger).post(stop).status_code] == [404, 404]
    job.refresh_from_db()
    assert job.state == "queued"
    assert sign_in(organiser).get(address).status_code == 200
    sign_in(organiser).post(stop)
    job.refresh_from_db()
    assert job.state == "cancelled"
