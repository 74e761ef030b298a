"""A campaign's labels at hand."""

from __future__ import annotations

from typing import Any

from annotation.queries.labels import with_labels
from tests.annotation.conftest import MakeCampaign


def test_they_are_read_once_and_know_their_campaign(make_campaign: MakeCampaign, django_assert_num_queries: Any) -> None:
    make_campaign(name="other")
    campaign = make_campaign()
    expected = list(campaign.labels.order_by("value"))
    with django_assert_num_queries(1):
        labels = list(with_labels(with_labels(campaign)).labels.all())
        assert [label.campaign is campaign for label in labels] == [True, True, True]
    assert labels == expected
