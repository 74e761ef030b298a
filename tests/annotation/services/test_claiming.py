"""Who gets which slot."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Campaign, Claim, Original, Slot, User, Variant
from annotation.services.campaigns import NewItem, add_items, close_campaign, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign, variant

CLAIM_LASTS = timedelta(minutes=60)


def test_the_same_item_is_shown_until_it_is_answered(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign()
    ada = make_annotator(campaign, "ada")
    first = claim_next(campaign=campaign, annotator=ada)
    assert claim_next(campaign=campaign, annotator=ada) == first
    assert Claim.objects.count() == 1


def test_every_item_ends_with_exactly_its_slots(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=4)
    for name in ("ada", "ben", "cem"):
        person = make_annotator(campaign, name)
        while True:
            try:
                answer(campaign, person, "preserve")
            except NothingToClaim:
                break
    filled = [item.slots.filter(state=Slot.State.FILLED).count() for item in campaign.items.all()]
    assert filled == [2, 2, 2, 2]
    assert Slot.objects.filter(item__campaign=campaign).count() == 8


def test_nobody_is_given_an_item_twice(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(items=1)
    ada = make_annotator(campaign, "ada")
    answer(campaign, ada, "preserve")
    with pytest.raises(NothingToClaim, match="The rest is for other people") as nothing:
        claim_next(campaign=campaign, annotator=ada)
    assert nothing.value.finished
    assert Slot.objects.filter(item__campaign=campaign, state=Slot.State.OPEN).count() == 1


@pytest.mark.parametrize("linked", [False, True])
def test_two_variants_of_one_original_never_reach_one_person(
    organiser: User, make_annotator: MakeAnnotator, linked: bool
) -> None:
    original = Original.objects.create(task="headlines", key="1")
    texts = [variant(original, Variant.UNCHANGED, "A plain text."), variant(original, "bae", "A pla1n text.")]
    group = "spring" if linked else ""
    campaigns = [
        create_campaign(name=f"c{number}", title="c", protocol="suspicion", created_by=organiser, link_group=group)
        for number in range(2)
    ]
    for campaign, text in zip(campaigns, texts, strict=True):
        add_items(campaign=campaign, items=[NewItem(original, text)])
        open_campaign(campaign=campaign)
    ada = make_annotator(campaigns[0], "ada")
    campaigns[1].memberships.create(user=ada, role="annotator")
    claim_next(campaign=campaigns[0], annotator=ada)
    if linked:
        with pytest.raises(NothingToClaim):
            claim_next(campaign=campaigns[1], annotator=ada)
    else:
        assert claim_next(campaign=campaigns[1], annotator=ada).item.first == texts[1]


def test_abandoned_work_comes_back_after_the_time_out(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1, slots=1)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        abandoned = claim_next(campaign=campaign, annotator=ada)
        with pytest.raises(NothingToClaim) as nothing:
            claim_next(campaign=campaign, annotator=ben)
    assert not nothing.value.finished
    with time_machine.travel(start + CLAIM_LASTS - timedelta(seconds=1), tick=False), pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=ben)
    with time_machine.travel(start + CLAIM_LASTS, tick=False):
        assert claim_next(campaign=campaign, annotator=ben).slot == abandoned.slot
    abandoned.refresh_from_db()
    assert abandoned.state == Claim.State.EXPIRED


def test_the_order_is_random_but_repeats_with_the_seed(organiser: User) -> None:
    def ranks(name: str, seed: int) -> list[int]:
        campaign = Campaign.objects.get(pk=create_campaign(name=name, title="", protocol="meaning", created_by=organiser).pk)
        original = Original.objects.create(task="t", key=name)
        pair = variant(original, Variant.UNCHANGED, "a"), variant(original, "bae", "b")
        campaign.pk, saved = campaign.pk, add_items(campaign=campaign, items=[NewItem(original, *pair)] * 8, seed=seed)
        order = Slot.objects.filter(item__in=saved, position=1).order_by("rank")
        return [slot.item.number for slot in order.select_related("item")]

    one = ranks("one", 1)
    assert one != sorted(one)
    assert sorted(one) == list(range(1, 9))


@pytest.mark.parametrize("simulated", [False, True])
def test_simulated_readers_and_people_never_mix(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, simulated: bool
) -> None:
    campaign = make_campaign(simulated=simulated)
    kind = User.Kind.PERSON if simulated else User.Kind.SIMULATED
    with pytest.raises(DomainError, match="never answer in the same campaign"):
        claim_next(campaign=campaign, annotator=make_annotator(campaign, "x", kind=kind))
    assert not Claim.objects.exists()


def test_strangers_and_closed_campaigns_get_nothing(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    campaign = make_campaign()
    with pytest.raises(DomainError, match="not an annotator"):
        claim_next(campaign=campaign, annotator=organiser)
    ada = make_annotator(campaign, "ada")
    close_campaign(campaign=campaign)
    with pytest.raises(NothingToClaim) as nothing:
        claim_next(campaign=campaign, annotator=ada)
    assert nothing.value.finished
