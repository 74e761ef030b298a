"""Votes as plain values, in a fixed number of queries."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.protocols.votes import votes_of
from annotation.services.answering import submit
from annotation.services.campaigns import close_campaign
from annotation.services.claiming import claim_next
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


@pytest.mark.parametrize("items", [1, 3, 30])
def test_three_queries_however_many_items(
    make_campaign: MakeCampaign,
    make_annotator: MakeAnnotator,
    answer: Answer,
    django_assert_num_queries: Any,
    items: int,
) -> None:
    campaign = make_campaign(items=items)
    for name in ("ada", "ben"):
        person = make_annotator(campaign, name)
        for _ in range(items):
            answer(campaign, person, "preserve")
    with django_assert_num_queries(3):
        votes = votes_of(campaign)
    assert [[vote.label for vote in item.votes] for item in votes] == [["preserve", "preserve"]] * items
    assert [item.number for item in votes] == list(range(1, items + 1))


def test_an_answer_that_does_not_count_is_no_vote(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1)
    ada = make_annotator(campaign, "ada")
    claim = claim_next(campaign=campaign, annotator=ada)
    close_campaign(campaign=campaign)
    submit(claim_id=claim.pk, annotator=ada, data={"label": "preserve", "confidence": "3"})
    assert [item.votes for item in votes_of(campaign)] == [[]]
