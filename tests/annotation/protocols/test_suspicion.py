"""Suspicion: medians, deviations and means by variant."""

from __future__ import annotations

from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def test_figures_and_tables(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign("suspicion", items=2)
    # Both items are handed out in one order to everybody, so the items' scores are (1, 2, 5) and (3, 3, 3).
    for name, scores in (("ada", "13"), ("ben", "23"), ("cem", "53")):
        person = make_annotator(campaign, name)
        for score in scores:
            answer(campaign, person, score)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert (values["deviation"].value, values["deviation"].n) == ((4 / 3 + 0) / 2, 2)
    assert values["mean"].value == 17 / 6
    tables = {table.key: table for table in analysis.tables}
    assert list(tables["likert"].rows[0])[:7] == ["deepwordbug", 6, 1, 1, 3, 0, 1]
    columns = list(tables["deviation"].columns)
    counts = dict(zip(columns, tables["deviation"].rows[-1], strict=True))
    assert (counts["C·δ = 0"], counts["C·δ = 4"], counts["items"]) == (1, 1, 2)
