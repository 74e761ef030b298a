"""Adjudication: a person decides having seen the answers; what they decided stands, or says that it is stale."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection, connections

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Campaign, Decision, Event, Item, Judgement, Membership, Role, Ruling, User
from annotation.protocols.votes import votes_of
from annotation.services.claiming import claim_next
from annotation.services.deciding import decide, decide_all
from annotation.services.moderating import exclude_answer, include_answer
from annotation.services.ruling import TOO_QUICK, SeenOtherwise, TooQuick, rule, sight_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

Differ = Callable[..., Item]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=2, settings={"conflicts": "adjudicate"})


@pytest.fixture
def judge(campaign: Campaign) -> User:
    user = User.objects.create_user(username="judy", password="a-long-password-1")
    Membership.objects.create(campaign=campaign, user=user, role=Role.ADJUDICATOR)
    return user


@pytest.fixture
def conflict(campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer) -> Item:
    """The item on which ada and ben differ; on the other one they agree."""
    for name, labels in (("ada", ("preserve", "preserve")), ("ben", ("change", "preserve"))):
        person = make_annotator(campaign, name)
        for label in labels:
            answer(campaign, person, label)
    return Item.objects.get(how="conflict")


def facts(item: Item) -> tuple[str, str | None, bool]:
    decision = Decision.objects.select_related("label").get(item=item)
    return decision.how, decision.label and decision.label.key, decision.stale


def test_a_conflict_opens_no_third_slot_and_waits(conflict: Item, campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    assert (facts(conflict), conflict.slots.count()) == (("conflict", None, False), 2)
    with pytest.raises(NothingToClaim):
        claim_next(campaign=campaign, annotator=make_annotator(campaign, "cem"))


def test_a_ruling_decides_and_is_kept_with_what_was_seen(conflict: Item, judge: User, campaign: Campaign) -> None:
    rule(item=conflict, by=judge, label="change", note="  a name differs ", seconds=31.0)
    ruling = Ruling.objects.get()
    answers = Judgement.objects.filter(claim__item=conflict).order_by("claim__slot__position")
    assert facts(conflict) == ("adjudicated", "change", False)
    assert (ruling.by, ruling.note, ruling.seconds) == (judge, "a name differs", 31.0)
    assert ruling.basis == [[answers[0].pk, "preserve"], [answers[1].pk, "change"]]
    event = Event.objects.get(verb="ruled")
    assert (event.actor, event.detail) == (judge, {"item": conflict.number, "label": "changes the meaning"})


def test_it_survives_every_recomputation(conflict: Item, judge: User, campaign: Campaign) -> None:
    rule(item=conflict, by=judge, label="no_sense")
    decide(item=conflict)
    assert decide_all(campaign=campaign) == 2
    assert facts(conflict) == ("adjudicated", "no_sense", False)
    other = campaign.items.exclude(pk=conflict.pk).get()
    assert facts(other) == ("agreed", "preserve", False)
    assert {entry.item_id: entry.decided_label for entry in votes_of(campaign)} == {conflict.pk: "no_sense", other.pk: "preserve"}


def test_it_turns_stale_when_the_answers_change_and_fresh_when_they_change_back(
    conflict: Item, judge: User, organiser: User
) -> None:
    rule(item=conflict, by=judge, label="change")
    answer = Judgement.objects.filter(claim__item=conflict, label__key="preserve").get()
    exclude_answer(judgement=answer, by=organiser)
    assert facts(conflict) == ("adjudicated", "change", True)
    include_answer(judgement=answer, by=organiser)
    assert facts(conflict) == ("adjudicated", "change", False)
    Judgement.objects.filter(pk=answer.pk).update(label=answer.label.campaign.labels.get(key="no_sense"))
    decide_all(campaign=conflict.campaign)
    assert facts(conflict) == ("adjudicated", "change", True)


def test_a_new_ruling_supersedes_and_is_fresh(conflict: Item, judge: User, organiser: User) -> None:
    rule(item=conflict, by=judge, label="change")
    exclude_answer(judgement=Judgement.objects.filter(claim__item=conflict).earliest("pk"), by=organiser)
    rule(item=conflict, by=organiser, label="preserve")
    assert facts(conflict) == ("adjudicated", "preserve", False)
    assert list(Ruling.objects.order_by("pk").values_list("label__key", "superseded")) == [("change", True), ("preserve", False)]


def test_of_two_who_rule_at_once_the_second_is_told(conflict: Item, judge: User, organiser: User) -> None:
    seen = sight_of(conflict)
    rule(item=conflict, by=judge, label="change", seen=seen)
    with pytest.raises(SeenOtherwise, match="somebody else has decided"):
        rule(item=conflict, by=organiser, label="preserve", seen=seen)
    assert (facts(conflict), Ruling.objects.count()) == (("adjudicated", "change", False), 1)
    rule(item=conflict, by=organiser, label="preserve", seen=sight_of(conflict))
    assert facts(conflict) == ("adjudicated", "preserve", False)


def test_a_changed_answer_is_told_too(conflict: Item, judge: User, organiser: User) -> None:
    seen = sight_of(conflict)
    exclude_answer(judgement=Judgement.objects.filter(claim__item=conflict).earliest("pk"), by=organiser)
    with pytest.raises(DomainError):
        rule(item=conflict, by=judge, label="change", seen=seen)
    assert Ruling.objects.count() == 0


def test_too_quick_is_refused_once(conflict: Item, judge: User) -> None:
    with pytest.raises(TooQuick, match="after 1 s"):
        rule(item=conflict, by=judge, label="change", seconds=TOO_QUICK - 3)
    assert Ruling.objects.count() == 0
    rule(item=conflict, by=judge, label="change", seconds=TOO_QUICK - 3, sure=True)
    assert facts(conflict)[1] == "change"


@pytest.mark.parametrize("label", ["", "huh", "0"])
def test_other_answers_do_not_exist(label: str, conflict: Item, judge: User) -> None:
    with pytest.raises(DomainError):
        rule(item=conflict, by=judge, label=label)
    assert Ruling.objects.count() == 0


def test_an_agreed_item_is_no_conflict(conflict: Item, judge: User, campaign: Campaign) -> None:
    with pytest.raises(DomainError, match="no conflict"):
        rule(item=campaign.items.exclude(pk=conflict.pk).get(), by=judge, label="change")


def test_whoever_answered_rules_on_nothing(conflict: Item) -> None:
    ada = User.objects.get(username="ada")
    Membership.objects.filter(user=ada).update(role=Role.ADJUDICATOR)
    with pytest.raises(DomainError, match="have answered items"):
        rule(item=conflict, by=ada, label="change")


def test_where_a_third_person_decides_nobody_rules(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    campaign = make_campaign(items=1)
    for name, label in (("ada", "preserve"), ("ben", "change")):
        answer(campaign, make_annotator(campaign, name), label)
    with pytest.raises(DomainError, match="not an adjudicator"):
        rule(item=campaign.items.get(), by=organiser, label="change")


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_at_the_same_moment_one_ruling_is_current(conflict: Item, judge: User, organiser: User) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("writers at the same moment are for PostgreSQL: run with DATABASE_URL set to one")
    seen = sight_of(conflict)
    told: list[str] = []
    ready = threading.Barrier(2)

    def decide_it(by: User, label: str) -> None:
        ready.wait()
        try:
            rule(item=conflict, by=by, label=label, seen=seen)
        except SeenOtherwise:
            told.append(by.username)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=decide_it, args=pair) for pair in ((judge, "change"), (organiser, "preserve"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ruling = Ruling.objects.get()
    assert told == [{"judy": "olga", "olga": "judy"}[ruling.by.username]]
    assert facts(conflict) == ("adjudicated", ruling.label.key, False)
