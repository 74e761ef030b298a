"""Attack runs: one by one, and those under the suspicion constraint beside the same attack without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.exchange.origin import SIMULATED_MODEL
from annotation.models import AttackRun, LearnedModel
from annotation.protocols.analysis import Figure
from annotation.queries.jobs import ATTACK_JOBS, SUSPICION, shown_jobs
from annotation.queries.lists import compared_runs, models_seen_by, runs_seen_by
from annotation.queries.outcomes import STATUSES
from annotation.services.runs import SAID
from attacks.names import victim_name
from scoring.result import Estimate
from scoring.wording import counted, shown_interval, shown_number, shown_value

from .access import Request, organisers_only, seen_run
from .jobs import shown

QUERIES = {
    "asked": "asked by the search",
    "unique": "different ones of these",
    "sent": "sent to the victim, after the cache",
}
"""What the three counts of queries count."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a comparison: what is compared, and each side with its interval below."""

    title: str
    sides: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A run under a constraint beside its baseline. `findings` are sentences about the texts that both attacks changed."""

    run: AttackRun
    lines: list[Line]
    findings: list[str]
    simulated: str

    @property
    def by_margin(self) -> bool:
        """Whether the limit is one above each original, rather than the same for all."""
        return self.run.comparison["tau"] is None


@never_cache
@require_safe
@organisers_only
def attacks(request: Request) -> HttpResponse:
    """All attack runs and all comparisons, and the attacks that the person has running."""
    jobs = shown_jobs(request.user, ATTACK_JOBS)
    context = {
        "here": "attacks",
        "runs": runs_seen_by(request.user),
        "compared": side_by_side(compared_runs(request.user)),
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
    }
    return render(request, "attacks/list.html", context)


@never_cache
@require_safe
@organisers_only
def attack(request: Request, pk: int) -> HttpResponse:
    """One run's figures, its statuses, and its comparison if there is one."""
    run = seen_run(request, pk)
    jobs = [job for job in shown_jobs(request.user, (SUSPICION,)) if job.arguments["run"] == run.name]
    context = {
        "here": "attacks",
        "run": run,
        "figures": list(_figures(run.summary)) if run.summary else [],
        "statuses": [(status, STATUSES[status], count) for status, count in run.summary.get("statuses", {}).items()],
        "facts": list(_facts(run.summary)) if run.summary else [],
        "compared": side_by_side([run] if run.comparison else []),
        "simulated": simulated(run),
        "successes": run.outcomes.filter(status="success").count(),
        "models": models_seen_by(request.user).filter(kind=LearnedModel.Kind.SUSPICION),
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
    }
    return render(request, "attacks/run.html", context)


def simulated(run: AttackRun) -> str:
    """The sentence that marks a run whose constraint learned from simulated readers; empty for any other."""
    return SIMULATED_MODEL if run.model is not None and run.model.simulated else ""


def side_by_side(runs: Iterable[AttackRun]) -> list[SideBySide]:
    """The stored comparisons, ready to be shown."""
    return [
        SideBySide(
            run=run,
            lines=list(_lines(run.comparison["first"], run.comparison["second"])),
            findings=list(_findings(run.comparison)),
            simulated=simulated(run),
        )
        for run in runs
    ]


def _lines(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[Line]:
    measures = (
        ("success", "attacks that succeed", "share"),
        ("success_kept", "without successes set aside", "share"),
        ("bodega", "BODEGA score", "number"),
        ("queries", "queries per text", "count"),
        ("suspicion", "predicted suspicion of successes", "number"),
    )
    for key, title, style in measures:
        yield Line(title, [_side(Estimate.from_dict(side[key]), style) for side in (first, second)])
    yield Line("successes set aside", [(f"{side['set_aside']:,}", "") for side in (first, second)])


def _side(estimate: Estimate, style: str) -> tuple[str, str]:
    """The value, and below it the bounds of its interval or why there is no value."""
    if estimate.value is None:
        return shown_value(estimate), estimate.reason.message if estimate.reason else ""
    shown = partial(shown_number, style=style)
    interval = estimate.interval
    return shown(estimate.value), f"{shown(interval.low)} to {shown(interval.high)}" if interval else ""


def _findings(comparison: Mapping[str, Any]) -> Iterator[str]:
    paired = {name: Estimate.from_dict(stored) for name, stored in comparison["paired"].items()}
    difference = paired["difference"]
    if difference.value is None:
        yield "There is no text on which both attacks succeed."
    else:
        means = [shown_value(paired[name]) for name in ("first", "second")]
        bounds = f" ({shown_interval(difference)})" if difference.interval else ""
        lower = counted(comparison["lowered"], "text is", "texts are")
        yield (
            f"On the {counted(difference.n, 'text')} on which both succeed, mean predicted suspicion goes from {means[0]} to "
            f"{means[1]}, a difference of {shown_value(difference)}{bounds}: {lower} lower, "
            f"{comparison['equal']:,} the same, {comparison['raised']:,} higher."
        )
    if comparison["tau"] is not None:
        yield (
            f"{comparison['to_lower']:,} successes of the first attack lie above {shown_number(comparison['tau'])}; the second "
            f"succeeds on {comparison['brought_under']:,} of these texts at or below it."
        )


def _figures(summary: Mapping[str, Any]) -> Iterator[Figure]:
    scorer = (summary["run"]["semantic_scorer"] or {"name": "nothing"})["name"]
    measures = (
        ("success", "Attacks that succeed", "share", "of all texts attacked", (0.0, 1.0)),
        ("bodega", "BODEGA score", "number", "product of the three parts, failures count as 0", (0.0, 1.0)),
        ("semantic", "Semantic score", "number", f"by {scorer}", (0.0, 1.0)),
        ("character", "Character score", "number", "Levenshtein, normalised", (0.0, 1.0)),
    )
    for key, title, style, detail, scale in measures:
        yield Figure(key, title, Estimate.from_dict(summary[key]), style=style, detail=detail, scale=scale)


def _facts(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    header = summary["run"]
    yield "task", f"{header['task']['name']}, {counted(header['task']['n'], 'text')}"
    yield "victim", f"{victim_name(header['victim']['name'])}, SHA-256 {header['victim']['sha256']}"
    yield "attacker", _described(header["attacker"])
    for constraint in header["constraints"]:
        yield "constraint", _constraint(constraint)
    yield "scenario", header["scenario"]
    yield "budget", "none" if header["budget"] is None else f"{header['budget']:,} queries per text"
    for kind, meaning in QUERIES.items():
        mean, bounds = _side(Estimate.from_dict(summary["queries"][kind]), "count")
        yield "queries per text", f"{mean} {meaning}{f' ({bounds})' if bounds else ''}"
    yield "seed", str(header["seed"])
    if aside := summary.get("set_aside"):
        yield "successes set aside", f"{aside['count']:,}: predicted suspicion more than {aside['margin']:g} below the original’s"
    if scorer := header["semantic_scorer"]:
        yield "semantic scores by", f"{scorer['name']} {scorer['version']}, SHA-256 {scorer['sha256']}"


def _constraint(constraint: Mapping[str, Any]) -> str:
    if constraint["name"] not in SAID:
        return _described(constraint)
    sha256 = constraint.get("model_sha256")
    return SAID[constraint["name"]](constraint) + (f", model SHA-256 {sha256}" if sha256 else "")


def _described(part: Mapping[str, Any]) -> str:
    rest = _listed({name: value for name, value in part.items() if name != "name"})
    name = str(part["name"]).replace("_", " ")
    return f"{name}: {rest}" if rest else name


def _listed(values: Mapping[str, Any]) -> str:
    named = ((name.replace("_", " "), value) for name, value in values.items())
    return ", ".join(f"{name} {_value(value)}" for name, value in named)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _listed(value) if isinstance(value, Mapping) else str(value)
