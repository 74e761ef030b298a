"""Meaning: agreement of the first two, whatever a third says."""

from __future__ import annotations

from annotation.protocols import protocol_of
from annotation.protocols.analysis import Analysis, Table
from annotation.protocols.votes import votes_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def table(analysis: Analysis, key: str) -> Table:
    return next(table for table in analysis.tables if table.key == key)


def test_figures_and_tables(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(items=4)
    ada, ben, cem = (make_annotator(campaign, name) for name in ("ada", "ben", "cem"))
    for label in ("preserve", "preserve", "change", "no_sense"):
        answer(campaign, ada, label)
    for label in ("preserve", "change", "change", "no_sense"):
        answer(campaign, ben, label)
    answer(campaign, cem, "preserve")
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert values["raw_agreement"].value == 0.75
    # observed 3/4; chance (2·1 + 1·2 + 1·1)/16
    assert values["kappa"].value == (0.75 - 5 / 16) / (1 - 5 / 16)
    assert (values["kept"].value, values["kept"].n) == (0.5, 4)
    assert [list(row)[1:] for row in table(analysis, "confusion").rows] == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert [row[1] for row in table(analysis, "decisions").rows] == [2, 1, 1]
    assert [row[1] for row in table(analysis, "thirds").rows] == [1, 0]
    assert [tuple(row) for row in table(analysis, "how").rows] == [
        ("both annotators agreed", 3),
        ("the majority", 1),
    ]
