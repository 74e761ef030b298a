"""Drawing spoiled texts into a suspicion campaign, and what is recorded of the draw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.errors import DomainError
from annotation.models import Campaign, JudgedSample, RobustnessMeasurement, SpoiledText, User, Variant
from annotation.services.robustness import Draw, check_name, send_sample
from tests.annotation.robustness_made import SCORES, TEXTS, keep_measurement


@pytest.fixture
def measured(db: None) -> RobustnessMeasurement:
    return keep_measurement()


def draw(measured: RobustnessMeasurement, **other: object) -> Draw:
    return replace(Draw(measured, "suspicion", 2.5, 3, 7), **other)  # type: ignore[arg-type]


def test_what_the_constraint_admits_can_be_drawn(measured: RobustnessMeasurement) -> None:
    for threshold in (1.5, 2.5, 5.0):
        admitted = draw(measured, threshold=threshold).admitted
        assert [each.score for each in admitted] == [score for score in SCORES if score <= threshold]
    measured.constraints = [["encoder", ""]]
    assert [each.score for each in draw(measured).admitted] == [score for score in SCORES if score >= 2.5]


def test_the_draw_hangs_on_texts_and_seed_alone(measured: RobustnessMeasurement) -> None:
    drawn = [each.number for each in draw(measured).drawn]
    assert len(drawn) == 3 and set(drawn) < {1, 2, 3, 4}
    assert drawn == [each.number for each in draw(measured, size=4).drawn][:3]
    assert any([each.number for each in draw(measured, seed=seed).drawn] != drawn for seed in range(20))
    twin = SpoiledText.objects.get(measurement=measured, number=1)
    twin.pk, twin.number = None, 9
    twin.save()
    assert sorted(each.number for each in draw(measured, size=9).drawn) == [1, 2, 3, 4]


def test_drawn_texts_and_their_originals_become_items(measured: RobustnessMeasurement, organiser: User) -> None:
    campaign = send_sample(draw=draw(measured), name="spoiled", title="Spoiled", by=organiser)
    assert (campaign.protocol, campaign.state, campaign.simulated) == ("suspicion", Campaign.State.DRAFT, False)
    drawn = draw(measured).drawn
    texts = {(item.first.kind, item.first.text) for item in campaign.items.select_related("first")}
    assert texts == {
        *((Variant.UNCHANGED, each.original) for each in drawn), *(("second-order suspicion", each.text) for each in drawn),
    }  # fmt: skip
    assert campaign.items.count() == 6
    assert campaign.items.values("original").distinct().count() == 3
    sample = JudgedSample.objects.get(campaign=campaign)
    assert (sample.measurement, sample.constraint, sample.threshold, sample.admitted, sample.drawn, sample.seed) == (
        measured, "suspicion", 2.5, 4, 3, 7,
    )  # fmt: skip
    assert campaign.source == {
        "robustness": "measured", "constraint": "suspicion", "threshold": 2.5, "admitted": 4, "drawn": 3, "seed": 7,
    }  # fmt: skip
    with pytest.raises(DomainError, match="already a campaign named “spoiled”"):
        send_sample(draw=draw(measured), name="spoiled", title="Spoiled", by=organiser)
    assert Campaign.objects.count() == 1


def test_nothing_is_made_where_nothing_is_admitted(measured: RobustnessMeasurement, organiser: User) -> None:
    with pytest.raises(DomainError, match="admits no spoiled text"):
        send_sample(draw=draw(measured, threshold=1.0), name="spoiled", title="Spoiled", by=organiser)
    assert not Campaign.objects.exists()


def test_a_name_is_taken_once(measured: RobustnessMeasurement) -> None:
    for name, message in (("measured", "already a measurement"), ("a/b", "cannot name a measurement"), ("", "cannot name")):
        with pytest.raises(DomainError, match=message):
            check_name(name)
    with pytest.raises(DomainError, match="already a measurement"):
        keep_measurement()
    assert SpoiledText.objects.count() == len(SCORES) < len(TEXTS)
