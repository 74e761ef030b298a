"""Binary: the share of "altered" is the score; attackers are held against guessing."""

from __future__ import annotations

import pytest

from annotation.models import Decision, Original, Variant
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign, variant


@pytest.mark.parametrize(
    ("altered", "threshold", "label"),
    [(0, 0.5, "human"), (4, 0.5, "human"), (5, 0.5, "altered"), (5, 0.6, "human"), (10, 1, "altered")],
)
def test_the_score_is_the_share_and_the_threshold_makes_the_label(
    make_campaign: MakeCampaign,
    make_annotator: MakeAnnotator,
    answer: Answer,
    altered: int,
    threshold: float,
    label: str,
) -> None:
    campaign = make_campaign("binary", items=1, settings={"threshold": threshold})
    for number in range(10):
        answer(campaign, make_annotator(campaign, f"p{number}"), "altered" if number < altered else "human")
    decision = Decision.objects.get()
    assert decision.label is not None
    assert (decision.value, decision.label.key, decision.how, decision.n_judgements) == (altered / 10, label, "share", 10)


def test_shares_by_variant_and_against_guessing(make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = create_campaign(name="b", title="B", protocol="binary", settings={"slots": 8})
    for number in range(8):
        original = Original.objects.create(task="headlines", key=f"o{number}")
        kind = (Variant.UNCHANGED, "bae")[number % 2]
        add_items(campaign=campaign, items=[NewItem(original, variant(original, kind, f"text {number}"))])
    open_campaign(campaign=campaign)
    kind_of = {item.pk: item.first.kind for item in campaign.items.select_related("first")}
    for number in range(8):
        person = make_annotator(campaign, f"p{number}")
        for _ in range(8):
            claim = claim_next(campaign=campaign, annotator=person)
            # Everybody notices what bae did; originals are called altered by one person in four.
            noticed = kind_of[claim.item_id] == "bae" or number < 2
            submit(claim_id=claim.pk, annotator=person, data={"label": "altered" if noticed else "human"})
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    values = {figure.key: figure.estimate for figure in analysis.figures}
    assert (values["noticed"].value, values["noticed"].n) == (1.0, 32)
    assert (values["false_alarms"].value, values["false_alarms"].n) == (0.25, 32)
    assert (values["right"].value, values["right"].n) == ((32 + 24) / 64, 64)
    rows = [[*row[:5], row[5].value, row[6]] for row in analysis.tables[0].rows]
    # All 32 answers on bae agree, so its interval is Wilson's over four originals: from 0.51 on.
    assert analysis.tables[0].columns[7] == "p, corrected"
    assert all(row[7].reason.code == "no_spread" for row in analysis.tables[0].rows)
    assert rows == [["bae", 4, 4, 0, 32, 1.0, "above"], ["original", 4, 0, 0, 32, 0.25, "not known"]]


def test_one_vote_of_many_has_noticed_nothing_yet(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("binary", items=2, slots=3)
    for name, items in (("ada", 2), ("ben", 1)):
        person = make_annotator(campaign, name)
        for _ in range(items):
            answer(campaign, person, "altered")
    ((variant, items, noticed, waiting, answers, *_),) = (
        protocol_of(campaign).analyse(campaign, votes_of(campaign)).tables[0].rows
    )
    assert (variant, items, noticed, waiting, answers) == ("deepwordbug", 2, 1, 1, 3)
