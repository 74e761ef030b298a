"""What organisers do at the moment when people take items, answer and leave, each in a thread of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import pairwise
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Event, Original, Ruling, Slot, User
from annotation.services.answering import submit
from annotation.services.asking import ask_one_more
from annotation.services.campaigns import NewItem, add_items, close_campaign, create_campaign, open_campaign, pause_campaign
from annotation.services.claiming import claim_next
from annotation.services.copying import copy_campaign
from annotation.services.linking import link_campaigns
from annotation.services.members import deactivate
from annotation.services.moderating import exclude_person, include_person, release
from annotation.services.people import admit
from annotation.services.pseudonyms import pseudonyms_of
from annotation.services.revising import change
from annotation.services.ruling import rule, sight_of
from annotation.services.settings import change_settings
from annotation.services.teams import make_team, return_team, withdraw_team
from annotation.services.withdrawal import withdraw
from tests.annotation.at_once import at_once
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign, variant

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("on_postgresql")]
ROUNDS = 5
SURE = {"label": "3", "confidence": 3}


def two_of_the_same_originals(organiser: User, number: int) -> list[Campaign]:
    """Two open campaigns in which nobody may see two variants, not linked yet."""
    originals = [Original.objects.create(task="headlines", key=f"{number}-{key}") for key in range(4)]
    made = []
    for name in (f"first-{number}", f"second-{number}"):
        campaign = create_campaign(name=name, title=name, protocol="suspicion", created_by=organiser)
        texts = [NewItem(original, variant(original, name, f"{name} {original.key}")) for original in originals]
        add_items(campaign=campaign, items=texts)
        open_campaign(campaign=campaign)
        made.append(campaign)
    return made


def people_in(campaigns: list[Campaign], number: int, count: int = 4) -> list[User]:
    users = [User.objects.create_user(username=f"p{number}-{each}") for each in range(count)]
    for user in users:
        for campaign in campaigns:
            admit(campaign=campaign, user=user)
    return users


def test_nobody_slips_past_a_link_with_a_second_variant(organiser: User) -> None:
    linked = 0
    for number in range(ROUNDS + 3):
        campaigns = two_of_the_same_originals(organiser, number)
        people = people_in(campaigns, number)
        taking = [partial(claim_next, campaign=campaign, annotator=person) for person in people for campaign in campaigns]
        at_once(*taking, partial(link_campaigns, campaigns=campaigns, by=organiser, group=f"g{number}"))
        claims = Claim.objects.filter(campaign__in=campaigns)
        if Campaign.objects.get(pk=campaigns[0].pk).link_group:
            linked += 1
            assert set(claims.values_list("exclusion", flat=True)) == {f"g{number}"}
            assert set(Counter(claims.values_list("annotator", "original")).values()) == {1}
    assert linked


def test_leaving_and_removing_do_not_wait_crosswise_with_a_link(organiser: User) -> None:
    for number in range(ROUNDS):
        campaigns = two_of_the_same_originals(organiser, number)
        people = people_in(campaigns, number, count=6)
        claims = [claim_next(campaign=campaigns[place % 2], annotator=person) for place, person in enumerate(people)]
        for claim in claims[:2]:
            submit(claim_id=claim.pk, annotator=claim.annotator, data=SURE)
        acts = [
            (
                partial(submit, claim_id=claim.pk, annotator=claim.annotator, data=SURE),
                partial(release, campaign=claim.campaign, by=organiser, claim_id=claim.pk),
                partial(exclude_person, campaign=claim.campaign, annotator=claim.annotator, by=organiser),
                partial(include_person, campaign=claim.campaign, annotator=claim.annotator, by=organiser),
                partial(deactivate, member=claim.campaign.memberships.get(user=claim.annotator), by=organiser),
                partial(withdraw, campaign=claim.campaign, user=claim.annotator),
            )[number % 2 :: 2]
            for claim in claims
        ]
        link = partial(link_campaigns, campaigns=campaigns, by=organiser, group=f"g{number}")
        at_once(*(act for several in acts for act in several), link)
        held = Slot.objects.filter(campaign__in=campaigns, state=Slot.State.HELD).count()
        assert held == Claim.objects.filter(campaign__in=campaigns, state=Claim.State.LIVE).count()


def test_handing_out_does_not_wait_crosswise_with_how_many_answers_are_wanted(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    for number in range(ROUNDS):
        campaign = make_campaign(items=1, name=f"c{number}", slots=4, settings={"slots": 4})
        people = [make_annotator(campaign, f"p{number}-{each}") for each in range(4)]
        fewer = partial(change_settings, campaign=campaign, by=organiser, changes={"slots": 1})
        at_once(fewer, *(partial(claim_next, campaign=campaign, annotator=person) for person in people))
        wanted = Campaign.objects.get(pk=campaign.pk).settings["slots"]
        assert Slot.objects.filter(campaign=campaign).count() == wanted


def meanwhile(monkeypatch: pytest.MonkeyPatch, step: str, act: Callable[[], object]) -> list[object]:
    """Do something once the step is through for the first time, and go on when it is done or plainly waits. Returns what came
    of it, and which of the two it was; see `wait_for`."""
    results: list[object] = []
    module, _, name = step.rpartition(".")
    before = getattr(import_module(module), name)
    other = Thread(target=lambda: results.extend(at_once(act)))

    def through(*args: Any, **more: Any) -> object:
        found = before(*args, **more)
        monkeypatch.setattr(step, before)
        other.start()
        other.join(timeout=1)
        results.append("waits" if other.is_alive() else "went through")
        return found

    monkeypatch.setattr(step, through)
    return results


def test_a_slot_that_is_being_handed_out_does_not_go(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_campaign(items=1, slots=3, settings={"slots": 3})
    fewer = partial(change_settings, campaign=campaign, by=organiser, changes={"slots": 2})
    for name in ("ann", "cat"):
        claim_next(campaign=campaign, annotator=make_annotator(campaign, name))
    results = meanwhile(monkeypatch, "annotation.services.claiming.first_open", fewer)
    claim = claim_next(campaign=campaign, annotator=make_annotator(campaign, "ben"))
    wait_for(results, 2)
    assert (results[0], type(results[1])) == ("waits", DomainError)
    assert Claim.objects.get(pk=claim.pk).slot.state == Slot.State.HELD


def test_an_answer_that_changes_while_an_adjudicator_decides_makes_the_decision_stale(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_campaign(items=1, settings={"conflicts": "adjudicate"})
    ann, ben = (make_annotator(campaign, name) for name in ("ann", "ben"))
    answer(campaign, ann, "preserve")
    answer(campaign, ben, "change")
    item = campaign.items.get()
    seen = sight_of(item)
    out = partial(
        change, claim_id=Claim.objects.get(annotator=ben).pk, annotator=ben, data={"label": "preserve", "confidence": 5}
    )
    results = meanwhile(monkeypatch, "annotation.services.ruling.sight_of", out)
    ruling = rule(item=item, by=organiser, label="no_sense", seen=seen)
    wait_for(results, 2)
    assert results[0] == "waits"
    assert [said for _, said in ruling.basis] == ["preserve", "change"]


def wait_for(results: list[object], count: int) -> None:
    until = monotonic() + 20
    while len(results) < count and monotonic() < until:
        sleep(0.05)


def test_a_copy_is_of_one_moment(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User) -> None:
    for number in range(ROUNDS):
        campaign = make_campaign(items=4, name=f"c{number}")
        people = [make_annotator(campaign, f"p{number}-{each}") for each in range(3)]
        copy = partial(copy_campaign, campaign=campaign, by=organiser, name=f"copy{number}", title="A copy")
        taking = [partial(claim_next, campaign=campaign, annotator=person) for person in people]
        at_once(copy, partial(change_settings, campaign=campaign, by=organiser, changes={"slots": 3}), *taking)
        made = Campaign.objects.get(name=f"copy{number}")
        slots = Counter(Slot.objects.filter(campaign=made).values_list("item", flat=True))
        assert (len(slots), set(slots.values())) == (4, {made.settings["slots"]})


def test_two_exports_at_once_give_everybody_one_number(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=8, slots=6)
    for number in range(ROUNDS):
        late = make_annotator(campaign, f"late{number}")
        answer(campaign, make_annotator(campaign, f"p{number}"), "preserve")
        found = at_once(*[partial(pseudonyms_of, campaign)] * 4, partial(answer, campaign, late, "change"))
        numbers = pseudonyms_of(campaign)
        assert sorted(numbers.values(), key=lambda name: int(name[1:])) == [f"A{each}" for each in range(1, 2 * number + 3)]
        seen = [one for one in found if isinstance(one, dict)]
        assert [one.items() <= numbers.items() for one in seen] == [True] * 4


def test_what_was_closed_is_not_paused_at_the_same_moment(make_campaign: MakeCampaign, organiser: User) -> None:
    for number in range(ROUNDS):
        name = make_campaign(items=1, name=f"c{number}").name
        one, other = Campaign.objects.get(name=name), Campaign.objects.get(name=name)
        at_once(partial(pause_campaign, campaign=one, by=organiser), partial(close_campaign, campaign=other, by=organiser))
        assert Campaign.objects.get(name=name).state == Campaign.State.CLOSED


def test_a_team_that_withdraws_and_returns_is_logged_as_it_happened(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    campaign = make_campaign(items=8)
    team = make_team(campaign=campaign, name="deepwordbug", by=organiser)
    people = [make_annotator(campaign, f"p{number}") for number in range(3)]
    for _ in range(ROUNDS):
        verbs = [partial(verb, team=team, by=organiser) for verb in (withdraw_team, return_team, withdraw_team, return_team)]
        at_once(*verbs, *(partial(claim_next, campaign=campaign, annotator=person) for person in people))
    said = list(Event.objects.filter(verb__startswith="team_").order_by("pk").values_list("verb", flat=True))
    assert said[0] == "team_withdrew"
    assert all(one != other for one, other in pairwise(said))
    team.refresh_from_db()
    assert (team.withdrawn_at is None) == (said[-1] == "team_returned")


def test_a_ruling_at_the_moment_when_answers_change_is_refused_or_stale(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    for number in range(ROUNDS):
        campaign = make_campaign(items=1, name=f"c{number}", settings={"conflicts": "adjudicate"})
        ann, ben = (make_annotator(campaign, f"{name}{number}") for name in ("ann", "ben"))
        answer(campaign, ann, "preserve")
        answer(campaign, ben, "change")
        given = Claim.objects.get(campaign=campaign, annotator=ben)
        item = campaign.items.get()
        ruled, *_ = at_once(
            partial(rule, item=item, by=organiser, label="no_sense", seen=sight_of(item)),
            partial(change, claim_id=given.pk, annotator=ben, data={"label": "preserve", "confidence": 5}),
            partial(exclude_person, campaign=campaign, annotator=ann, by=organiser),
            partial(change_settings, campaign=campaign, by=organiser, changes={"claim_minutes": 90}),
        )
        item.refresh_from_db()
        if isinstance(ruled, Ruling):
            assert (item.how, item.decision.label.key, item.decision.stale) == ("adjudicated", "no_sense", True)
        else:
            assert isinstance(ruled, DomainError)
            assert not Ruling.objects.filter(item=item).exists()


def test_one_more_person_is_asked_once_while_others_answer_late(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    for number in range(ROUNDS):
        campaign = make_campaign(items=1, name=f"tied-{number}", settings={"confidence": False})
        item = campaign.items.get()
        late = claim_next(campaign=campaign, annotator=make_annotator(campaign, f"late-{number}"))
        release(campaign=campaign, by=organiser, claim_id=late.pk)
        for name, label in (("a", "preserve"), ("b", "change"), ("c", "no_sense")):
            answer(campaign, make_annotator(campaign, f"{name}-{number}"), label, None)
        make_annotator(campaign, f"d-{number}")
        answering = partial(submit, claim_id=late.pk, annotator=late.annotator, data={"label": "change"})
        outcomes = at_once(*[partial(ask_one_more, item=item, by=organiser)] * 3, answering)
        refusals = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert all(isinstance(refusal, DomainError) for refusal in refusals), refusals
        item.refresh_from_db()
        assert (item.wanted, item.slots.exclude(state=Slot.State.CLOSED).count()) == (4, 4)
