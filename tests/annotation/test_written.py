"""Rows written by remembered statements are the rows that `Model.save()` writes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.forms.models import model_to_dict

from annotation.models import Claim, Decision, Item, Judgement, Slot
from annotation.services.claiming import claim_next
from annotation.written import insert, update
from tests.annotation.conftest import MakeAnnotator, MakeCampaign

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def claim(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> Claim:
    campaign = make_campaign(items=2)
    return claim_next(campaign=campaign, annotator=make_annotator(campaign, "ann"))


def judgement(claim: Claim, **said: Any) -> Judgement:
    return Judgement(claim=claim, seconds=1.5, **{"label": claim.campaign.labels.all()[0], "comment": "naïve % text", **said})


@pytest.mark.parametrize("words", [None, [0, 3, 7]])
def test_a_new_row_is_the_one_that_save_would_have_stored(claim: Claim, words: list[int] | None) -> None:
    said = {"words": words, "label": None} if words else {}
    saved = judgement(claim, **said)
    saved.save()
    by_save = model_to_dict(Judgement.objects.get())
    Judgement.objects.all().delete()
    written = judgement(claim, submitted_at=saved.submitted_at, **said)
    insert(written)
    found = Judgement.objects.get()
    assert (written.pk, written._state.adding) == (found.pk, False)
    assert model_to_dict(found) == {**by_save, "id": found.pk}


def test_only_the_named_fields_of_the_row_change(claim: Claim) -> None:
    before = {row["id"]: row for row in Claim.objects.values()}
    claim.state, claim.draft, claim.skip_note = Claim.State.ANSWERED, {"label": "preserve"}, "not written"
    update(claim, "state", "draft")
    assert {row["id"]: row for row in Claim.objects.values()} == {
        claim.pk: {**before[claim.pk], "state": "answered", "draft": {"label": "preserve"}}
    }


def test_a_foreign_key_and_null_are_written(claim: Claim) -> None:
    item = claim.item
    item.decided, item.agreement = claim.campaign.labels.get(key="change"), None
    update(item, "decided", "agreement")
    rows = dict(Item.objects.order_by("number").values_list("pk", "decided__key"))
    assert rows == {item.pk: "change", **{other: None for other in rows if other != item.pk}}


def test_a_second_row_comes_to_say_what_the_new_one_says(claim: Claim) -> None:
    for how, judgements in (("open", 1), ("agreed", 2)):
        decision = Decision(item=claim.item, how=how, n_judgements=judgements)
        insert(decision, instead="item")
        assert list(Decision.objects.values_list("pk", "how", "n_judgements")) == [(decision.pk, how, judgements)]


def test_what_the_database_forbids_is_refused_and_the_transaction_goes_on(claim: Claim) -> None:
    insert(judgement(claim))
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(judgement(claim))
    assert (Judgement.objects.count(), Slot.objects.filter(state="held").count()) == (1, 1)
