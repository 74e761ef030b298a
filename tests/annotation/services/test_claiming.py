"""Who gets which slot."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import DomainError, NothingToClaim, NotYours, ShareDone
from annotation.models import Campaign, Claim, Group, Membership, Original, Slot, Team, User, Variant
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, close_campaign, create_campaign, open_campaign
from annotation.services.claiming import claim_next, give_back, keep_longer, sign_of_life
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


def test_the_persons_quota_goes_before_the_campaigns(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=5, slots=3, settings={"quota": 2})
    for name, quota, given in (("ada", None, 2), ("ben", 3, 3), ("cem", 0, 5)):
        person = make_annotator(campaign, name)
        Membership.objects.filter(user=person).update(quota=quota)
        for _ in range(given):
            answer(campaign, person, "preserve")
        with pytest.raises(NothingToClaim) as nothing:
            claim_next(campaign=campaign, annotator=person)
        assert (isinstance(nothing.value, ShareDone), nothing.value.finished) == (quota != 0, True)


@pytest.mark.parametrize(("state", "finished"), [("paused", False), ("deactivated", True), ("withdrawn", True)])
def test_whoever_is_not_active_gets_nothing(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, state: str, finished: bool
) -> None:
    campaign = make_campaign()
    ada = make_annotator(campaign, "ada")
    Membership.objects.filter(user=ada).update(state=state)
    with pytest.raises(NothingToClaim) as nothing:
        claim_next(campaign=campaign, annotator=ada)
    assert (nothing.value.finished, Claim.objects.count()) == (finished, 0)


def test_a_paused_campaign_hands_out_nothing(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign()
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    Campaign.objects.update(state=Campaign.State.PAUSED)
    campaign.refresh_from_db()
    with pytest.raises(NothingToClaim, match="paused") as nothing:
        claim_next(campaign=campaign, annotator=ada)
    assert not nothing.value.finished
    sent = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"})
    assert sent.judgement.uncounted == ""


def test_nobody_judges_their_own_team_nor_a_team_that_withdrew(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=3)
    for number, maker in ((1, "reds"), (2, "blues"), (3, "greens")):
        campaign.items.filter(number=number).update(made_by=maker)
    reds, _, greens = (Team.objects.create(campaign=campaign, name=name) for name in ("reds", "blues", "greens"))
    Team.objects.filter(pk=greens.pk).update(withdrawn_at=timezone.now())
    ada = make_annotator(campaign, "ada")
    Membership.objects.filter(user=ada).update(team=reds)
    claim = claim_next(campaign=campaign, annotator=ada)
    assert claim.item.made_by == "blues"
    submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"})
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=ada)


def test_a_group_judges_its_items_and_a_third_comes_from_the_named_team(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=2, settings={"third_from": "hosts"})
    hosts, guests = (Team.objects.create(campaign=campaign, name=name) for name in ("hosts", "guests"))
    one, two = (Group.objects.create(campaign=campaign, number=number) for number in (1, 2))
    campaign.items.filter(number=1).update(group=one)
    campaign.items.filter(number=2).update(group=two)
    people = {}
    for name, team, group in (("ada", guests, one), ("ben", hosts, one), ("cem", guests, two), ("dora", hosts, two)):
        people[name] = make_annotator(campaign, name)
        Membership.objects.filter(user=people[name]).update(team=team, group=group)
    assert answer(campaign, people["ada"], "preserve").judgement.claim.item.number == 1
    assert answer(campaign, people["ben"], "change").judgement.claim.item.number == 1
    assert answer(campaign, people["cem"], "change").judgement.claim.item.number == 2
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=people["cem"])
    assert [answer(campaign, people["dora"], "change").judgement.claim.item.number for _ in range(2)] in ([1, 2], [2, 1])


def test_whoever_gave_an_item_back_has_seen_its_original(organiser: User, make_annotator: MakeAnnotator) -> None:
    original = Original.objects.create(task="headlines", key="1")
    campaign = create_campaign(name="c", title="c", protocol="suspicion", created_by=organiser)
    texts = [variant(original, kind, f"A {kind} text.") for kind in (Variant.UNCHANGED, "bae")]
    add_items(campaign=campaign, items=[NewItem(original, text) for text in texts], slots=1)
    open_campaign(campaign=campaign)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    seen = claim_next(campaign=campaign, annotator=ada)
    give_back(claims=Claim.objects.filter(annotator=ada))
    Slot.objects.filter(pk=seen.slot_id).update(rank=99)
    assert claim_next(campaign=campaign, annotator=ben).item != seen.item
    assert claim_next(campaign=campaign, annotator=ada).item == seen.item


def test_a_sign_of_life_keeps_the_item_only_while_somebody_is_active(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=1, slots=1, settings={"claim_minutes": 10})
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        claim = claim_next(campaign=campaign, annotator=ada)
    for minute, active, kept in ((8, True, 18), (12, False, 18), (17, True, 27)):
        with time_machine.travel(start + timedelta(minutes=minute), tick=False):
            now = sign_of_life(claim_id=claim.pk, annotator=ada, active=active)
        assert (now.expires_at, now.seen_at) == (start + timedelta(minutes=kept), start + timedelta(minutes=minute))
    with time_machine.travel(start + timedelta(minutes=27), tick=False):
        assert claim_next(campaign=campaign, annotator=ben).slot == claim.slot
        assert sign_of_life(claim_id=claim.pk, annotator=ada, active=True).state == Claim.State.EXPIRED
        with pytest.raises(DomainError, match="your answer is stored"):
            keep_longer(claim_id=claim.pk, annotator=ada)
        with pytest.raises(NotYours):
            sign_of_life(claim_id=claim.pk, annotator=ben, active=True)


def test_whoever_comes_back_late_goes_on_unless_somebody_took_the_item(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=1, slots=1)
    ada = make_annotator(campaign, "ada")
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        claim = claim_next(campaign=campaign, annotator=ada)
    with time_machine.travel(start + timedelta(hours=5), tick=False):
        assert claim_next(campaign=campaign, annotator=ada) == claim
        assert Claim.objects.get().expires_at == start + timedelta(hours=6)


def test_nothing_now_says_until_when_others_hold_what_is_left(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1, slots=1)
    claim = claim_next(campaign=campaign, annotator=make_annotator(campaign, "ada"))
    with pytest.raises(NothingToClaim) as nothing:
        claim_next(campaign=campaign, annotator=make_annotator(campaign, "ben"))
    assert (nothing.value.finished, nothing.value.again_at) == (False, claim.expires_at)
