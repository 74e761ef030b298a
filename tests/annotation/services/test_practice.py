"""Training, test, attention checks: met by everybody, counted nowhere."""

from __future__ import annotations

import pytest

from annotation.errors import DomainError, NothingToClaim, ShareDone
from annotation.models import Campaign, Claim, Decision, Event, Item, Judgement, Membership, Slot, User
from annotation.protocols.votes import votes_of
from annotation.queries.own import own_progress
from annotation.queries.practice import practice_scores
from annotation.queries.progress import Progress, progress_of
from annotation.services.answering import Submitted, submit
from annotation.services.claiming import claim_next, give_back
from annotation.services.practice import PracticeTest, set_gold
from annotation.services.revising import skip
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def known(campaign: Campaign, use: str, *numbers: int, label: str = "preserve") -> None:
    by = campaign.created_by
    assert by is not None
    for number in numbers:
        item = campaign.items.get(number=number)
        set_gold(item=item, by=by, label=campaign.labels.get(key=label), use=use, explanation="Because.")


def give(campaign: Campaign, person: User, label: str) -> tuple[Submitted, Item]:
    claim = claim_next(campaign=campaign, annotator=person)
    return submit(claim_id=claim.pk, annotator=person, data={"label": label, "confidence": "4"}), claim.item


def test_training_comes_first_then_the_test_then_work(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=6)
    known(campaign, "training", 5, 2)
    known(campaign, "test", 3, 6)
    ada = make_annotator(campaign, "ada")
    met = [give(campaign, ada, "preserve") for _ in range(6)]
    assert [item.number for _, item in met[:4]] == [2, 5, 3, 6]
    assert {item.use for _, item in met[4:]} == {"work"}
    assert [submitted.test for submitted, _ in met[:3]] == [None, None, None]
    assert met[3][0].test == PracticeTest(right=2, items=2, needed=2, passed=True, tries_left=1)
    member = Membership.objects.get(user=ada)
    assert (member.qualified_at is not None, member.tries) == (True, 1)


def test_without_a_test_whoever_is_through_with_training_may_work(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=2)
    known(campaign, "training", 1)
    ada = make_annotator(campaign, "ada")
    assert [give(campaign, ada, "change")[1].use for _ in range(2)] == ["training", "work"]
    assert Membership.objects.get(user=ada).qualified_at is not None


def test_a_failed_test_is_taken_again_until_the_tries_are_used_up(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=6, settings={"pass_mark": 0.75, "tries": 2})
    known(campaign, "test", 1, 2, 3, 4)
    ada = make_annotator(campaign, "ada")
    first = [give(campaign, ada, label)[0].test for label in ("preserve", "preserve", "change", "change")]
    assert first == [None, None, None, PracticeTest(right=2, items=4, needed=3, passed=False, tries_left=1)]
    assert practice_scores(campaign) == {}
    again = [give(campaign, ada, "change") for _ in range(4)]
    assert [item.number for _, item in again] == [1, 2, 3, 4]
    assert again[3][0].test == PracticeTest(right=0, items=4, needed=3, passed=False, tries_left=0)
    with pytest.raises(NothingToClaim, match="pass mark") as nothing:
        claim_next(campaign=campaign, annotator=ada)
    assert nothing.value.finished
    assert Judgement.objects.filter(claim__annotator=ada).count() == 8


@pytest.mark.parametrize(("items", "mark", "needed"), [(10, 0.8, 8), (3, 0.8, 3), (3, 0.0, 0), (7, 0.1, 1)])
def test_the_pass_mark_is_a_share_rounded_up(items: int, mark: float, needed: int) -> None:
    from annotation.services.practice import _needed

    assert _needed(Campaign(settings={"pass_mark": mark}), items) == needed


def test_attention_checks_come_after_every_so_many_answers_and_look_like_work(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=8, settings={"attention_every": 2})
    known(campaign, "attention", 4, 8)
    ada = make_annotator(campaign, "ada")
    seen, totals = [], []
    for _ in range(8):
        progress = own_progress(campaign, ada)
        totals.append((progress.done, progress.total))
        claim_next(campaign=campaign, annotator=ada)
        assert own_progress(campaign, ada) == progress
        seen.append(give(campaign, ada, "preserve")[1].use)
    assert seen == ["work", "work", "attention", "work", "work", "attention", "work", "work"]
    assert totals == [(done, 8) for done in range(8)]


def test_a_check_that_is_skipped_is_no_answer_and_none_follows_the_last_one_wanted(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=8, settings={"attention_every": 2, "quota": 4})
    known(campaign, "attention", 7, 8)
    ada = make_annotator(campaign, "ada")
    steps = []
    for number in range(5):
        claim = claim_next(campaign=campaign, annotator=ada)
        progress = own_progress(campaign, ada)
        steps.append((claim.use, progress.done, progress.total))
        if number == 2:
            skip(claim_id=claim.pk, annotator=ada, reason="unclear")
        else:
            submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "4"})
    assert steps == [("work", 0, 5), ("work", 1, 5), ("attention", 2, 5), ("work", 2, 4), ("work", 3, 4)]
    with pytest.raises(ShareDone):
        claim_next(campaign=campaign, annotator=ada)
    assert (own_progress(campaign, ada).done, own_progress(campaign, ada).total) == (4, 4)


def test_practice_counts_in_no_figure_quota_or_progress(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=5, settings={"attention_every": 1, "quota": 2})
    known(campaign, "training", 1, label="change")
    known(campaign, "test", 2)
    known(campaign, "attention", 3)
    ada = make_annotator(campaign, "ada")
    assert [give(campaign, ada, "preserve")[1].use for _ in range(5)] == ["training", "test", "work", "attention", "work"]
    with pytest.raises(ShareDone):
        claim_next(campaign=campaign, annotator=ada)
    assert progress_of(campaign) == Progress(items=2, complete=0, answered=2, wanted=4, being_answered=0)
    assert sum(len(item.votes) for item in votes_of(campaign)) == 2
    assert set(Decision.objects.values_list("item__use", flat=True)) == {"work"}
    (score,) = practice_scores(campaign).values()
    assert (dict(score.given), dict(score.right)) == (
        {"training": 1, "test": 1, "attention": 1},
        {"training": 0, "test": 1, "attention": 1},
    )
    assert (score.share("training"), score.share("test"), score.share("work")) == (0.0, 1.0, None)


def test_everybody_meets_the_same_training_item_in_a_slot_of_their_own(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=2)
    known(campaign, "training", 1)
    for name in ("ada", "ben", "cem", "dora"):
        give(campaign, make_annotator(campaign, name), "preserve")
    slots = Slot.objects.filter(item__use="training")
    assert sorted(slots.values_list("position", "state")) == [(n, "filled") for n in (1, 2, 3, 4)]


def test_gold_needs_its_answer_and_an_item_that_nobody_met(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, organiser: User, answer: Answer
) -> None:
    campaign, elsewhere = make_campaign(items=1), make_campaign(items=1, name="elsewhere")
    item, label = campaign.items.get(), campaign.labels.get(key="change")
    for wrong in (
        {"label": None, "use": "test"},
        {"label": elsewhere.labels.first(), "use": "test"},
        {"label": label, "use": "fun"},
    ):
        with pytest.raises(DomainError):
            set_gold(item=item, by=organiser, **wrong)
    set_gold(item=item, by=organiser, label=label, use="attention")
    assert (Slot.objects.filter(item=item).count(), Event.objects.filter(verb="gold").count()) == (0, 1)
    set_gold(item=item, by=organiser, label=None, use="work")
    item.refresh_from_db()
    assert (Slot.objects.filter(item=item, state="open").count(), item.gold, item.wanted) == (2, None, 2)
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    with pytest.raises(DomainError, match="given this item already"):
        set_gold(item=item, by=organiser, label=label, use="test")
    set_gold(item=item, by=organiser, label=label, use="work")


def test_a_variant_met_in_training_keeps_its_original_out_of_the_work(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign("suspicion", items=2)
    twin = campaign.items.get(number=2)
    Item.objects.filter(pk=twin.pk).update(original=campaign.items.get(number=1).original)
    known(campaign, "training", 1, label="3")
    ada = make_annotator(campaign, "ada")
    assert give(campaign, ada, "3")[1].use == "training"
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=ada)
    assert not Claim.objects.filter(item=twin).exists()


def test_a_practice_item_that_is_given_back_opens_for_nobody_and_keeps_nobody_waiting(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=2, slots=1)
    known(campaign, "training", 1)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    claim_next(campaign=campaign, annotator=ada)
    assert [give(campaign, ben, "preserve")[1].use for _ in range(2)] == ["training", "work"]
    with pytest.raises(NothingToClaim, match="All items are answered") as nothing:
        claim_next(campaign=campaign, annotator=ben)
    assert nothing.value.finished
    give_back(claims=Claim.objects.filter(annotator=ada))
    assert not Slot.objects.filter(state=Slot.State.OPEN).exists()
    assert claim_next(campaign=campaign, annotator=ada).item.use == "training"


def test_an_attention_check_that_somebody_holds_is_nothing_to_wait_for(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator
) -> None:
    campaign = make_campaign(items=2, settings={"attention_every": 1})
    known(campaign, "attention", 1)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    give(campaign, ada, "preserve")
    assert claim_next(campaign=campaign, annotator=ada).item.use == "attention"
    campaign.settings["attention_every"] = 0
    campaign.save()
    give(campaign, ben, "preserve")
    with pytest.raises(NothingToClaim) as nothing:
        claim_next(campaign=campaign, annotator=ben)
    assert (nothing.value.finished, nothing.value.again_at) == (True, None)
