"""The stage that measures how easily constraints are fooled: the suspicion model of the study, and two that need none."""

from __future__ import annotations

from pathlib import Path

from annotation.models import LearnedModel, RobustnessMeasurement
from annotation.services.robustness import record_measurement

from .plan import Study
from .progress import Progress


def measure_constraints(study: Study, progress: Progress) -> None:
    """Measure three constraints on a few texts, and record the curves."""
    plan = study.plan
    if RobustnessMeasurement.objects.filter(name=plan.measurement).exists():
        return
    from attacks.robustness.kinds import Examined
    from attacks.robustness.measure import Search, measure
    from attacks.settings import RunSettings

    model = LearnedModel.objects.get(name=plan.campaign("suspicion"))
    setting = RunSettings(
        task_dir=str(plan.task),
        victim=str(study.victim_folder(plan.measured_victim)),
        attacker=plan.measured_attacker,
        seed=plan.seed,
        texts=plan.measured_texts,
        semantic="none",
    )
    constraints = [("suspicion", model.name), ("encoder", ""), ("character", "")]
    examined = [Examined.of_kind(kind, model.folder if name else "") for kind, name in constraints]
    # A model trained anew is another constraint: its folder must not be taken for the old one's.
    folder = Path(study.data, "robustness", f"{plan.measurement}-{model.sha256[:8]}")
    found = measure(setting, examined, folder, search=Search(wanted=plan.damages), progress=progress)
    asked = {
        "task": plan.name, "victim": f"{plan.name}-{plan.measured_victim}", "attacker": plan.measured_attacker, "parameters": {},
        "targeted": False, "budget": None, "seed": plan.seed, "texts": plan.measured_texts, "damages": plan.damages,
    }  # fmt: skip
    record_measurement(
        name=plan.measurement, asked=asked, constraints=constraints, folder=folder, found=found, learned=[model]
    )  # fmt: skip
    progress(1, 1, "The constraints are measured")
