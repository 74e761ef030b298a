"""Asking one more person about a tie that no rule decides."""

from __future__ import annotations

import pytest

from annotation.errors import DomainError
from annotation.models import Campaign, Event, Item, Membership, Slot, User
from annotation.services.asking import ask_one_more
from annotation.services.campaigns import close_campaign
from annotation.services.claiming import claim_next
from annotation.services.deciding import decide, decide_all
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

NOBODY = "Nobody here may answer item 1"


@pytest.fixture
def tied(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> Campaign:
    """One item, to which three people gave the three answers without saying how sure they are."""
    campaign = make_campaign(items=1, settings={"confidence": False})
    for name, label in (("ada", "preserve"), ("ben", "change"), ("cem", "no_sense")):
        answer(campaign, make_annotator(campaign, name), label, None)
    assert campaign.items.get().how == "unresolved"
    return campaign


@pytest.fixture
def fourth(tied: Campaign, make_annotator: MakeAnnotator) -> User:
    return make_annotator(tied, "dora")


def stands(campaign: Campaign) -> tuple[object, ...]:
    item = campaign.items.select_related("decided").get()
    return item.wanted, item.answered, item.complete, item.how, item.decided and item.decided.key


def refused(campaign: Campaign, organiser: User) -> str:
    """Why asking is refused; nothing is written."""
    before = (stands(campaign), Slot.objects.count(), Event.objects.count())
    with pytest.raises(DomainError) as refusal:
        ask_one_more(item=campaign.items.get(), by=organiser)
    assert (stands(campaign), Slot.objects.count(), Event.objects.count()) == before
    return str(refusal.value)


def test_the_next_person_answers_and_the_most_frequent_answer_decides(
    tied: Campaign, organiser: User, fourth: User, answer: Answer
) -> None:
    assert stands(tied) == (3, 3, True, "unresolved", None)
    ask_one_more(item=tied.items.get(), by=organiser)
    assert stands(tied) == (4, 3, False, "unresolved", None)
    assert list(Slot.objects.order_by("position").values_list("state", "extra"))[-1] == ("open", True)
    assert Event.objects.get(verb="asked").detail == {"item": 1}
    answer(tied, fourth, "change", None)
    assert stands(tied) == (4, 4, True, "majority", "change")


def test_the_wish_outlives_every_recomputation(tied: Campaign, organiser: User, fourth: User) -> None:
    ask_one_more(item=tied.items.get(), by=organiser)
    decide(item=tied.items.get())
    decide_all(campaign=tied)
    assert stands(tied) == (4, 3, False, "unresolved", None)
    assert claim_next(campaign=tied, annotator=fourth).item == tied.items.get()


def test_asking_twice_asks_once(tied: Campaign, organiser: User, fourth: User) -> None:
    ask_one_more(item=tied.items.get(), by=organiser)
    assert refused(tied, organiser) == "Item 1 waits for one more answer already."
    claim_next(campaign=tied, annotator=fourth)
    assert refused(tied, organiser) == "Item 1 waits for one more answer already."


def test_an_item_without_a_tie_needs_nobody(make_campaign: MakeCampaign, organiser: User) -> None:
    assert refused(make_campaign(items=1), organiser) == "The answers to item 1 are not tied, so nobody more is asked."


@pytest.mark.usefixtures("fourth")
def test_a_closed_campaign_asks_nobody(tied: Campaign, organiser: User) -> None:
    close_campaign(campaign=tied)
    assert refused(tied, organiser) == "The campaign is closed, so nobody is asked any more. Open it again first."


@pytest.mark.usefixtures("fourth")
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"imported": True}, "The answers of this campaign came from a file; nobody is asked here."),
        ({"simulated": True}, "The readers of this campaign are simulated; nobody is asked here."),
    ],
)
def test_where_no_people_answer_nobody_is_asked(tied: Campaign, organiser: User, fields: dict[str, bool], reason: str) -> None:
    Campaign.objects.update(**fields)
    assert refused(tied, organiser) == reason


@pytest.mark.usefixtures("fourth")
def test_where_an_adjudicator_decides_nobody_is_asked(tied: Campaign, organiser: User) -> None:
    tied.settings["conflicts"] = "adjudicate"
    tied.save()
    assert refused(tied, organiser) == ("In this campaign an adjudicator decides where people differ; nobody more is asked.")


def test_nobody_else_is_there(tied: Campaign, organiser: User) -> None:
    assert refused(tied, organiser).startswith(NOBODY)


def test_whoever_is_paused_or_has_given_their_share_is_not_asked(tied: Campaign, organiser: User, fourth: User) -> None:
    fourths = Membership.objects.filter(user=fourth)
    fourths.update(state=Membership.State.PAUSED)
    assert refused(tied, organiser).startswith(NOBODY)
    fourths.update(state=Membership.State.ACTIVE)
    tied.settings["third_from"] = "organisers"
    tied.save()
    assert refused(tied, organiser).startswith(NOBODY)


def test_whose_quota_is_full_is_not_asked(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    campaign = make_campaign(items=2, slots=2, settings={"confidence": False})
    people = [make_annotator(campaign, name) for name in ("ada", "ben", "cem", "dora")]
    for person, label in zip(people, ("preserve", "change", "no_sense"), strict=False):
        answer(campaign, person, label, None)
    tied = campaign.items.get(how="unresolved")
    answer(campaign, people[3], "change", None)
    Membership.objects.filter(user=people[3]).update(quota=1)
    Membership.objects.filter(user__in=people[:3]).update(quota=9)
    with pytest.raises(DomainError, match=f"Nobody here may answer item {tied.number}"):
        ask_one_more(item=tied, by=organiser)
    Membership.objects.filter(user=people[3]).update(quota=2)
    ask_one_more(item=tied, by=organiser)
    assert Item.objects.get(pk=tied.pk).wanted == 4
