"""How many items there are, in words."""

from __future__ import annotations

import pytest

from annotation.models import Campaign, Item
from annotation.queries.items import how_many, items_said


@pytest.mark.parametrize(
    ("work", "known", "said"),
    [
        (0, 0, "0 items"),
        (1, 0, "1 item"),
        (1_000, 2, "1,000 items and 2 with a known answer"),
        (0, 1, "1 item with a known answer"),
    ],
)
def test_items_with_a_known_answer_are_told_apart(work: int, known: int, said: str) -> None:
    assert items_said(work, known) == said


def test_only_work_is_counted_as_items(campaign: Campaign) -> None:
    assert how_many(campaign) == (3, 0)
    campaign.items.filter(number=2).update(use=Item.Use.ATTENTION, gold=campaign.labels.first())
    assert how_many(campaign) == (2, 1)
