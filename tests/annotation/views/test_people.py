"""The People page: who is here, who may come in, and what organisers do with both."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Campaign, Entrance, Invitation, Item, Judgement, Membership, Role, User
from annotation.services.claiming import claim_next
from annotation.services.people import admit, invite
from annotation.services.teams import make_team
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

SignIn = Callable[[User], Client]
PEOPLE = "/campaigns/harbour/people/"
INVITATION = {"role": "annotator", "team": "", "uses": "3", "days": "5"}


@pytest.fixture
def olga(organiser: User, campaign: Campaign, sign_in: SignIn) -> Client:
    return sign_in(organiser)


def member(campaign: Campaign, user: User) -> Membership:
    return campaign.memberships.get(user=user)


def link_on(page: str) -> str:
    found = re.search(r'value="http://testserver(/join/[^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("role", ["annotator", "adjudicator", "organiser"])
def test_a_link_gives_the_role_and_team_that_it_was_made_for(
    olga: Client, campaign: Campaign, organiser: User, client: Client, role: str
) -> None:
    team = make_team(campaign=campaign, name="red", by=organiser)
    page = olga.post("/campaigns/harbour/invite/", INVITATION | {"role": role, "team": str(team.pk)}).text
    link = link_on(page)
    assert link not in olga.get(PEOPLE).text
    response = client.post(link, {"username": "nora", "password": "a-long-password-2"})
    places = {"annotator": "/campaigns/harbour/sheet/", "adjudicator": "/", "organiser": "/campaigns/harbour/"}
    assert response.headers["Location"] == places[role]
    nora = campaign.memberships.get(user__username="nora")
    assert (nora.role, nora.team) == (role, team)
    assert client.get(places[role]).status_code == 200


@pytest.mark.parametrize("change", [{"role": "emperor"}, {"uses": "0"}, {"days": "9999"}, {"team": "12345"}, {"uses": ""}])
def test_a_wrong_invitation_is_refused(olga: Client, campaign: Campaign, change: dict[str, str]) -> None:
    response = olga.post("/campaigns/harbour/invite/", INVITATION | change)
    assert (response.status_code, 'role="alert"' in response.text, campaign.invitations.count()) == (422, True, 0)


def test_a_link_can_be_taken_back(olga: Client, campaign: Campaign, organiser: User, client: Client) -> None:
    token = invite(campaign=campaign, by=organiser, uses=5)
    address = reverse("revoke", args=["harbour", Invitation.objects.get().pk])
    assert f'action="{address}"' in olga.get(PEOPLE).text
    olga.post(address)
    assert address not in olga.get(PEOPLE).text
    response = client.post(f"/join/{token}/", {"username": "nora", "password": "a-long-password-2"})
    assert (response.status_code, "was taken back" in response.text) == (404, True)
    assert not User.objects.filter(username="nora").exists()


def test_a_link_of_another_campaign_is_not_found(olga: Client, campaign: Campaign, other_organiser: User) -> None:
    elsewhere = Campaign.objects.get(name="elsewhere")
    invite(campaign=elsewhere, by=other_organiser)
    foreign = Invitation.objects.get()
    assert olga.post(reverse("revoke", args=["harbour", foreign.pk])).status_code == 404
    foreign.refresh_from_db()
    assert foreign.revoked_at is None


@pytest.mark.parametrize(("verb", "state"), [("pause", "paused"), ("deactivate", "deactivated")])
def test_people_are_stopped_and_let_go_on(olga: Client, campaign: Campaign, annotator: User, verb: str, state: str) -> None:
    pk = member(campaign, annotator).pk
    olga.post(reverse("act_on_member", args=["harbour", pk, verb]))
    assert member(campaign, annotator).state == state
    assert "Let go on" in olga.get(reverse("member", args=["harbour", pk])).text
    olga.post(reverse("act_on_member", args=["harbour", pk, "resume"]))
    assert member(campaign, annotator).state == "active"


def test_whom_one_deactivates_is_asked_first(olga: Client, campaign: Campaign, annotator: User) -> None:
    pk = member(campaign, annotator).pk
    sure, act = (reverse(name, args=["harbour", pk, "deactivate"]) for name in ("ask_about_member", "act_on_member"))
    page = olga.get(reverse("member", args=["harbour", pk])).text
    assert (f'href="{sure}"' in page, f'action="{act}"' in page) == (True, False)
    assert "They hold no item just now." in olga.get(sure).text
    claim_next(campaign=campaign, annotator=annotator)
    asked = olga.get(sure).text
    assert ("1 item that they hold goes back" in asked, f'action="{act}"' in asked) == (True, True)
    assert (olga.post(sure).status_code, member(campaign, annotator).state) == (405, "active")
    assert olga.get(reverse("ask_about_member", args=["harbour", pk, "promote"])).status_code == 404


def test_handing_over_is_asked_first(olga: Client, campaign: Campaign) -> None:
    carla = admit(campaign=campaign, user=User.objects.create_user(username="carla"), role=Role.ORGANISER)
    sure, act = reverse("ask_about_member", args=["harbour", carla.pk, "hand-over"]), reverse("transfer", args=["harbour"])
    page = olga.get(reverse("member", args=["harbour", carla.pk])).text
    assert (f'href="{sure}"' in page, f'action="{act}"' in page) == (True, False)
    asked = olga.get(sure).text
    assert (f'action="{act}"' in asked, f'name="member" value="{carla.pk}"' in asked) == (True, True)
    assert "carla owns the campaign then." in asked


def test_the_owner_is_told_why_they_cannot_leave(olga: Client, campaign: Campaign, organiser: User) -> None:
    address = reverse("act_on_member", args=["harbour", member(campaign, organiser).pk, "deactivate"])
    assert "owns this campaign. Hand it over" in olga.post(address, follow=True).text
    assert member(campaign, organiser).state == "active"


def test_verbs_that_there_are_not(olga: Client, campaign: Campaign, annotator: User, organiser: User) -> None:
    team = make_team(campaign=campaign, name="red", by=organiser)
    assert olga.post(reverse("act_on_member", args=["harbour", member(campaign, annotator).pk, "promote"])).status_code == 404
    assert olga.post(reverse("act_on_team", args=["harbour", team.pk, "delete"])).status_code == 404


def test_role_team_and_quota_are_changed_in_one_form(olga: Client, campaign: Campaign, annotator: User, organiser: User) -> None:
    team = make_team(campaign=campaign, name="red", by=organiser)
    address = reverse("member", args=["harbour", member(campaign, annotator).pk])
    assert olga.post(address, {"role": "annotator", "team": team.pk, "quota": "7"}).headers["Location"] == PEOPLE
    changed = member(campaign, annotator)
    assert (changed.role, changed.team, changed.quota) == ("annotator", team, 7)
    olga.post(address, {"role": "adjudicator", "team": team.pk, "quota": ""})
    changed = member(campaign, annotator)
    assert (changed.role, changed.team, changed.quota) == ("adjudicator", team, None)
    refused = olga.post(address, {"role": "annotator", "team": "", "quota": "-1"})
    assert (refused.status_code, member(campaign, annotator).role) == (422, "adjudicator")
    refused = olga.post(address, {"role": "annotator", "team": team.pk, "quota": ""})
    assert (refused.status_code, "could see the others" in refused.text) == (422, True)


def test_a_campaign_is_handed_over(olga: Client, campaign: Campaign, annotator: User) -> None:
    carla = admit(campaign=campaign, user=User.objects.create_user(username="carla"), role=Role.ORGANISER)
    assert "Hand the campaign over" in olga.get(reverse("member", args=["harbour", carla.pk])).text
    for wrong in ("", "x", "99999", "9" * 5_000, "\u00b2"):
        assert olga.post(reverse("transfer", args=["harbour"]), {"member": wrong}).status_code == 404
    olga.post(reverse("transfer", args=["harbour"]), {"member": member(campaign, annotator).pk})
    campaign.refresh_from_db()
    assert campaign.created_by != carla.user
    olga.post(reverse("transfer", args=["harbour"]), {"member": carla.pk})
    campaign.refresh_from_db()
    assert campaign.created_by == carla.user


def test_teams_are_added_taken_out_and_drawn(olga: Client, campaign: Campaign) -> None:
    for name in ("deepwordbug", "home", "others"):
        olga.post(reverse("add_team", args=["harbour"]), {"name": name})
    assert (
        "There is a team “home” already" in olga.post(reverse("add_team", args=["harbour"]), {"name": "home"}, follow=True).text
    )
    teams = {team.name: team for team in campaign.teams.all()}
    olga.post(reverse("act_on_team", args=["harbour", teams["deepwordbug"].pk, "withdraw"]))
    assert campaign.teams.get(name="deepwordbug").withdrawn_at is not None
    olga.post(reverse("act_on_team", args=["harbour", teams["deepwordbug"].pk, "return"]))
    assert campaign.teams.get(name="deepwordbug").withdrawn_at is None
    olga.post(reverse("act_on_team", args=["harbour", teams["home"].pk, "organisers"]))
    draw = reverse("draw_groups", args=["harbour"])
    assert "No annotator is in a participating team" in olga.post(draw, {"seed": "1"}, follow=True).text
    for name, team in (("ann", "others"), ("hal", "home"), ("hob", "home")):
        admit(campaign=campaign, user=User.objects.create_user(username=name), team=teams[team])
    page = olga.post(draw, {"seed": "1"}, follow=True).text
    left = campaign.memberships.get(team=teams["home"], group__isnull=True)
    assert f"1 group was drawn; 3 items were dealt. In no group, for thirds: {left.user.username}." in page
    assert Item.objects.filter(group__isnull=False).count() == 3
    assert olga.post(draw, {"seed": "x"}).status_code == 422


def test_pay_below_the_minimum_is_pointed_out(olga: Client, campaign: Campaign, annotator: User, answer: Answer) -> None:
    judgement = answer(campaign, annotator, "preserve").judgement
    Judgement.objects.filter(pk=judgement.pk).update(active_seconds=60)
    Entrance.objects.create(
        campaign=campaign, kind="open", pay_per_item=Decimal("0.1"), minimum_hourly_pay=Decimal(12), currency="EUR"
    )
    assert "the median is 6.00 EUR an hour; the stated minimum is 12.00" in olga.get(PEOPLE).text
    Entrance.objects.update(minimum_hourly_pay=Decimal(6))
    page = olga.get(PEOPLE).text
    assert ("People earn less" in page, "6.00 EUR an hour (median of 1 person)" in page) == (False, True)


@pytest.mark.parametrize("count", [1, 3, 30])
def test_the_page_takes_as_many_queries_for_thirty_as_for_one(
    organiser: User, campaign: Campaign, make_annotator: MakeAnnotator, sign_in: SignIn, count: int
) -> None:
    client = sign_in(organiser)
    client.get(PEOPLE)
    for number in range(count):
        team = make_team(campaign=campaign, name=f"team {number}", by=organiser)
        make_annotator(campaign, f"p{number}")
        campaign.memberships.filter(user__username=f"p{number}").update(team=team)
        invite(campaign=campaign, by=organiser, team=team)
    with CaptureQueriesContext(connection) as queries:
        page = client.get(PEOPLE).text
    assert page.count('href="/campaigns/harbour/people/') >= count
    assert len(queries) == 14


ORGANISERS_ONLY = ["entrance", "edit_sheet", "add_team", "draw_groups", "transfer", "invite"]


@pytest.mark.parametrize("name", ORGANISERS_ONLY)
def test_nobody_else_sees_or_changes_people(
    name: str, campaign: Campaign, annotator: User, other_organiser: User, client: Client, sign_in: SignIn
) -> None:
    adjudicator = User.objects.create_user(username="adam")
    admit(campaign=campaign, user=adjudicator, role=Role.ADJUDICATOR)
    assert sign_in(annotator).get(PEOPLE).status_code == sign_in(adjudicator).get(PEOPLE).status_code == 404
    address = reverse(name, args=["harbour"])
    assert client.post(address).headers["Location"] == "/signin/?next=/"
    for stranger in (annotator, adjudicator, other_organiser):
        assert sign_in(stranger).post(address, INVITATION | {"name": "t", "seed": "1"}).status_code == 404
    assert (campaign.teams.count(), campaign.invitations.count(), campaign.groups.count()) == (0, 0, 0)


def test_people_of_another_campaign_cannot_be_touched(olga: Client, campaign: Campaign, other_organiser: User) -> None:
    elsewhere = Campaign.objects.get(name="elsewhere")
    foreign = member(elsewhere, other_organiser)
    team = make_team(campaign=elsewhere, name="red", by=other_organiser)
    assert olga.get(reverse("member", args=["harbour", foreign.pk])).status_code == 404
    assert olga.post(reverse("act_on_member", args=["harbour", foreign.pk, "pause"])).status_code == 404
    assert olga.post(reverse("act_on_team", args=["harbour", team.pk, "withdraw"])).status_code == 404
    assert olga.post(reverse("transfer", args=["harbour"]), {"member": foreign.pk}).status_code == 404
    assert olga.post("/campaigns/harbour/invite/", INVITATION | {"team": str(team.pk)}).status_code == 422


def test_a_deactivated_organiser_sees_nothing_any_more(campaign: Campaign, sign_in: SignIn) -> None:
    carla = User.objects.create_user(username="carla")
    admit(campaign=campaign, user=carla, role=Role.ORGANISER)
    client = sign_in(carla)
    assert client.get(PEOPLE).status_code == 200
    campaign.memberships.filter(user=carla).update(state="deactivated")
    assert [client.get(place).status_code for place in (PEOPLE, "/campaigns/harbour/", "/campaigns/harbour/sheet/")] == [404] * 3


def test_an_adjudicator_finds_the_conflicts(campaign: Campaign, sign_in: SignIn) -> None:
    adam = User.objects.create_user(username="adam")
    admit(campaign=campaign, user=adam, role=Role.ADJUDICATOR)
    client = sign_in(adam)
    assert 'href="/campaigns/harbour/conflicts/"' in client.get("/").text
    assert client.get("/campaigns/harbour/conflicts/").status_code == 200


def test_names_that_are_markup_stay_text(olga: Client, campaign: Campaign, organiser: User) -> None:
    make_team(campaign=campaign, name="<script>alert(1)</script>", by=organiser)
    page = olga.get(PEOPLE).text
    assert ("<script>alert(1)" in page, "&lt;script&gt;alert(1)" in page) == (False, True)


def test_a_simulated_campaign_invites_nobody(make_campaign: MakeCampaign, organiser: User, sign_in: SignIn) -> None:
    make_campaign(name="robots", simulated=True)
    page = sign_in(organiser).get("/campaigns/robots/people/").text
    assert ("Invite people" in page, "Teams" in page) == (False, False)


@pytest.mark.parametrize("page", ["entrance", "sheet/edit", "people/{annotator}"])
def test_every_page_below_the_people_has_a_heading_and_a_way_back(
    olga: Client, campaign: Campaign, annotator: User, page: str
) -> None:
    address = f"/campaigns/harbour/{page.format(annotator=member(campaign, annotator).pk)}/"
    headings = {"entrance": "How people come in", "sheet/edit": "The information sheet", "people/{annotator}": "anna"}
    text = olga.get(address).text
    assert re.findall(r'<h2 class="title">([^<]*)</h2>', text) == [headings[page]]
    assert f'<a class="small" href="{PEOPLE}">All people</a>' in text


def test_only_annotators_have_a_quota(olga: Client, campaign: Campaign, annotator: User) -> None:
    page = olga.get(PEOPLE).text
    cells = {
        name: re.findall(r"<td[^>]*>(.*?)</td>", row)
        for name, row in re.findall(r'<tr><th scope="row"><a[^>]*>(\w+)</a>(.*?)</tr>', page)
    }
    assert {name: row[3] for name, row in cells.items()} == {"olga": "–", "anna": "no limit"}
    of_olga = olga.get(f"/campaigns/harbour/people/{campaign.memberships.get(role='organiser').pk}/").text
    assert ("<dt>Pace</dt>" in of_olga, "<dt>Joined</dt>" in of_olga) == (False, True)
