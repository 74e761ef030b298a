"""The published files give the published figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.exchange.importing import import_judgements
from annotation.models import Campaign, Item, Judgement, Original
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of

pytestmark = [pytest.mark.published_data, pytest.mark.django_db]

PublishedData = Callable[[str], Path]


def analysis(campaign: Campaign) -> dict[str, Any]:
    return protocol_of(campaign).analyse(campaign, votes_of(campaign)).as_dict()


def test_incrediblae(published_data: PublishedData) -> None:
    path = published_data("incrediblae_manual_evaluation.csv")
    campaign = import_judgements(path, format="incrediblae", name="bar")
    assert (Item.objects.count(), Judgement.objects.count(), Original.objects.count()) == (680, 1626, 345)
    found = analysis(campaign)
    kappa = found["figures"]["kappa"]
    assert (kappa["value"], kappa["n"]) == (pytest.approx(0.5240984624, abs=1e-10), 680)
    assert found["figures"]["raw_agreement"]["value"] == pytest.approx(0.7014705882, abs=1e-10)
    assert [row[1] for row in found["tables"]["decisions"]["rows"]] == [318, 246, 116]
    assert [row[1] for row in found["tables"]["thirds"]["rows"]] == [203, 63]
    assert [(item.number, item.decided_label) for item in votes_of(campaign)] == list(
        Item.objects.order_by("number").values_list("number", "published_label")
    )


def test_suspicion(published_data: PublishedData) -> None:
    path = published_data("suspicion_mturk_dev.csv")
    campaign = import_judgements(path, format="mturk-suspicion", name="mturk")
    assert (Item.objects.count(), Judgement.objects.count()) == (2760, 2880)
    assert Counter(len(item.votes) for item in votes_of(campaign)) == {1: 2700, 3: 60}
    found = analysis(campaign)
    deviation = found["figures"]["deviation"]
    assert (deviation["n"], round(deviation["value"], 4)) == (60, 0.5556)
    rows = {row[0]: row[1:7] for row in found["tables"]["deviation"]["rows"]}
    assert rows["all"] == [14, 16, 9, 18, 3, 60]
    assert {variant: counts[-1] for variant, counts in rows.items()} == {
        "alzantot": 7, "bae": 15, "original": 14, "pruthi": 18, "textfooler": 6, "all": 60,
    }  # fmt: skip
