"""The jobs `check_upload` and `import_upload`: large files, and files whose texts have to be compared with each other."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from annotation.errors import DomainError
from annotation.exchange.imports import import_upload, preview, source_of
from annotation.models import Job, Upload
from annotation.services.running import JobHandle


def check(job: JobHandle, *, upload: int, campaign: str, **asked: Any) -> dict[str, Any]:
    """What importing the upload would do."""
    wanted = _upload(upload, campaign)
    return preview(source_of(wanted), wanted, job.progress).as_dict


def run(job: JobHandle, *, upload: int, campaign: str) -> dict[str, Any]:
    """Import the upload for whoever queued the job."""
    wanted = _upload(upload, campaign)
    queued = Job.objects.select_related("created_by").get(pk=job.id)
    if wanted.imported_at is not None and wanted.imported_at >= queued.created_at:
        # An attempt before this one wrote everything, but its worker was lost before it could say so.
        return {"added": wanted.added, "already_there": wanted.already_there, "twice": 0}
    return asdict(import_upload(wanted, by=queued.created_by, progress=job.progress))


def _upload(pk: int, campaign: str) -> Upload:
    found = Upload.objects.select_related("campaign").filter(pk=pk, campaign__name=campaign).first()
    if found is None:
        raise DomainError("The file was dropped in the meantime.")
    return found
