"""Files on their way in: kept in the data folder under the hash of what they hold, until somebody imports or drops them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Batch, Campaign, Upload, User

from .activity import log
from .batches import drop_batch
from .forgetting import delete_examples
from .holding import hold_whole
from .storing import store

NAME_LENGTH = 200


def store_upload(*, campaign: Campaign, name: str, chunks: Iterable[bytes], most: int, by: User | None, **how: Any) -> Upload:
    """Keep a file for the campaign. `how` are fields of the row: format, encoding, mapping, kept. Raises DomainError when the
    file has more than `most` bytes."""
    sha256 = keep_file(name=name, chunks=chunks, most=most)
    stored = f"{_folder().name}/{sha256}"
    return Upload.objects.create(campaign=campaign, name=shown_name(name), stored=stored, sha256=sha256, created_by=by, **how)


def keep_file(*, name: str, chunks: Iterable[bytes], most: int) -> str:
    """Write a file into the data folder and return its hash. Raises DomainError when it has more than `most` bytes."""
    refusal = f"“{name}” is larger than {most / 1e6:,.0f} MB. Split it and import the parts."
    return store(chunks, _folder(), most=most, refusal=refusal)


def read_kept(sha256: str, name: str) -> bytes:
    """The bytes of the file with this hash. Raises DomainError when it is gone."""
    try:
        return (_folder() / sha256).read_bytes()
    except OSError as gone:
        raise DomainError(f"“{name}” is no longer in the data folder. Upload it again.") from gone


def shown_name(name: str) -> str:
    """A file's name as text that any page can show: no folders, no characters that cannot be seen or stored."""
    plain = Path(name.replace("\\", "/")).name.encode(errors="replace").decode()
    return "".join(char for char in plain if char.isprintable())[-NAME_LENGTH:] or "the file"


def read_upload(upload: Upload) -> bytes:
    """The file's bytes. Raises DomainError when it is gone."""
    return read_kept(upload.sha256, upload.name)


def describe_upload(*, upload: Upload, format: str, encoding: str, mapping: Mapping[str, Any], kept: bool) -> Upload:
    """Say how the file is to be read. Raises DomainError when it has been imported."""
    fields = {"format": format, "encoding": encoding, "mapping": dict(mapping), "kept": kept}
    if not Upload.objects.filter(pk=upload.pk, imported_at__isnull=True).update(**fields):
        raise DomainError("This file has been imported already.")
    upload.refresh_from_db()
    return upload


def drop_upload(*, upload: Upload) -> None:
    """Forget a file that was not imported, and what an import of it has written that was killed, or is on its way and stops now.
    Raises DomainError for one that was imported, or that somebody begins to import at this moment."""
    with transaction.atomic():
        _refuse_imported(upload)
        # Whoever is about to show what it has written finds this and stops.
        upload.batches.filter(state__in=Batch.UNSEEN).update(state=Batch.State.DROPPED)
    for batch in upload.batches.all():
        drop_batch(batch=batch)
    delete_examples(upload.examples.all())
    with transaction.atomic():
        held = _refuse_imported(upload)
        if held.batches.exists():
            raise DomainError("Somebody is importing this file at this moment, so it stays.")
        delete_examples(held.examples.all())
        held.delete()
        if not Upload.objects.filter(stored=held.stored).exists():
            transaction.on_commit(lambda: (settings.DATA_DIR / held.stored).unlink(missing_ok=True))


def _refuse_imported(upload: Upload) -> Upload:
    held = Upload.objects.select_for_update().filter(pk=upload.pk).first()
    if held is None:
        raise DomainError("This file was dropped a moment ago.")
    if held.imported_at is not None:
        raise DomainError("This file has been imported; its record stays.")
    return held


@transaction.atomic
def keep_figures(*, upload: Upload, figures: Mapping[str, float], about: Mapping[str, str], by: User | None) -> bool:
    """Add the figures of an attack to what the campaign says about its items' source; False when they are there already."""
    campaign = hold_whole(upload.campaign_id)
    kept = dict(campaign.source.get("results", {}))
    name = " ".join(value for value in (about.get(key, "") for key in ("task", "scenario", "attacker", "victim")) if value)
    entry = {"file": upload.name, **figures}
    new = kept.get(name or upload.name) != entry
    campaign.source = campaign.source | {"results": kept | {name or upload.name: entry}}
    campaign.save(update_fields=["source"])
    Upload.objects.filter(pk=upload.pk).update(imported_at=timezone.now(), added=int(new), already_there=int(not new))
    upload.refresh_from_db()
    if new:
        log(campaign=campaign, by=by, verb="figures", file=upload.name)
    return new


def _folder() -> Path:
    folder: Path = settings.DATA_DIR / "uploads"
    return folder
