"""What a measurement found, and what people said of its sample."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import pytest

from annotation.errors import NothingToClaim
from annotation.exchange.drawing import svgs_of
from annotation.exchange.robustness import curves, overview, verdict_on
from annotation.models import Campaign, JudgedSample, RobustnessMeasurement, User
from annotation.services.answering import submit
from annotation.services.campaigns import open_campaign
from annotation.services.claiming import claim_next
from annotation.services.people import consent
from annotation.services.robustness import Draw, send_sample
from scoring.result import Estimate
from tests.annotation.conftest import MakeAnnotator
from tests.annotation.robustness_made import keep_measurement, suspicion


@pytest.fixture
def measured(db: None) -> RobustnessMeasurement:
    return keep_measurement()


@pytest.fixture
def sample(measured: RobustnessMeasurement, organiser: User) -> JudgedSample:
    draw = Draw(measured, "suspicion", 5.0, 7, 0)
    return JudgedSample.objects.get(campaign=send_sample(draw=draw, name="spoiled", title="Spoiled", by=organiser))


def test_a_line_for_each_constraint_and_a_point_for_each_threshold(measured: RobustnessMeasurement) -> None:
    table = overview(measured)
    [[name, model, accs, first, second, texts, short, why]] = table.rows
    assert (name, model, first, second, texts, short) == ("suspicion", "readers", 0.75, 0.875, 8, 1)
    assert accs == suspicion().accs and accs.value == pytest.approx(
        (3 * (0.25 + 0.5) / 2 + 3 * (0.5 + 0.75) / 2) / 8 / (0.75 * 0.875)
    )
    assert why == ("–" if accs.interval else accs.no_interval.message)
    assert table.plot is not None
    assert [(value["threshold"], value["first"], value["second"]) for value in table.plot.values] == [
        (1.5, 0.25, 0.125), (2.5, 0.5, 0.5), (5.0, 0.75, 0.875),
    ]  # fmt: skip
    [svg] = svgs_of([table.plot])
    assert ">suspicion</text>" in svg
    [curve] = curves(measured)
    assert curve.rows == [["1.5", 0.25, 0.125], ["2.5", 0.5, 0.5], ["5", 0.75, 0.875]]
    assert curve.note == "Texts were spoiled by: word salad, typo."


def test_why_there_is_no_figure_is_told(measured: RobustnessMeasurement) -> None:
    [found] = measured.result
    found["accs"] = Estimate.from_dict(found["accs"]).as_dict() | {
        "value": None, "interval": None, "reason": {"code": "no_second_order_examples", "message": "Nothing fooled it."},
    }  # fmt: skip
    assert overview(measured).rows[0][-1] == "Nothing fooled it."


def test_before_anybody_answers_nothing_is_known(sample: JudgedSample) -> None:
    verdict = verdict_on(sample)
    assert (verdict.judged, verdict.planned, verdict.standing) == (0, 14, "Fewer than planned: 0 of 14 texts judged so far.")
    [spoiled, originals] = verdict.table.rows
    for row, title in ((spoiled, "spoiled texts"), (originals, "their originals")):
        assert (row[0], row[1].value, row[1].reason.code, row[1].left_out, row[2:]) == (
            title, None, "empty", {"not judged": 7}, [0, 7],
        )  # fmt: skip


def judged(campaign: Campaign, scores: Mapping[str, int], make_annotator: MakeAnnotator) -> None:
    """Six people answer all that they are given: three a text, nobody sees both of one original."""
    open_campaign(campaign=campaign)
    for number in range(6):
        reader = make_annotator(campaign, f"reader-{number}")
        consent(sheet=campaign.sheets.get(), user=reader)
        with suppress(NothingToClaim):
            while claim := claim_next(campaign=campaign, annotator=reader):
                label = str(scores[claim.item.first.text])
                submit(claim_id=claim.pk, annotator=reader, data={"label": label, "confidence": 4})


def test_the_share_that_people_find_suspicious(sample: JudgedSample, make_annotator: MakeAnnotator) -> None:
    """Of seven spoiled texts five are found suspicious, of their originals one, which is none of these."""
    campaign = sample.campaign
    marks = [(1, 5), (2, 4), (1, 5), (1, 4), (2, 4), (5, 2), (2, 3)]
    spoiled = sample.measurement.spoiled.order_by("number")
    scores = {}
    for row, (plain, changed) in zip(spoiled, marks, strict=True):
        scores |= {row.original: plain, row.text: changed}
    judged(campaign, scores, make_annotator)
    verdict = verdict_on(sample)
    assert (verdict.judged, verdict.planned, verdict.standing) == (14, 14, "")
    bad, good, difference, p = verdict.table.rows
    assert (bad[1].value, good[1].value) == (pytest.approx(5 / 7), pytest.approx(1 / 7))
    assert bad[1].interval is not None and bad[1].interval.method == "Wilson, 7 observations"
    assert (difference[1].estimate.value, difference[1].style) == (pytest.approx(4 / 7), "points")
    assert p[1].estimate.value == pytest.approx(2 * (1 + 6) / 2**6)  # 5 against 1 of the 6 originals that differ
    assert "McNemar" in verdict.table.note
