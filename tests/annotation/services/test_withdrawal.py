"""Withdrawing leaves what the consented sheet promised, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import time, timedelta

import pytest
import time_machine
from django.apps import apps
from django.core import serializers
from django.db.models import DateTimeField, Model
from django.utils import timezone

from annotation.errors import DomainError, NothingToClaim, NotYours
from annotation.models import (
    Campaign,
    Claim,
    Consent,
    CrowdVisit,
    Decision,
    EarlierAnswer,
    Event,
    Flag,
    Item,
    Judgement,
    Membership,
    Pseudonym,
    Role,
    Ruling,
    Slot,
    Team,
    User,
)
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.activity import in_words, log
from annotation.services.answering import save_draft, submit
from annotation.services.claiming import claim_next
from annotation.services.deciding import decide_all
from annotation.services.moderating import exclude_person, include_person
from annotation.services.people import admit, consent
from annotation.services.revising import change
from annotation.services.sheets import publish_sheet
from annotation.services.withdrawal import promised, withdraw
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

SECRET = "I live behind the lighthouse"
ERASE, PSEUDONYMISE = "erase", "pseudonymise"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3, settings={"comment": True})


@pytest.fixture
def ada(campaign: Campaign) -> User:
    """Joined, agreed, and wrote something in every place in which one can."""
    user = User.objects.create_user(username="ada-the-diver", password="a-long-password-1")
    admit(campaign=campaign, user=user)
    consent(sheet=campaign.sheets.get(), user=user)
    return user


def leave_traces(campaign: Campaign, ada: User, organiser: User) -> None:
    """Two answers (one changed later), a draft, a flag, a platform's id, lines in the log."""
    for _ in range(2):
        claim = claim_next(campaign=campaign, annotator=ada)
        data = {"label": "preserve", "confidence": 4, "comment": SECRET}
        judgement = submit(claim_id=claim.pk, annotator=ada, data=data).judgement
    label = campaign.labels.get(key="change")
    EarlierAnswer.objects.create(judgement=judgement, number=1, label=label, comment=SECRET, submitted_at=timezone.now())
    held = claim_next(campaign=campaign, annotator=ada)
    save_draft(claim_id=held.pk, annotator=ada, data={"label": "no_sense", "comment": SECRET})
    Flag.objects.create(item=held.item, user=ada, text=SECRET)
    CrowdVisit.objects.create(campaign=campaign, user=ada, participant="5f-platform-id", session="s-1")
    Pseudonym.objects.create(campaign=campaign, user=ada, number=7)
    log(campaign=campaign, by=organiser, verb="quota", person=ada.username, quota=5)


def everything() -> str:
    """All rows of the product's tables as text."""
    tables = apps.get_app_config("annotation").get_models()
    return serializers.serialize("json", [row for model in tables for row in model.objects.all()])


def tables_that_name(user: User) -> set[type]:
    """Every table that has a row with a reference to the person."""
    return {
        model
        for model in apps.get_app_config("annotation").get_models()
        for field in model._meta.get_fields()
        if field.concrete and field.related_model is User and model.objects.filter(**{field.name: user}).exists()
    }


def test_erasing_leaves_a_bare_count(campaign: Campaign, ada: User, organiser: User) -> None:
    leave_traces(campaign, ada, organiser)
    withdraw(campaign=campaign, user=ada)
    left = {model.__name__: model.objects.count() for model in (Judgement, EarlierAnswer, Claim, Flag, CrowdVisit)}
    assert left == {"Judgement": 0, "EarlierAnswer": 0, "Claim": 0, "Flag": 0, "CrowdVisit": 0}
    member = campaign.memberships.get(user=ada)
    assert (member.state, member.erased_judgements) == (Membership.State.WITHDRAWN, 2)
    assert Consent.objects.get(user=ada).withdrawn_at is not None
    assert SECRET not in everything()
    assert tables_that_name(ada) == {Membership, Consent}


def test_pseudonymising_keeps_answers_that_lead_to_nobody(campaign: Campaign, ada: User, organiser: User) -> None:
    publish_sheet(campaign=campaign, on_withdrawal=PSEUDONYMISE)
    consent(sheet=campaign.sheets.first(), user=ada)
    leave_traces(campaign, ada, organiser)
    answers = list(Judgement.objects.order_by("pk").values_list("pk", "label__key", "confidence"))
    withdraw(campaign=campaign, user=ada)
    assert list(Judgement.objects.order_by("pk").values_list("pk", "label__key", "confidence")) == answers
    (nobody,) = {claim.annotator for claim in Claim.objects.select_related("annotator")}
    assert (nobody.kind, nobody.is_active, nobody.has_usable_password()) == (User.Kind.PSEUDONYM, False, False)
    assert Pseudonym.objects.get(number=7).user == nobody
    member = campaign.memberships.get(user=ada)
    assert (member.state, member.erased_judgements, member.team, member.group) == ("withdrawn", 0, None, None)
    assert (Flag.objects.count(), CrowdVisit.objects.count()) == (0, 0)
    assert SECRET not in everything()
    assert tables_that_name(ada) == {Membership, Consent}


def test_the_pseudonym_is_not_given_away_by_its_date(campaign: Campaign, ada: User, answer: Answer) -> None:
    publish_sheet(campaign=campaign, on_withdrawal=PSEUDONYMISE)
    consent(sheet=campaign.sheets.first(), user=ada)
    answer(campaign, ada, "preserve")
    with time_machine.travel(timezone.now() + timedelta(days=3), tick=False):
        withdraw(campaign=campaign, user=ada)
        assert User.objects.get(kind=User.Kind.PSEUDONYM).date_joined == campaign.created_at


def times_of(row: Model) -> set[time]:
    """Of every time in the row, what it says beside the day."""
    found = [getattr(row, field.attname) for field in row._meta.concrete_fields if isinstance(field, DateTimeField)]
    return {moment.time() for moment in found if moment is not None}


def test_of_times_only_the_days_stay(campaign: Campaign, ada: User, organiser: User) -> None:
    publish_sheet(campaign=campaign, on_withdrawal=PSEUDONYMISE)
    consent(sheet=campaign.sheets.first(), user=ada)
    User.objects.filter(pk=ada.pk).update(last_login=timezone.now())
    leave_traces(campaign, ada, organiser)
    days = list(Judgement.objects.order_by("pk").values_list("submitted_at__date", "claim__claimed_at__date"))
    withdraw(campaign=campaign, user=ada)
    assert list(Judgement.objects.order_by("pk").values_list("submitted_at__date", "claim__claimed_at__date")) == days
    own = [campaign.memberships.get(user=ada), *Consent.objects.filter(user=ada), User.objects.get(pk=ada.pk)]
    rows = [*own, *Claim.objects.all(), *Judgement.objects.all(), *EarlierAnswer.objects.all()]
    assert {type(row).__name__: times_of(row) for row in rows} == {
        name: {time(0)} for name in ("Membership", "Consent", "User", "Claim", "Judgement", "EarlierAnswer")
    }


def test_pseudonyms_keys_do_not_stand_in_the_order_of_withdrawals(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    people = [make_annotator(campaign, f"person-{number}") for number in range(8)]
    for person in people:
        withdraw(campaign=campaign, user=person)
    names = list(User.objects.filter(kind=User.Kind.PSEUDONYM).values_list("pk", flat=True))
    assert (len(names), max(names) < 0) == (8, True)
    # Drawn, not counted: eight in a row, or side by side, come about by chance less than once in 10^14 runs.
    assert max(names) - min(names) > 10**12
    assert User.objects.create(username="next").pk == people[-1].pk + 1


def test_the_log_does_not_tell_how_many_answers_stay(campaign: Campaign, ada: User, answer: Answer) -> None:
    publish_sheet(campaign=campaign, on_withdrawal=PSEUDONYMISE)
    consent(sheet=campaign.sheets.first(), user=ada)
    answer(campaign, ada, "preserve")
    withdraw(campaign=campaign, user=ada)
    event = Event.objects.get(campaign=campaign, verb="withdrew")
    assert in_words(event) == "somebody withdrew; their answers stay without any link to the person"


@pytest.mark.parametrize("outcome", [ERASE, PSEUDONYMISE])
def test_the_log_names_them_nowhere(campaign: Campaign, ada: User, organiser: User, outcome: str) -> None:
    publish_sheet(campaign=campaign, on_withdrawal=outcome)
    consent(sheet=campaign.sheets.first(), user=ada)
    leave_traces(campaign, ada, organiser)
    withdraw(campaign=campaign, user=ada)
    events = Event.objects.filter(campaign=campaign)
    assert not events.filter(actor=ada).exists()
    assert "ada-the-diver" not in " ".join(in_words(event) for event in events) + json.dumps([e.detail for e in events])
    assert in_words(events.get(verb="quota")) == "set the quota of somebody who withdrew to 5"
    assert events.get(verb="withdrew").actor is None


def test_what_others_said_stands_and_the_slot_is_open_again(
    campaign: Campaign, ada: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    ben = make_annotator(campaign, "ben")
    for _ in range(3):
        answer(campaign, ada, "preserve")
        answer(campaign, ben, "preserve")
    assert set(Decision.objects.values_list("how", flat=True)) == {"agreed"}
    withdraw(campaign=campaign, user=ada)
    assert list(Decision.objects.values_list("how", "n_judgements", "label").distinct()) == [("open", 1, None)]
    assert Judgement.objects.filter(claim__annotator=ben).count() == 3
    assert Slot.objects.filter(state=Slot.State.OPEN).count() == 3
    cem = make_annotator(campaign, "cem")
    assert answer(campaign, cem, "preserve").judgement.uncounted == ""


def test_a_further_judgement_that_only_their_answer_made_necessary_is_not_wanted_any_more(
    campaign: Campaign, ada: User, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    ben = make_annotator(campaign, "ben")
    for _ in range(3):
        answer(campaign, ada, "preserve")
        answer(campaign, ben, "change")
    assert Slot.objects.filter(extra=True).count() == 3
    withdraw(campaign=campaign, user=ada)
    assert set(Slot.objects.filter(extra=True).values_list("state", flat=True)) == {"closed"}


def test_a_ruling_that_rested_on_their_answer_turns_stale(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, organiser: User
) -> None:
    from annotation.services.ruling import rule

    campaign = make_campaign(items=1, settings={"conflicts": "adjudicate"})
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    given = answer(campaign, ada, "no_sense").judgement
    answer(campaign, ben, "change")
    item = campaign.items.get()
    rule(item=item, by=organiser, label="change", sure=True)
    assert Decision.objects.get(item=item).stale is False
    withdraw(campaign=campaign, user=ada)
    decision = Decision.objects.get(item=item)
    assert (decision.label.key if decision.label else None, decision.stale) == ("change", True)
    assert [given.pk, ""] in Ruling.objects.get().basis
    assert "no_sense" not in json.dumps(Ruling.objects.get().basis)


def test_the_sheet_that_they_agreed_to_decides(campaign: Campaign, ada: User, answer: Answer) -> None:
    answer(campaign, ada, "preserve")
    publish_sheet(campaign=campaign, on_withdrawal=PSEUDONYMISE)
    assert promised(campaign=campaign, user=ada) == ERASE
    withdraw(campaign=campaign, user=ada)
    assert (Judgement.objects.count(), User.objects.filter(kind=User.Kind.PSEUDONYM, claims__isnull=False).count()) == (0, 0)


def test_agreeing_to_a_newer_sheet_changes_the_promise(campaign: Campaign, ada: User) -> None:
    consent(sheet=publish_sheet(campaign=campaign, on_withdrawal=PSEUDONYMISE), user=ada)
    assert promised(campaign=campaign, user=ada) == PSEUDONYMISE


def test_an_answer_on_its_way_is_not_stored_any_more(campaign: Campaign, ada: User) -> None:
    held = claim_next(campaign=campaign, annotator=ada)
    withdraw(campaign=campaign, user=ada)
    with pytest.raises(NotYours):
        submit(claim_id=held.pk, annotator=ada, data={"label": "preserve", "confidence": 4})
    with pytest.raises(DomainError):
        claim_next(campaign=campaign, annotator=ada)
    assert (Judgement.objects.count(), Slot.objects.filter(state=Slot.State.HELD).count()) == (0, 0)


def test_withdrawing_twice_is_once_and_other_campaigns_stay(
    campaign: Campaign, ada: User, make_campaign: MakeCampaign, answer: Answer
) -> None:
    other = make_campaign(name="other")
    admit(campaign=other, user=ada)
    for place in (campaign, other):
        answer(place, ada, "preserve")
    assert withdraw(campaign=campaign, user=ada).erased_judgements == 1
    assert withdraw(campaign=campaign, user=ada).erased_judgements == 1
    assert Event.objects.filter(verb="withdrew").count() == 1
    assert [judgement.claim.item.campaign for judgement in Judgement.objects.all()] == [other]
    assert other.memberships.get(user=ada).state == Membership.State.ACTIVE
    assert User.objects.get(pk=ada.pk).is_active


def test_a_crowd_account_is_closed_with_its_ids(campaign: Campaign, ada: User) -> None:
    CrowdVisit.objects.create(campaign=campaign, user=ada, participant="p")
    withdraw(campaign=campaign, user=ada)
    assert User.objects.get(pk=ada.pk).is_active is False


def test_only_annotators_withdraw(campaign: Campaign, organiser: User) -> None:
    for role in (Role.ORGANISER, Role.ADJUDICATOR):
        campaign.memberships.filter(user=organiser).update(role=role)
        with pytest.raises(DomainError, match="Only annotators"):
            withdraw(campaign=campaign, user=organiser)
    with pytest.raises(DomainError, match="Only annotators"):
        withdraw(campaign=campaign, user=User.objects.create_user(username="stranger"))


@pytest.fixture
def settled(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> Campaign:
    """Two items on which ada and ben differ, and a third says of one what ada says, of the other what ben says."""
    campaign = make_campaign(items=2, name="settled")
    for name, labels in (("anna", ("preserve", "preserve")), ("ben", ("change", "change")), ("cem", ("preserve", "change"))):
        person = make_annotator(campaign, name)
        for label in labels:
            answer(campaign, person, label)
    return campaign


def described(campaign: Campaign) -> list[tuple[object, ...]]:
    items = campaign.items.order_by("slots__rank").distinct()
    facts = ("how", "decided__key", "wanted", "answered", "complete", "disagreed", "agreement")
    return [tuple(row[:-1]) for row in items.values_list(*facts, "slots__rank")]


def leave(campaign: Campaign, name: str) -> None:
    withdraw(campaign=campaign, user=User.objects.get(username=name))


def take_out(campaign: Campaign, name: str) -> None:
    exclude_person(campaign=campaign, annotator=User.objects.get(username=name), by=campaign.created_by)


@pytest.mark.parametrize("go", [leave, take_out])
def test_the_third_answer_stands_in_for_one_that_went(
    settled: Campaign, make_annotator: MakeAnnotator, answer: Answer, go: Callable[[Campaign, str], None]
) -> None:
    go(settled, "ben")
    agreed, differing = ("agreed", "preserve", 2, 2, True, False, None), ("open", None, 3, 2, False, True, None)
    assert described(settled) == [agreed, differing]
    # In no figure of agreement: only items on which people differed have such an answer.
    figures = {figure.key: figure for figure in protocol_of(settled).analyse(settled, votes_of(settled)).figures}
    for key in ("kappa", "raw_agreement", "ac1"):
        assert (figures[key].estimate.value, figures[key].estimate.n) == (None, 0)
    decide_all(campaign=settled)
    assert described(settled) == [agreed, differing]
    dan = make_annotator(settled, "dan")
    assert answer(settled, dan, "change").judgement.claim.item.how == "majority"
    with pytest.raises(NothingToClaim):
        claim_next(campaign=settled, annotator=dan)


@pytest.mark.parametrize("go", [leave, take_out])
def test_where_the_further_answer_stands_in_and_differs_a_third_person_decides(
    settled: Campaign, make_annotator: MakeAnnotator, answer: Answer, go: Callable[[Campaign, str], None]
) -> None:
    """The slot that is open again is the third person's, as every slot that is wanted because two answers differ."""
    hosts = Team.objects.create(campaign=settled, name="hosts")
    settled.settings["third_from"] = "hosts"
    settled.save()
    go(settled, "ben")
    differing = settled.items.get(how="open")
    places = differing.slots.order_by("position").values_list("position", "state", "extra")
    assert list(places) == [(1, "filled", False), (2, "open", True), (3, "filled", False)]
    guest, host = make_annotator(settled, "dan"), make_annotator(settled, "eva")
    settled.memberships.filter(user=host).update(team=hosts)
    with pytest.raises(NothingToClaim):
        claim_next(campaign=settled, annotator=guest)
    assert answer(settled, host, "change").judgement.claim.item.how == "majority"
    assert [len(item.first_answers(2)) for item in votes_of(settled)] == [1, 1]


def test_a_slot_that_was_closed_opens_again_for_the_next_conflict(settled: Campaign, make_annotator: MakeAnnotator) -> None:
    leave(settled, "ben")
    agreed = settled.items.get(how="agreed")
    claim = Claim.objects.get(item=agreed, annotator__username="cem")
    change(claim_id=claim.pk, annotator=claim.annotator, data={"label": "change", "confidence": "4"})
    places = agreed.slots.order_by("position").values_list("position", "state", "extra")
    assert list(places) == [(1, "filled", False), (2, "open", True), (3, "filled", False)]
    assert Item.objects.get(pk=agreed.pk).wanted == 3


@pytest.mark.parametrize("name", ["anna", "ben"])
def test_an_answer_that_was_taken_out_counts_again_in_a_closed_slot(settled: Campaign, organiser: User, name: str) -> None:
    """Whichever of the first two it was, the third answer is the further one again."""
    slots = settled.slots.order_by("item", "position").values_list("position", "state", "extra")
    before = described(settled), list(slots)
    take_out(settled, name)
    person = User.objects.get(username=name)
    assert include_person(campaign=settled, annotator=person, by=organiser) == (2, 0)
    assert (described(settled), list(slots)) == before
