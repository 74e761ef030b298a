"""What the database refuses, whatever the code above it does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from annotation.models import Campaign, Claim, Decision, Item, Judgement, Label, Original, Slot, User
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign, variant


def claim_of(slot: Slot, annotator: User, **fields: object) -> Claim:
    values: dict[str, object] = {
        "slot": slot,
        "item": slot.item,
        "campaign": slot.campaign,
        "original": slot.item.original,
        "annotator": annotator,
        "expires_at": timezone.now() + timedelta(hours=1),
        **fields,
    }
    return Claim.objects.create(**values)


def refused(write: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write()


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=2)


def test_one_standing_claim_per_slot(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    slot = Slot.objects.filter(item__campaign=campaign)[0]
    claim_of(slot, make_annotator(campaign, "ada"))
    ben = make_annotator(campaign, "ben")
    refused(lambda: claim_of(slot, ben))
    assert claim_of(slot, ben, state=Claim.State.EXPIRED).pk


def test_one_standing_claim_per_item_and_annotator(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    first, second = Slot.objects.filter(item=campaign.items.first())
    ada = make_annotator(campaign, "ada")
    claim_of(first, ada)
    refused(lambda: claim_of(second, ada))


def test_one_variant_of_an_original_per_annotator_in_a_group(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    original = Original.objects.create(task="t", key="shared")
    items = [
        Item.objects.create(campaign=campaign, original=original, first=variant(original, kind, kind), number=number)
        for number, kind in ((90, "a"), (91, "b"))
    ]
    slots = [Slot.objects.create(item=item, campaign=campaign, position=1, rank=0.5) for item in items]
    ada = make_annotator(campaign, "ada")
    claim_of(slots[0], ada, exclusion="spring")
    refused(lambda: claim_of(slots[1], ada, exclusion="spring"))
    assert claim_of(slots[1], ada, exclusion="autumn").pk


def test_one_judgement_per_claim_and_confidence_in_range(campaign: Campaign, make_annotator: MakeAnnotator) -> None:
    slot = Slot.objects.filter(item__campaign=campaign)[0]
    claim = claim_of(slot, make_annotator(campaign, "ada"))
    label = Label.objects.filter(campaign=campaign)[0]
    for confidence in (0, 6):
        refused(lambda value=confidence: Judgement.objects.create(claim=claim, label=label, confidence=value))
    refused(lambda: Judgement.objects.create(claim=claim, label=label, uncounted="bored"))
    Judgement.objects.create(claim=claim, label=label, confidence=5)
    refused(lambda: Judgement.objects.create(claim=claim, label=label, confidence=5))


def test_one_decision_per_item(campaign: Campaign) -> None:
    item = campaign.items.first()
    Decision.objects.create(item=item, how="open", n_judgements=0)
    refused(lambda: Decision.objects.create(item=item, how="open", n_judgements=0))


def test_people_who_answered_cannot_be_deleted(campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    ada = make_annotator(campaign, "ada")
    answer(campaign, ada, "preserve")
    with pytest.raises(ProtectedError):
        ada.delete()
    assert Judgement.objects.count() == 1


def test_only_people_organise(db: None) -> None:
    refused(lambda: User.objects.create(username="bot", kind=User.Kind.SIMULATED, is_organiser=True))
