"""Texts that nothing shows go, but none of those that somebody has just found."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import connection, transaction

from annotation.exchange.imports import import_upload
from annotation.models import Batch, Campaign, Example, Item, Original, Upload, User, Variant
from annotation.services import forgetting
from annotation.services.batches import begin_batch, drop_batch, settle
from annotation.services.campaigns import NewItem, add_items, create_campaign
from annotation.services.deleting import delete_campaign
from annotation.services.forgetting import delete_examples, delete_items, forget_all_unused, forget_unused
from annotation.services.holding import hold_texts
from annotation.services.recording import RecordedItem, RecordedText, record_items
from annotation.services.uploads import drop_upload, store_upload
from tests.annotation.at_once import at_once
from tests.annotation.conftest import MakeCampaign, variant
from tests.annotation.exchange.files import as_bytes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "AT_ONCE", 1)


def original(key: str, *kinds: str) -> Original:
    made = Original.objects.create(task="t", key=key)
    for kind in kinds:
        variant(made, kind, f"{key} {kind}")
    return made


def kinds() -> list[str]:
    return [f"{text.original.key} {text.kind}" for text in Variant.objects.select_related("original").order_by("pk")]


def pending(campaign: Campaign) -> Upload:
    return Upload.objects.create(campaign=campaign, name="p.csv", stored="uploads/x", sha256="x")


def test_what_an_item_or_an_example_shows_stays(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, opened=False)
    shown, kept = original("shown", "original", "bae", "pruthi"), original("kept", "original", "bae", "pruthi")
    original("unused", "original", "bae")
    texts = {(text.original_id, text.kind): text for text in Variant.objects.all()}
    add_items(campaign=campaign, items=[NewItem(shown, texts[shown.pk, "original"], texts[shown.pk, "bae"])])
    Example.objects.create(
        upload=pending(campaign), before=texts[kept.pk, "original"], after=texts[kept.pk, "pruthi"], status="success"
    )
    forget_unused([("t", "shown"), ("t", "kept")])
    left = ["shown original", "shown bae", "kept original", "kept pruthi"]
    assert kinds() == [*left, "unused original", "unused bae"]
    forget_all_unused()
    assert kinds() == left
    assert set(Original.objects.values_list("key", flat=True)) == {"shown", "kept"}


def test_nothing_is_forgotten_while_an_import_is_written(make_campaign: MakeCampaign) -> None:
    batch, _ = begin_batch(upload=pending(make_campaign(items=0, opened=False)))
    original("unused", "bae")
    forget_unused([("t", "unused")])
    forget_all_unused()
    assert kinds() == ["unused bae"]
    drop_batch(batch=batch)
    forget_all_unused()
    assert kinds() == []


def test_items_and_examples_go_with_their_texts(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3)
    stays = original("stays", "original", "bae")
    before, after = stays.variants.order_by("pk")
    upload = pending(campaign)
    Example.objects.create(upload=upload, before=before, after=after, status="success")
    delete_items(Item.every.filter(campaign=campaign))
    assert (Item.every.count(), kinds()) == (0, ["stays original", "stays bae"])
    delete_examples(upload.examples.all())
    assert (Example.objects.count(), kinds(), Original.objects.count()) == (0, [], 0)


def test_what_a_killed_import_has_written_goes_when_its_file_is_dropped_or_at_the_next_start(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2, opened=False)
    for settles in (False, True):
        upload = pending(campaign)
        batch = Batch.objects.create(upload=upload)
        left = original(f"left {settles}", "original", "bae")
        before, after = left.variants.order_by("pk")
        example = Example.objects.create(upload=upload, before=before, after=after, status="success")
        add_items(campaign=campaign, items=[NewItem(left, before, after, example)])
        Item.every.filter(example=example).update(batch=batch)
        if settles:
            settle()
            assert Item.every.count() == 2
        drop_upload(upload=upload)
        assert (Upload.objects.count(), Batch.objects.count(), Example.objects.count(), Item.every.count()) == (0, 0, 0, 2)
        assert not Original.objects.filter(key__startswith="left").exists()


ROWS = [(f"Rain on day {number}.", f"Raim on day {number}.") for number in range(60)]


def uploaded(campaign: Campaign, rows: list[tuple[str, str]]) -> Upload:
    data = as_bytes(("original", "adversarial"), rows)
    columns = {"original": "original", "adversarial": "adversarial"}
    return store_upload(
        campaign=campaign, name="p.csv", chunks=[data], most=10**6, by=None, format="table", mapping={"columns": columns}
    )


def imported(upload: Upload) -> int:
    return import_upload(Upload.objects.get(pk=upload.pk), by=None).added


@pytest.mark.database
@pytest.mark.skipif(connection.vendor != "postgresql", reason="threads of a test share SQLite's database in memory")
@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_the_same_texts_come_into_several_campaigns(self) -> None:
        campaigns = [create_campaign(name=name, title=name, protocol="meaning") for name in "abc"]
        orders = [ROWS, ROWS[::-1], ROWS[30:] + ROWS[:30]]
        uploads = [uploaded(campaign, rows) for campaign, rows in zip(campaigns, orders, strict=True)]
        assert at_once(*[lambda upload=upload: imported(upload) for upload in uploads]) == [60, 60, 60]

    def test_one_file_is_imported_twice(self) -> None:
        campaign = create_campaign(name="a", title="A", protocol="meaning")
        upload = uploaded(campaign, ROWS)
        results = at_once(lambda: imported(upload), lambda: imported(upload))
        assert sorted(str(result) for result in results)[0] == "60", results
        assert (campaign.items.count(), Example.objects.count(), Variant.objects.count()) == (60, 60, 120)

    def test_a_campaign_with_the_same_texts_is_deleted_meanwhile(self, organiser: User) -> None:
        for _ in range(3):
            gone, stays = (create_campaign(name=name, title=name, protocol="meaning", created_by=organiser) for name in "ab")
            imported(uploaded(gone, ROWS))
            upload = uploaded(stays, ROWS)
            deleted, added = at_once(lambda: delete_campaign(campaign=gone, by=organiser), lambda: imported(upload))  # noqa: B023
            assert (deleted, added) == (None, 60)
            assert Variant.objects.count() == 120
            delete_campaign(campaign=stays, by=organiser)

    def test_a_file_is_dropped_while_it_is_imported(self) -> None:
        campaign = create_campaign(name="a", title="A", protocol="meaning")
        upload = uploaded(campaign, ROWS)
        at_once(lambda: imported(upload), lambda: drop_upload(upload=upload))
        there = campaign.items.count()
        assert there in (0, 60)
        assert (Example.objects.count(), Upload.objects.count()) == (there, there // 60)

    @pytest.mark.parametrize("finds", ["import", "record"])
    def test_who_finds_texts_waits_for_who_forgets_some(self, finds: str) -> None:
        campaign = create_campaign(name="a", title="A", protocol="meaning")
        texts = RecordedText("original", "Rain."), RecordedText("bae", "Raim.")
        upload, held, order = pending(campaign), threading.Event(), []

        def forgets() -> None:
            with transaction.atomic():
                hold_texts()
                held.set()
                time.sleep(0.5)
                order.append("forgotten")

        def found() -> None:
            held.wait(timeout=10)
            if finds == "import":
                begin_batch(upload=upload)
            else:
                record_items(campaign=campaign, task="t", items=[RecordedItem("key", *texts)])
            order.append("found")

        at_once(forgets, found)
        assert order == ["forgotten", "found"]
