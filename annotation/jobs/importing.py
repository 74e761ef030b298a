"""The jobs about files: large ones are read, imported, or made into a campaign, off the request."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Any

from annotation.errors import DomainError
from annotation.exchange.importing import import_judgements
from annotation.exchange.imports import import_upload, preview, source_of
from annotation.models import Batch, Campaign, Job, Upload
from annotation.services.batches import open_batch
from annotation.services.examples import Added
from annotation.services.running import JobHandle
from annotation.services.uploads import read_kept


def check(job: JobHandle, *, upload: int, campaign: str, **asked: Any) -> dict[str, Any]:
    """What importing the upload would do."""
    wanted = _upload(upload, campaign)
    return preview(source_of(wanted), wanted, job.progress).as_dict


def run(job: JobHandle, *, upload: int, campaign: str) -> dict[str, Any]:
    """Import the upload for whoever queued the job."""
    wanted = _upload(upload, campaign)
    queued = Job.objects.select_related("created_by").get(pk=job.id)
    if wanted.imported_at is not None and wanted.imported_at >= queued.created_at:
        # An attempt before this one showed everything, but its worker was lost before it could say so.
        for batch in wanted.batches.filter(state=Batch.State.SEEN):
            open_batch(batch=batch)
        return asdict(Added(wanted.added, wanted.already_there, 0, wanted.known))
    return asdict(import_upload(wanted, by=queued.created_by, progress=job.progress))


def judgements(job: JobHandle, *, stored: str, file: str, format: str, campaign: str, title: str = "") -> dict[str, Any]:
    """Make a campaign of a stored file for whoever queued the job."""
    queued = Job.objects.select_related("created_by").get(pk=job.id)
    made = Campaign.objects.filter(name=campaign, created_by=queued.created_by, created_at__gte=queued.created_at).first()
    if made is None:
        job.progress(0, 0, "Reading the file, and finding texts that are variants of one original.")
        contents = NamedFile(read_kept(stored, file), file)
        made = import_judgements(contents, format=format, name=campaign, title=title, created_by=queued.created_by)
    return {"campaign": made.name}


class NamedFile(io.BytesIO):
    """A stored file under the name that it came with."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def _upload(pk: int, campaign: str) -> Upload:
    found = Upload.objects.select_related("campaign").filter(pk=pk, campaign__name=campaign).first()
    if found is None:
        raise DomainError("The file was dropped in the meantime.")
    return found
