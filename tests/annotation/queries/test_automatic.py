"""The automatic score beside what people say: from what is kept of each item, without its texts."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, User
from annotation.protocols.votes import votes_of
from annotation.queries.automatic import automatic_tables
from tests.annotation.conftest import Answer, MakeCampaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def judged(campaign: Campaign, annotator: User, answer: Answer) -> Campaign:
    for label in ("preserve", "change", "preserve"):
        answer(campaign, annotator, label)
    for number, score in ((1, 0.25), (2, 0.5), (3, 0.75)):
        campaign.items.filter(number=number).update(character_score=score)
    return campaign


def test_it_stands_beside_the_score_that_is_kept_of_each_item(judged: Campaign) -> None:
    votes = votes_of(judged)
    said = {item.character_score: float(item.votes[0].label == "preserve") for item in votes}
    with CaptureQueriesContext(connection) as queries:
        [table] = automatic_tables(judged, votes)
    assert [(row[0], row[1], row[2].value) for row in table.rows] == [
        ("0.250 to 0.250", 1, said[0.25]),
        ("0.500 to 0.500", 1, said[0.5]),
        ("0.750 to 0.750", 1, said[0.75]),
    ]
    assert [query["sql"] for query in queries if "text" in query["sql"]] == []


def test_texts_without_a_known_original_are_counted_and_left_out(judged: Campaign) -> None:
    judged.items.filter(number=2).update(character_score=None)
    [table] = automatic_tables(judged, votes_of(judged))
    assert sum(row[1] for row in table.rows) == 2
    assert "Of 3 answered texts, 2 are compared." in table.note


def test_without_any_there_is_no_table(judged: Campaign, make_campaign: MakeCampaign) -> None:
    judged.items.update(character_score=None)
    assert automatic_tables(judged, votes_of(judged)) == []
    unanswered = make_campaign(name="unanswered")
    assert automatic_tables(unanswered, votes_of(unanswered)) == []
