"""Cohen's kappa is about two fixed people; a pool is called one, and gets alpha and the matrix of its pairs."""

from __future__ import annotations

import pytest

from annotation.models import Campaign, Judgement, Membership, Pseudonym, Team, User
from annotation.protocols import protocol_of
from annotation.protocols.analysis import Analysis, Table
from annotation.protocols.pools import agreement_by_person, pool_figures
from annotation.protocols.votes import votes_of
from annotation.services.moderating import exclude_answer
from scoring.result import Estimate
from scoring.wording import shown_cell
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def analysed(campaign: Campaign) -> Analysis:
    return protocol_of(campaign).analyse(campaign, votes_of(campaign))


def titles(analysis: Analysis) -> dict[str, str]:
    return {figure.key: figure.title for figure in analysis.figures}


def test_two_people_are_no_pool(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(items=3)
    for name in ("ada", "ben"):
        person = make_annotator(campaign, name)
        for label in ("preserve", "change", "preserve"):
            answer(campaign, person, label)
    found = analysed(campaign)
    assert titles(found)["kappa"] == "Cohen's kappa"
    assert "alpha" not in titles(found) and "pairs" not in {table.key for table in found.tables}


@pytest.fixture
def pool(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> Campaign:
    """Ada and ben on two items, of which they agree on one; cem and dan on the third."""
    campaign = make_campaign(items=3)
    ada, ben, cem, dan = (make_annotator(campaign, name) for name in ("ada", "ben", "cem", "dan"))
    for person, labels in ((ada, ("preserve", "change")), (ben, ("preserve", "preserve"))):
        for label in labels:
            answer(campaign, person, label)
    campaign.slots.filter(position=3).delete()
    for person in (cem, dan):
        answer(campaign, person, "no_sense")
    return campaign


def test_a_pool_is_named_and_has_alpha_and_pairs(pool: Campaign) -> None:
    found = analysed(pool)
    assert (titles(found)["kappa"], titles(found)["alpha"]) == ("Cohen's kappa, pooled", "Krippendorff's alpha")
    alpha = next(figure.estimate for figure in found.figures if figure.key == "alpha")
    assert (alpha.n, alpha.method) == (3, "Krippendorff's alpha, nominal")
    ac1 = next(figure.estimate for figure in found.figures if figure.key == "pool_ac1")
    assert (ac1.n, ac1.value) == (3, pytest.approx((2 / 3 - 11 / 36) / (1 - 11 / 36)))
    (pairs,) = (table for table in found.tables if table.key == "pairs")
    assert pairs.columns == ["", "A1", "A2", "A3", "A4"]
    assert [list(row) for row in pairs.rows] == [
        ["A1", None, "0.000 (n = 2)", None, None],
        ["A2", "0.000 (n = 2)", None, None, None],
        ["A3", None, None, None, "not defined (n = 1)"],
        ["A4", None, None, "not defined (n = 1)", None],
    ]


def test_how_each_annotator_leans_is_told(pool: Campaign) -> None:
    """Ada said once "change" where ben said "preserve"; cem and dan said the same."""
    (bias,) = (table for table in analysed(pool).tables if table.key == "bias")
    assert bias.columns == ["annotator", "items", "keeps the meaning", "changes the meaning", "makes no sense"]
    assert [list(row) for row in bias.rows] == [
        ["A1", 2, -0.5, 0.5, 0.0],
        ["A2", 2, 0.5, -0.5, 0.0],
        ["A3", 1, 0.0, 0.0, 0.0],
        ["A4", 1, 0.0, 0.0, 0.0],
    ]


def test_the_numbers_are_those_of_the_files(pool: Campaign) -> None:
    for number, name in enumerate(("dan", "ada"), start=7):
        Pseudonym.objects.create(campaign=pool, user=User.objects.get(username=name), number=number)
    (pairs,) = (table for table in analysed(pool).tables if table.key == "pairs")
    # Ben and cem have no number yet: they get the next ones, as the next file would give them.
    assert [row[0] for row in pairs.rows] == ["A7", "A8", "A9", "A10"]


def test_a_large_pool_lists_the_pairs_with_most_items(pool: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.protocols.pools.MATRIX_UP_TO", 3)
    (pairs,) = (table for table in analysed(pool).tables if table.key == "pairs")
    assert [list(row) for row in pairs.rows] == [["A1 and A2", 2, 0.5, 0.0], ["A3 and A4", 1, 1.0, None]]


def test_how_often_each_person_agrees_with_the_others(pool: Campaign) -> None:
    found = {User.objects.get(pk=pk).username: share for pk, share in agreement_by_person(votes_of(pool)).items()}
    assert {name: (share.value, share.n) for name, share in found.items()} == {
        "ada": (0.5, 2), "ben": (0.5, 2), "cem": (1.0, 1), "dan": (1.0, 1)
    }  # fmt: skip


def test_whom_nobody_else_followed_has_no_share(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=1)
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    (share,) = agreement_by_person(votes_of(campaign)).values()
    assert (share.value, share.reason and share.reason.code) == (None, "no_common_item")


def test_fleiss_kappa_is_told_or_why_there_is_none(pool: Campaign) -> None:
    def fleiss() -> Estimate:
        return next(figure.estimate for figure in analysed(pool).figures if figure.key == "fleiss")

    assert (fleiss().n, fleiss().value) == (3, pytest.approx((2 / 3 - 14 / 36) / (1 - 14 / 36)))
    exclude_answer(judgement=Judgement.objects.earliest("pk"), by=User.objects.get(username="olga"))
    assert (fleiss().value, fleiss().reason and fleiss().reason.code) == (None, "unequal_raters")


def test_two_teams_are_compared_and_others_are_told(pool: Campaign, make_annotator: MakeAnnotator) -> None:
    def teams() -> list[Table]:
        return [table for table in analysed(pool).tables if table.key == "teams"]

    assert teams() == []
    north, south = (Team.objects.create(campaign=pool, name=name) for name in ("north", "south"))
    Membership.objects.filter(campaign=pool, user__username__in=("ada", "ben")).update(team=north)
    [alone] = teams()
    assert (alone.rows, alone.note) == ([], "Two teams are compared; of those that have answered there are: north.")
    Membership.objects.filter(campaign=pool, user__username="cem").update(team=south)
    [table] = teams()
    assert table.columns == ["agreement within", "north", "south", "difference"]
    assert table.note == (
        "Of the first answers, which everybody is asked for. "
        "Kappa: a team's first against its second answer to an item. n: items that a team judged often enough. "
        "Difference: north less south; n: items that either judged often enough. "
        "Left out: 1 answer of people who are in no team."
    )
    kappa, alpha = table.rows
    assert [estimate.value for estimate in kappa[1:]] == [0.0, None, None]
    assert alpha[1].value == pytest.approx(0.0)
    assert alpha[2].reason and alpha[2].reason.code == "no_common_item"
    assert [shown_cell(cell, style) for cell, style in table.cells[0]] == [
        "Cohen's kappa", "0.000 (n = 2)", "not defined (n = 0)", "not defined (n = 2)"
    ]  # fmt: skip


def test_figures_and_tables_of_first_answers_say_so(pool: Campaign) -> None:
    """Where a third person decides between two answers; where all answers count, they are those of all."""
    found = analysed(pool)
    said = {figure.key: (figure.title, figure.detail) for figure in found.figures}
    assert (said["alpha"][1], said["fleiss"][1]) == ("first answers, nominal", "first answers, nominal")
    assert said["pool_ac1"][0] == "Gwet's AC1, first answers"
    notes = {table.key: table.note for table in found.tables if table.key in ("pairs", "bias")}
    assert notes == {
        "pairs": "Of the first answers, which everybody is asked for. n: items that both judged.",
        "bias": "Of the first answers, which everybody is asked for. Against the mean of the others on the same items. "
        "A label: how much more often it was given, as a part of the items.",
    }
    everybody = {figure.key: figure for figure in pool_figures(votes_of(pool), list(pool.labels.all()), level="nominal")}
    assert everybody["alpha"].detail == "all annotators, nominal"
    assert everybody["pool_ac1"].title == "Gwet's AC1, all annotators"
