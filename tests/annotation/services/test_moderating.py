from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Campaign, Claim, Decision, Event, Flag, Item, Judgement, User
from annotation.services.activity import in_words
from annotation.services.answering import submit
from annotation.services.claiming import claim_next
from annotation.services.moderating import (
    exclude_answer,
    exclude_person,
    include_answer,
    include_person,
    release,
    resolve_flag,
)
from annotation.services.practice import set_gold
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

Pair = tuple[User, User]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=2)


@pytest.fixture
def pair(campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer) -> Pair:
    """Ada and ben, who answered both items alike."""
    people = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    for person in people:
        for _ in range(2):
            answer(campaign, person, "preserve")
    return people


def log(campaign: Campaign) -> list[tuple[str, dict[str, object]]]:
    events = campaign.events.exclude(verb__in=["created", "opened"]).order_by("pk")
    return list(events.values_list("verb", "detail"))


def states(campaign: Campaign) -> list[str]:
    return sorted(campaign.slots.values_list("state", flat=True))


def test_one_claim_is_given_back_now(campaign: Campaign, make_annotator: MakeAnnotator, organiser: User) -> None:
    held = [claim_next(campaign=campaign, annotator=make_annotator(campaign, name)) for name in ("ada", "ben")]
    assert release(campaign=campaign, by=organiser, claim_id=held[0].pk) == 1
    assert list(Claim.objects.order_by("pk").values_list("state", flat=True)) == ["released", "live"]
    assert (states(campaign), log(campaign)) == (["held", "open", "open", "open"], [("released", {"claims": 1})])
    assert release(campaign=campaign, by=organiser, claim_id=held[0].pk) == 0
    assert len(log(campaign)) == 1


def test_all_that_ran_out_are_given_back_and_no_other(campaign: Campaign, make_annotator: MakeAnnotator, organiser: User) -> None:
    held = [claim_next(campaign=campaign, annotator=make_annotator(campaign, name)) for name in ("ada", "ben")]
    Claim.objects.filter(pk=held[1].pk).update(expires_at=timezone.now())
    assert release(campaign=campaign, by=organiser) == 1
    assert list(Claim.objects.order_by("pk").values_list("state", flat=True)) == ["live", "released"]


def test_a_claim_of_another_campaign_is_not_released(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User
) -> None:
    here, there = make_campaign(name="here"), make_campaign(name="there")
    claim = claim_next(campaign=there, annotator=make_annotator(there, "ada"))
    assert release(campaign=here, by=organiser, claim_id=claim.pk) == 0
    claim.refresh_from_db()
    assert claim.state == "live"


def test_an_answer_to_a_released_claim_is_kept(campaign: Campaign, make_annotator: MakeAnnotator, organiser: User) -> None:
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    release(campaign=campaign, by=organiser, claim_id=claim.pk)
    given = submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "4"})
    assert (given.judgement.uncounted, campaign.slots.filter(state="filled").count()) == ("", 1)


def test_an_excluded_answer_opens_its_place_and_the_item_is_decided_anew(
    campaign: Campaign, pair: Pair, make_annotator: MakeAnnotator, organiser: User
) -> None:
    judgement = Judgement.objects.filter(claim__annotator=pair[0]).earliest("pk")
    item = judgement.claim.item
    exclude_answer(judgement=judgement, by=organiser)
    judgement.refresh_from_db()
    item.refresh_from_db()
    decision = Decision.objects.get(item=item)
    assert (judgement.uncounted, decision.how, decision.n_judgements) == ("excluded", "open", 1)
    assert (item.complete, item.answered, item.wanted, item.how, item.decided) == (False, 1, 2, "open", None)
    assert states(campaign) == ["filled", "filled", "filled", "open"]
    assert log(campaign) == [("excluded", {"answers": 1, "person": "ada"})]
    exclude_answer(judgement=judgement, by=organiser)
    assert len(log(campaign)) == 1
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=pair[0])
    assert claim_next(campaign=campaign, annotator=make_annotator(campaign, "cem")).item == item


def test_it_counts_again_as_long_as_its_place_is_free(
    campaign: Campaign, pair: Pair, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    judgement = Judgement.objects.filter(claim__annotator=pair[0]).earliest("pk")
    exclude_answer(judgement=judgement, by=organiser)
    include_answer(judgement=judgement, by=organiser)
    judgement.refresh_from_db()
    assert (judgement.uncounted, states(campaign)) == ("", ["filled"] * 4)
    assert list(campaign.slots.values_list("extra", flat=True)) == [False] * 4  # nobody stood in for it
    assert Decision.objects.get(item=judgement.claim.item).how == "agreed"
    exclude_answer(judgement=judgement, by=organiser)
    answer(campaign, make_annotator(campaign, "cem"), "change")
    with pytest.raises(DomainError, match="in its place"):
        include_answer(judgement=judgement, by=organiser)
    judgement.refresh_from_db()
    assert judgement.uncounted == "excluded"
    assert [verb for verb, _ in log(campaign)] == ["excluded", "included", "excluded"]


def test_an_answer_that_came_late_does_not_start_to_count(
    campaign: Campaign, pair: Pair, organiser: User, make_annotator: MakeAnnotator
) -> None:
    judgement = Judgement.objects.filter(claim__annotator=pair[0]).earliest("pk")
    Judgement.objects.filter(pk=judgement.pk).update(uncounted="closed")
    campaign.slots.filter(pk=judgement.claim.slot_id).update(state="open")
    with pytest.raises(DomainError):
        include_answer(judgement=judgement, by=organiser)


def test_a_person_is_taken_out_and_in_again(
    campaign: Campaign, pair: Pair, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    ada, _ = pair
    assert exclude_person(campaign=campaign, annotator=ada, by=organiser) == 2
    assert sorted(Judgement.objects.values_list("claim__annotator__username", "uncounted")) == [
        ("ada", "excluded"), ("ada", "excluded"), ("ben", ""), ("ben", "")
    ]  # fmt: skip
    assert set(Decision.objects.values_list("how", "n_judgements")) == {("open", 1)}
    answer(campaign, make_annotator(campaign, "cem"), "preserve")
    assert include_person(campaign=campaign, annotator=ada, by=organiser) == (1, 1)
    assert sorted(Judgement.objects.filter(claim__annotator=ada).values_list("uncounted", flat=True)) == ["", "excluded"]
    assert set(Decision.objects.values_list("how", "n_judgements")) == {("agreed", 2)}
    assert log(campaign) == [
        ("excluded", {"answers": 2, "person": "ada"}),
        ("included", {"answers": 1, "person": "ada"}),
    ]


def test_nobody_else_and_no_other_campaign_is_touched(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    here, there = make_campaign(name="here", items=1), make_campaign(name="there", items=1)
    ada = make_annotator(here, "ada")
    there.memberships.create(user=ada, role="annotator")
    answer(here, ada, "preserve")
    answer(there, ada, "preserve")
    exclude_person(campaign=here, annotator=ada, by=organiser)
    assert sorted(Judgement.objects.values_list("claim__campaign__name", "uncounted")) == [("here", "excluded"), ("there", "")]


@pytest.mark.parametrize("use", ["training", "test"])
def test_answers_of_practice_are_left_alone(
    campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User, use: str
) -> None:
    known = campaign.items.get(number=2)
    set_gold(item=known, by=organiser, label=campaign.labels.get(key="preserve"), use=use)
    ada = make_annotator(campaign, "ada")
    practice, work = (answer(campaign, ada, "preserve").judgement for _ in range(2))
    assert (practice.claim.item, work.claim.item.use) == (known, "work")
    before = sorted(known.slots.values_list("pk", "state"))
    assert exclude_person(campaign=campaign, annotator=ada, by=organiser) == 1
    exclude_answer(judgement=practice, by=organiser)
    assert sorted(Judgement.objects.values_list("claim__item__use", "claim__state", "uncounted")) == [
        (use, "answered", practice.uncounted), ("work", "late", "excluded")
    ]  # fmt: skip
    assert include_person(campaign=campaign, annotator=ada, by=organiser) == (1, 0)
    assert sorted(known.slots.values_list("pk", "state")) == before
    assert not Decision.objects.filter(item=known).exists()


def test_an_answer_taken_out_before_its_item_became_practice_stays_out(campaign: Campaign, pair: Pair, organiser: User) -> None:
    judgement = Judgement.objects.filter(claim__annotator=pair[0]).earliest("pk")
    exclude_answer(judgement=judgement, by=organiser)
    Item.objects.filter(pk=judgement.claim.item_id).update(use="training", gold=campaign.labels.get(key="preserve"))
    assert include_person(campaign=campaign, annotator=pair[0], by=organiser) == (0, 0)
    with pytest.raises(DomainError, match="cannot count"):
        include_answer(judgement=judgement, by=organiser)


def test_a_flag_is_resolved_once(campaign: Campaign, organiser: User, make_annotator: MakeAnnotator) -> None:
    item = campaign.items.earliest("number")
    flag = Flag.objects.create(item=item, user=make_annotator(campaign, "ada"), text="The text ends in the middle.")
    resolve_flag(flag=flag, by=organiser)
    flag.refresh_from_db()
    first = flag.resolved_at
    resolve_flag(flag=flag, by=organiser)
    flag.refresh_from_db()
    assert (flag.resolved_by, flag.resolved_at) == (organiser, first)
    assert log(campaign) == [("resolved", {"item": item.number})]


def test_every_verb_here_is_in_words(campaign: Campaign, organiser: User, pair: Pair) -> None:
    exclude_person(campaign=campaign, annotator=pair[0], by=organiser)
    assert in_words(Event.objects.get(verb="excluded")) == "took 2 answers of ada out"


@pytest.fixture
def third_again(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> Callable[[str, str, str], Campaign]:
    """Three answers to one item, of which the third and the first are taken out, and the third counts again."""

    def make(*keys: str) -> Campaign:
        campaign = make_campaign(items=1, name="third")
        people = [make_annotator(campaign, name) for name in ("ada", "ben", "cem")]
        first, _, third = [answer(campaign, person, key).judgement for person, key in zip(people, keys, strict=True)]
        exclude_answer(judgement=third, by=organiser)
        exclude_answer(judgement=first, by=organiser)
        include_answer(judgement=third, by=organiser)
        return campaign

    return make


def slots_of(campaign: Campaign) -> list[tuple[int, str, bool]]:
    return list(campaign.slots.order_by("position").values_list("position", "state", "extra"))


def test_a_third_answer_that_counts_again_stands_in_for_a_first_one_and_asks_for_no_slot_too_many(
    third_again: Callable[..., Campaign], make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = third_again("preserve", "change", "preserve")
    assert slots_of(campaign) == [(1, "open", True), (2, "filled", False), (3, "filled", False)]
    assert campaign.items.get().wanted == 3
    answer(campaign, make_annotator(campaign, "dan"), "preserve")
    item = campaign.items.get()
    assert (item.how, item.complete, item.wanted, campaign.slots.filter(state="open").count()) == ("majority", True, 3, 0)


def test_a_third_answer_that_counts_again_and_agrees_leaves_no_slot_open(
    third_again: Callable[..., Campaign], make_annotator: MakeAnnotator
) -> None:
    campaign = third_again("no_sense", "preserve", "preserve")
    item = campaign.items.get()
    assert (item.how, item.wanted, item.complete) == ("agreed", 2, True)
    assert slots_of(campaign) == [(1, "closed", True), (2, "filled", False), (3, "filled", False)]
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=make_annotator(campaign, "dan"))
