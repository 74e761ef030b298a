"""The job that measures how easily constraints are fooled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.conf import settings

from annotation.models import Job, LearnedModel, RobustnessMeasurement
from annotation.services.attack_folders import model_named, settings_of
from annotation.services.places import model_folder
from annotation.services.robustness import WITH_MODEL, RobustnessWanted, check_name, record_measurement
from annotation.services.running import JobHandle

if TYPE_CHECKING:
    from attacks.robustness.kinds import Examined


def run(job: JobHandle, **arguments: Any) -> dict[str, Any]:
    """Measure what is not measured yet, and record it."""
    wanted = RobustnessWanted(**arguments)
    made = _made_by_an_attempt_before(job, wanted.name) or _measured(job, wanted)
    return {"measurement": made.name}


def _measured(job: JobHandle, wanted: RobustnessWanted) -> RobustnessMeasurement:
    from attacks.robustness.measure import Search, measure

    check_name(wanted.name)
    learned = [model_named(model) for kind, model in wanted.constraints if kind in WITH_MODEL]
    kept = settings.DATA_DIR / "robustness" / wanted.folder.name
    # No semantic scores: what counts is whether an attack succeeds.
    setting = replace(settings_of(wanted.setting), semantic="none")
    folder = kept if kept.exists() else wanted.folder
    found = measure(
        setting, list(_examined(wanted, learned)), folder, search=Search(wanted=wanted.damages), progress=job.progress
    )  # fmt: skip
    if folder != kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        wanted.folder.rename(kept)
    return record_measurement(
        name=wanted.name,
        asked={**wanted.attack, "damages": wanted.damages},
        constraints=wanted.constraints,
        folder=kept,
        found=found,
        learned=learned,
        by=Job.objects.get(pk=job.id).created_by,
    )


def _examined(wanted: RobustnessWanted, learned: list[LearnedModel]) -> Iterator[Examined]:
    """The constraints, with the folders of their models."""
    from attacks.robustness.kinds import Examined

    folders = {model.name: model.folder for model in learned}
    for kind, model in wanted.constraints:
        if kind in WITH_MODEL:
            yield Examined.of_kind(kind, folders[model])
        else:
            yield Examined.of_kind(kind, str(model_folder(model)) if model else "")


def _made_by_an_attempt_before(job: JobHandle, name: str) -> RobustnessMeasurement | None:
    """The measurement, if this job's worker was lost after it had recorded everything but before it could say so."""
    started = Job.objects.get(pk=job.id).created_at
    return RobustnessMeasurement.objects.filter(name=name, created_at__gte=started).first()
