"""Files that wait to be imported."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Batch, Campaign, Upload
from annotation.services.batches import Displaced, begin_batch, drop_batch, show_batch
from annotation.services.uploads import describe_upload, drop_upload, read_upload, store_upload


@pytest.fixture
def upload(campaign: Campaign, settings: object, tmp_path: Path) -> Upload:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    return store_upload(campaign=campaign, name="../p.csv", chunks=[b"one", b"two"], most=6, by=None)


def test_a_file_is_kept_under_its_hash_and_known_by_its_name(upload: Upload) -> None:
    assert (upload.name, read_upload(upload), upload.stored) == ("p.csv", b"onetwo", f"uploads/{upload.sha256}")


def test_a_file_that_is_too_large_leaves_nothing(upload: Upload, campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"“big\.csv” is larger than 0 MB"):
        store_upload(campaign=campaign, name="big.csv", chunks=[b"x" * 7], most=6, by=None)
    assert [file.name for file in (tmp_path / "uploads").iterdir()] == [upload.sha256]


def test_what_was_imported_is_neither_read_otherwise_nor_dropped(upload: Upload) -> None:
    Upload.objects.filter(pk=upload.pk).update(imported_at=timezone.now())
    with pytest.raises(DomainError, match="imported already"):
        describe_upload(upload=upload, format="table", encoding="", mapping={}, kept=False)
    with pytest.raises(DomainError, match="its record stays"):
        drop_upload(upload=upload)
    assert read_upload(upload) == b"onetwo"


@pytest.mark.django_db(transaction=True)
def test_a_file_is_gone_once_nobody_waits_for_it(upload: Upload, campaign: Campaign) -> None:
    again = store_upload(campaign=campaign, name="q.csv", chunks=[b"onetwo"], most=6, by=None)
    drop_upload(upload=upload)
    assert read_upload(again) == b"onetwo"
    drop_upload(upload=again)
    with pytest.raises(DomainError, match="no longer in the data folder"):
        read_upload(again)
    with pytest.raises(DomainError, match="dropped a moment ago"):
        drop_upload(upload=again)


def test_a_file_that_somebody_begins_to_import_again_meanwhile_stays(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_batch(upload=upload)
    monkeypatch.setattr("annotation.services.uploads.delete_examples", lambda examples: begin_batch(upload=upload))
    with pytest.raises(DomainError, match="importing this file at this moment"):
        drop_upload(upload=upload)
    assert Batch.objects.get().state == Batch.State.WRITING


def test_an_import_of_a_dropped_file_does_not_begin(upload: Upload) -> None:
    drop_upload(upload=Upload.objects.get(pk=upload.pk))
    with pytest.raises(DomainError, match="dropped meanwhile"):
        begin_batch(upload=upload)


def test_an_import_can_show_nothing_any_more_once_its_file_is_being_dropped(
    upload: Upload, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, _ = begin_batch(upload=upload)

    def before_it_is_dropped(*, batch: Batch) -> None:
        with pytest.raises(Displaced):
            show_batch(batch=batch)
        drop_batch(batch=batch)

    monkeypatch.setattr("annotation.services.uploads.drop_batch", before_it_is_dropped)
    drop_upload(upload=upload)
    assert not Batch.objects.filter(pk=batch.pk).exists()
