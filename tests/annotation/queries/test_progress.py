"""How far a campaign is, per item."""

from __future__ import annotations

from annotation.queries.progress import Progress, answered_by, progress_of
from annotation.services.claiming import claim_next
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign


def test_an_item_is_complete_when_all_its_slots_are_answered(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=3)
    make_campaign(items=2, name="another")
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    for _ in range(2):
        answer(campaign, ada, "preserve")
    answer(campaign, ben, "preserve")
    claim_next(campaign=campaign, annotator=ben)
    assert progress_of(campaign) == Progress(items=3, complete=1, answered=3, wanted=6, being_answered=1)
    assert (answered_by(campaign, ada), answered_by(campaign, ben)) == (2, 1)


def test_a_conflict_makes_a_complete_item_incomplete_again(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=1)
    answer(campaign, make_annotator(campaign, "ada"), "preserve")
    answer(campaign, make_annotator(campaign, "ben"), "change")
    assert progress_of(campaign) == Progress(items=1, complete=0, answered=2, wanted=3, being_answered=0)
