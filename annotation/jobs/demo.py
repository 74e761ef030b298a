"""Building the sample study as a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from annotation.services.running import JobHandle


def run(job: JobHandle) -> dict[str, Any]:
    """The job. Started again after it was stopped, it goes on from where it was."""
    from annotation.demo.plan import Study, StudyPlan
    from annotation.demo.study import build_study

    return {"seconds": build_study(Study(StudyPlan(), settings.DATA_DIR), job.progress)}
