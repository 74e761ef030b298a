from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, CrowdVisit, Judgement, Membership, User
from annotation.services.people import consent
from annotation.services.sheets import publish_sheet
from annotation.services.withdrawal import withdraw
from tests.annotation.conftest import Answer

SignIn = Callable[[User], Client]
ADDRESS = "/campaigns/harbour/withdraw/"


def text_of(response: object) -> str:
    return " ".join(response.text.split())  # type: ignore[attr-defined]


@pytest.mark.parametrize("place", ["/", "/campaigns/harbour/work/", "/campaigns/harbour/sheet/"])
def test_every_page_of_an_annotator_leads_to_withdrawing(place: str, annotator: User, sign_in: SignIn) -> None:
    assert f'href="{ADDRESS}"' in sign_in(annotator).get(place).text


def test_the_page_says_what_goes_and_does_nothing_yet(
    annotator: User, campaign: Campaign, answer: Answer, sign_in: SignIn
) -> None:
    for _ in range(2):
        answer(campaign, annotator, "preserve")
    client = sign_in(annotator)
    said = text_of(client.get(ADDRESS))
    assert "2 answers, with their comments and times" in said and "Withdraw and erase my answers" in said
    refused = client.post(ADDRESS)
    assert (refused.status_code, "Tick the box if you are sure" in refused.text) == (422, True)
    assert (Judgement.objects.count(), campaign.memberships.get(user=annotator).state) == (2, Membership.State.ACTIVE)


def test_it_does_what_it_said_and_the_campaign_is_closed_to_them(
    annotator: User, campaign: Campaign, answer: Answer, sign_in: SignIn
) -> None:
    answer(campaign, annotator, "preserve")
    client = sign_in(annotator)
    assert "1 answer and everything that went with it is erased." in text_of(client.post(ADDRESS, {"sure": "yes"}))
    assert Judgement.objects.count() == 0
    for place in ("work", "sheet", "withdraw"):
        response = client.get(f"/campaigns/harbour/{place}/", follow=True)
        assert (response.status_code, "You withdrew" in response.text) == (200, True)
    start = client.get("/").text
    assert ("You have withdrawn." in start, ADDRESS in start) == (True, False)


def test_the_sheet_that_promises_pseudonymity_says_so(
    annotator: User, campaign: Campaign, answer: Answer, sign_in: SignIn
) -> None:
    consent(sheet=publish_sheet(campaign=campaign, on_withdrawal="pseudonymise"), user=annotator)
    answer(campaign, annotator, "preserve")
    client = sign_in(annotator)
    said = text_of(client.get(ADDRESS))
    assert "1 answer, under a name that stands for nobody" in said and "Withdraw and cut every link to me" in said
    assert "Nothing links you to your 1 answer any more." in text_of(client.post(ADDRESS, {"sure": "yes"}))
    assert list(Judgement.objects.values_list("claim__annotator__kind", flat=True)) == [User.Kind.PSEUDONYM]


def test_a_crowd_account_is_signed_out_for_good(annotator: User, campaign: Campaign, sign_in: SignIn) -> None:
    CrowdVisit.objects.create(campaign=campaign, user=annotator, participant="p")
    client = sign_in(annotator)
    assert "return your place there" in text_of(client.post(ADDRESS, {"sure": "yes"}))
    assert client.get("/campaigns/harbour/work/").status_code == 302


@pytest.mark.parametrize("state", ["paused", "deactivated"])
def test_whoever_is_paused_or_deactivated_is_told_so_and_may_withdraw(
    state: str, annotator: User, campaign: Campaign, sign_in: SignIn
) -> None:
    campaign.memberships.filter(user=annotator).update(state=state)
    client = sign_in(annotator)
    for place in ("work", "sheet"):
        response = client.get(f"/campaigns/harbour/{place}/")
        assert (response.status_code, f'href="{ADDRESS}"' in response.text, "claim" in response.text) == (200, True, False)
    client.post(ADDRESS, {"sure": "yes"})
    assert campaign.memberships.get(user=annotator).state == Membership.State.WITHDRAWN


def test_nobody_else_withdraws(campaign: Campaign, organiser: User, other_organiser: User, sign_in: SignIn) -> None:
    for stranger in (organiser, other_organiser):
        client = sign_in(stranger)
        assert [client.get(ADDRESS).status_code, client.post(ADDRESS, {"sure": "yes"}).status_code] == [404, 404]


def test_no_page_names_whoever_withdrew_or_tells_how_they_did(
    annotator: User, campaign: Campaign, organiser: User, answer: Answer, sign_in: SignIn
) -> None:
    answer(campaign, annotator, "preserve")
    member = campaign.memberships.get(user=annotator)
    Membership.objects.filter(pk=member.pk).update(tries=1, qualified_at=member.joined_at, quota=98765)
    client = sign_in(organiser)
    front = "· 1 annotator"
    pages = [f"/campaigns/harbour/{page}" for page in ("", "people/", f"people/{member.pk}/", "items/", "log/")]
    assert ([annotator.username in client.get(page).text for page in pages[:3]], front in text_of(client.get("/"))) == (
        [True] * 3,
        True,
    )
    withdraw(campaign=campaign, user=annotator)
    said = {page: text_of(client.get(page)) for page in ("/", *pages)}
    assert [page for page, text in said.items() if annotator.username in text or "98765" in text] == []
    assert front not in said["/"]
    assert "somebody who withdrew</a>" in said[pages[1]] and "withdrawn, 1 answer erased" in said[pages[1]]
    assert [
        term for term in ("Test", "Pace", "try", "tries") if f">{term}<" in said[pages[2]] or "passed" in said[pages[2]]
    ] == []
