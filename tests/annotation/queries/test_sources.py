"""Where a campaign's items are from: files that brought some, and what samples were drawn from."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from annotation.exchange.imports import import_upload
from annotation.exchange.origin import origin_of
from annotation.models import AttackRun, Campaign, Example, Upload
from annotation.queries.sources import Source, sources_of
from annotation.services.uploads import store_upload

pytestmark = pytest.mark.django_db
MakeCampaign = Callable[..., Campaign]
CSV = b"original,adversarial\nRain.,Raim.\nHail.,Hall.\n"


def imported(campaign: Campaign, name: str, *, kept: bool = False, data: bytes = CSV) -> Upload:
    mapping = {"columns": {"original": "original", "adversarial": "adversarial"}, "values": {}}
    upload = store_upload(
        campaign=campaign, name=name, chunks=[data], most=1000, by=None, format="table", mapping=mapping, kept=kept
    )
    import_upload(upload, by=None)
    return upload


def test_an_imported_file_is_named_with_its_hash(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, opened=False)
    assert origin_of(campaign) == [("source", "no file and no attack run on record")]
    upload = imported(campaign, "pairs.csv")
    imported(campaign, "the-same-again.csv")
    assert sources_of(campaign) == [Source("pairs.csv", upload.sha256)]
    assert origin_of(campaign) == [("file", f"pairs.csv, SHA-256 {upload.sha256}")]


def test_a_file_that_was_kept_counts_once_something_was_drawn_from_it(make_campaign: MakeCampaign) -> None:
    campaign, other = make_campaign(items=1, opened=False), make_campaign(items=1, opened=False, name="quay")
    upload = imported(other, "kept.csv", kept=True)
    assert (sources_of(campaign), sources_of(other)) == ([], [])
    campaign.items.update(example=upload.examples.first())
    assert (sources_of(campaign), sources_of(other)) == ([Source("kept.csv", upload.sha256)], [])


def test_attack_runs_are_named(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2, opened=False)
    run, _ = (AttackRun.objects.create(name=name, task="t", victim="v", attacker="a", folder=name) for name in ("ours", "other"))
    item = campaign.items.get(number=1)
    assert item.second is not None
    item.example = Example.objects.create(run=run, before=item.first, after=item.second, status="success")
    item.save()
    assert sources_of(campaign) == [Source("ours", "")]
    assert origin_of(campaign) == [("attack run", "ours")]


def test_a_file_that_waits_has_brought_nothing(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1, opened=False)
    upload = store_upload(campaign=campaign, name="waits.csv", chunks=[CSV], most=1000, by=None)
    assert sources_of(campaign) == []
    assert origin_of(campaign) == [("source", "no file and no attack run on record")]
    Upload.objects.filter(pk=upload.pk).update(imported_at=timezone.now(), added=2)
    assert sources_of(campaign) == [Source("waits.csv", upload.sha256)]
