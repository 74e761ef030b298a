"""What the sample study found, as tables: victims, attacks, simulated readers, the suspicion model, attacks under it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.exchange.robustness import curves, overview
from annotation.exchange.study_report import StudyReport
from annotation.models import AttackRun, Campaign, ConstraintStudy, LearnedModel, RobustnessMeasurement
from annotation.protocols import protocol_of
from annotation.protocols.analysis import Analysis, Figure, Table
from annotation.protocols.votes import votes_of
from attacks.names import victim_name
from scoring.model_folder import read_model_folder
from scoring.result import Estimate

from .latent import known_ceiling, known_kappa
from .plan import Study

CONSTRAINT_NOTE = (
    "Simulated: the limits are on what a model predicts that learned from simulated readers, and simulated readers were asked "
    "about the pairs. It shows how such a study goes; it is no evidence about people."
)
STUDY_NOTE = (
    "Simulated: every judgement in this study was drawn from a documented model of readers. It shows how the product works; "
    "it is no evidence about people."
)
MODEL_NOTE = (
    "Simulated: the model learned from simulated readers, so r says how well it guesses their answers, and nothing about people. "
    "The noise ceiling is the highest r that any model can be expected to reach on these labels."
)
ROBUSTNESS_NOTE = (
    "Simulated: the suspicion model learned from simulated readers, so its curve says nothing about people. The other two "
    "constraints learned from nobody."
)
AGAIN_NOTE = (
    "Simulated: suspicion is what a model predicts that learned from simulated readers. Whether people would find "
    "these texts less suspicious is not known."
)


@dataclass(frozen=True, slots=True)
class Part:
    """Tables that belong together. `warning` is set where they rest on simulated readers."""

    key: str
    title: str
    tables: tuple[Table, ...]
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that the report shows. `seconds` is the time of each stage in this call; stages done before took none."""

    name: str
    parts: tuple[Part, ...]
    campaigns: tuple[Campaign, ...]
    constraint: StudyReport
    seconds: Mapping[str, float]


def results_of(study: Study, seconds: Mapping[str, float]) -> Results:
    """The results of a study that is complete."""
    plan = study.plan
    campaigns = {protocol: Campaign.objects.get(name=plan.campaign(protocol)) for protocol in plan.samples}
    model = LearnedModel.objects.get(name=plan.campaign("suspicion"))
    constraint = StudyReport(ConstraintStudy.objects.select_related("model").get(name=plan.constraint_study))
    parts = (
        Part("victims", "Victims", (_victims(study),)),
        Part("attacks", "Attacks", (_attacks(study),)),
        Part("readers", "Simulated readers", tuple(_readers(campaigns)), STUDY_NOTE),
        Part("model", "Suspicion model", (_model(model, campaigns["suspicion"]),), MODEL_NOTE),
        Part("again", "Attacks without and with the suspicion constraint", tuple(_again(study)), AGAIN_NOTE),
        Part("constraint", "Study of the suspicion constraint", tuple(constraint.tables), CONSTRAINT_NOTE),
        Part("robustness", "How easily constraints are fooled", tuple(_robustness(study)), ROBUSTNESS_NOTE),
    )
    asked = [each.campaign for each in constraint.asked]
    return Results(plan.name, parts, (*campaigns.values(), *asked), constraint, seconds)


def _victims(study: Study) -> Table:
    rows = []
    for kind in study.plan.victims:
        found = read_model_folder(study.victim_folder(kind)).card["results"]
        rows.append([kind, found["n"], found["accuracy"], found["f1"]])
    return Table("victims", "On texts that they were not trained on", ["victim", "texts", "accuracy", "F1"], rows)


def _readers(campaigns: Mapping[str, Campaign]) -> Iterator[Table]:
    analyses = {protocol: protocol_of(campaign).analyse(campaign, votes_of(campaign)) for protocol, campaign in campaigns.items()}
    yield Table(
        "known",
        "What the answers say, beside what is known of the model that they were drawn from",
        ["", "from the answers", "n", "known of the model"],
        [
            _beside(_figure(analyses["meaning"], "kappa"), known_kappa(campaigns["meaning"])),
            _beside(_figure(analyses["suspicion"], "ceiling"), known_ceiling(campaigns["suspicion"])),
        ],
    )
    rows = [
        [f"{protocol}: {figure.title}", figure, figure.estimate.n]
        for protocol, analysis in analyses.items()
        for figure in analysis.figures
    ]
    yield Table("figures", "All figures", ["campaign and figure", "value", "n"], rows)
    yield next(table for table in analyses["meaning"].tables if table.key == "decisions")


def _figure(analysis: Analysis, key: str) -> Figure:
    return next(figure for figure in analysis.figures if figure.key == key)


def _beside(figure: Figure, known: Estimate) -> list[Any]:
    return [figure.title, figure, figure.estimate.n, known]


def _model(model: LearnedModel, campaign: Campaign) -> Table:
    evaluation = model.card["evaluation"]
    names = {
        "r": "Pearson r",
        "noise_ceiling": "noise ceiling, from the answers",
        "share_of_ceiling": "share of the ceiling reached",
        "rmse": "RMSE",
        "rmse_constant": "RMSE of a constant",
    }
    rows: list[list[Any]] = []
    for key, name in names.items():
        estimate = Estimate.from_dict(evaluation[key])
        rows.append([name, estimate, estimate.n])
    known = known_ceiling(campaign)
    rows.insert(2, ["noise ceiling, known of the model of readers", known, known.n])
    return Table("model", f"{model.name}: cross-validation with variants of one original together", ["", "value", "n"], rows)


def _attacks(study: Study) -> Table:
    runs = [AttackRun.objects.get(name=study.plan.run(victim, attacker)) for victim, attacker in study.plan.attacks]
    scorer = runs[0].summary["semantic_scorer"]
    rows = [[f"{run.attacker} against {victim_name(run.victim)}", *_measures(run.summary)] for run in runs]
    columns = ["attack", "texts", "success", "semantic", "character", "BODEGA score", "queries"]
    note = (
        "Success, BODEGA score and queries are means over all attacked texts, the semantic and character score over successes. "
        f"Semantic score: {scorer['name']} {scorer['version']}, not BLEURT. In brackets: 95 % intervals."
    )
    return Table("attacks", "Without a constraint on suspicion", columns, rows, note, styles={"success": "share"})


def _measures(summary: Mapping[str, Any]) -> list[Any]:
    scores = [Estimate.from_dict(summary[name]) for name in ("success", "semantic", "character", "bodega")]
    return [summary["attacked"], *scores, Estimate.from_dict(summary["queries"]["asked"])]


def _again(study: Study) -> Iterator[Table]:
    plan = study.plan
    for attacker in plan.again_attackers:
        run = AttackRun.objects.get(name=plan.run_again(attacker))
        yield Table(
            run.name, f"{run.attacker} against {victim_name(run.victim)}", ["", "without", "with"], list(_sides(run.comparison))
        )


def _robustness(study: Study) -> list[Table]:
    measurement = RobustnessMeasurement.objects.get(name=study.plan.measurement)
    return [overview(measurement), *curves(measurement)]


def _sides(comparison: Mapping[str, Any]) -> Iterator[list[Any]]:
    """What each run reached; then, of texts on which both succeed, how suspicious they look to the model."""
    names = {
        "success": ("success", "share"),
        "success_kept": ("success, without texts that seem to fool the model", "share"),
        "bodega": ("BODEGA score", "number"),
        "queries": ("queries per text", "number"),
        "suspicion": ("predicted suspicion of successes", "number"),
    }
    for key, (name, style) in names.items():
        sides = (Estimate.from_dict(comparison[side][key]) for side in ("first", "second"))
        yield [name, *(Figure(key, name, estimate, style) for estimate in sides)]
    yield ["texts that seem to fool the model", *(comparison[side]["set_aside"] for side in ("first", "second"))]
    paired = comparison["paired"]
    yield ["predicted suspicion where both succeed", Estimate.from_dict(paired["first"]), Estimate.from_dict(paired["second"])]
    yield ["of these: lowered", None, comparison["lowered"]]
    yield ["of these: equal", None, comparison["equal"]]
    yield ["of these: raised", None, comparison["raised"]]
    yield [f"successes above tau = {comparison['tau']:g}", comparison["to_lower"], None]
    yield ["of these: also attacked at or below tau", None, comparison["brought_under"]]
