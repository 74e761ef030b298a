"""Who of a crowd is finished, and for whom there is more to do: the same as handing out work says of each."""

from __future__ import annotations

import pytest

from annotation.errors import NothingToClaim
from annotation.models import Campaign, CrowdVisit, Group, Item, Membership, Team, User
from annotation.queries.crowd import crowd_of
from annotation.queries.own import with_more_to_do
from annotation.services.campaigns import close_campaign
from annotation.services.claiming import claim_next
from annotation.services.crowd import Ids, enter, set_entrance
from annotation.services.linking import link_campaigns
from annotation.services.revising import skip
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

pytestmark = pytest.mark.django_db


def has_more(campaign: Campaign, user: User) -> bool:
    """As the query says, which has to be what the person is told who asks for an item."""
    found: bool = with_more_to_do(campaign).filter(user=user).exists()
    try:
        claim_next(campaign=campaign, annotator=user)
        told = True
    except NothingToClaim as nothing:
        told = not nothing.finished
    assert found == told
    return found


def finished(campaign: Campaign) -> list[bool]:
    return [sent.finished for sent in crowd_of(campaign)]


def test_whoever_has_answered_all_that_there_is_for_them_is_finished(
    make_campaign: MakeCampaign, organiser: User, answer: Answer
) -> None:
    campaign = make_campaign("suspicion", items=2, slots=2)
    set_entrance(
        campaign=campaign, by=organiser, kind="crowd", platform="prolific", participant_parameter="P", session_parameter="S"
    )
    first, second = (enter(campaign=campaign, ids=Ids(name, "", name), user=None) for name in ("p1", "p2"))
    assert finished(campaign) == [False, False]
    answer(campaign, first, "2")
    assert finished(campaign) == [False, False]
    answer(campaign, first, "2")
    assert finished(campaign) == [True, False]
    claim_next(campaign=campaign, annotator=second)
    close_campaign(campaign=campaign)
    campaign.refresh_from_db()
    assert finished(campaign) == [True, False]
    assert CrowdVisit.objects.filter(completed_at__isnull=False).count() == 0


def test_what_others_hold_may_come_back_and_what_was_skipped_does_not(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("suspicion", items=1, slots=1)
    ada, ben = (make_annotator(campaign, name) for name in ("ada", "ben"))
    held = claim_next(campaign=campaign, annotator=ada)
    assert (has_more(campaign, ben), has_more(campaign, ada)) == (True, True)
    skip(claim_id=held.pk, annotator=ada)
    assert has_more(campaign, ada) is False
    answer(campaign, ben, "3")
    assert has_more(campaign, ben) is False


def test_another_variant_of_what_somebody_has_seen_is_not_for_them(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    one, other = (make_campaign("suspicion", items=1, slots=2, name=name) for name in ("one", "other"))
    Item.objects.filter(campaign=other).update(original=Item.objects.get(campaign=one).original)
    link_campaigns(campaigns=[one, other], by=organiser, group="together")
    one.refresh_from_db()
    other.refresh_from_db()
    user = make_annotator(one, "ada")
    Membership.objects.create(campaign=other, user=user, role="annotator")
    assert has_more(one, user) is True
    assert has_more(other, user) is False


@pytest.mark.parametrize(
    ("own_team", "maker", "more"), [("north", "north", False), ("south", "north", True), ("", "north", True)]
)
def test_nobody_judges_their_own_team(
    own_team: str, maker: str, more: bool, make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign("suspicion", items=1)
    campaign.items.update(made_by=maker)
    teams = {name: Team.objects.create(campaign=campaign, name=name) for name in ("north", "south")}
    user = make_annotator(campaign, "ada")
    Membership.objects.filter(user=user).update(team=teams.get(own_team))
    assert has_more(campaign, user) is more


def test_groups_and_third_people(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1)
    team = Team.objects.create(campaign=campaign, name="judges")
    group = Group.objects.create(campaign=campaign, number=1)
    user = make_annotator(campaign, "ada")
    campaign.items.update(group=group)
    assert has_more(campaign, user) is False
    Membership.objects.filter(user=user).update(group=group)
    assert has_more(campaign, user) is True
    other = make_annotator(campaign, "ben")
    campaign.items.get().slots.update(extra=True)
    campaign.settings["third_from"] = "judges"
    campaign.save()
    assert has_more(campaign, other) is False
    Membership.objects.filter(user=other).update(team=team)
    assert has_more(campaign, other) is True
