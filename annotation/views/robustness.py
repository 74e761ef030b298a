"""How easily constraints are fooled: measurements, one of them with its curves, and what people say of texts that fool them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import DomainError
from annotation.exchange.downloads import media_type
from annotation.exchange.drawing import are_drawn
from annotation.exchange.origin import SIMULATED_MODEL
from annotation.exchange.report import with_plots
from annotation.exchange.report_files import table_files
from annotation.exchange.robustness import Verdict, curves, overview, plot_of, verdict_on
from annotation.forms.robustness import CurveForm, JudgeForm, RobustnessForm
from annotation.models import RobustnessMeasurement, SpoiledText
from annotation.numbers import whole
from annotation.protocols.analysis import Figure, Table
from annotation.queries.jobs import ROBUSTNESS_JOBS, shown_jobs
from annotation.queries.lists import measurements_seen_by, organised_by
from annotation.services.robustness import kind_of, send_sample, start_measurement
from attacks.errors import AttackError
from scoring.result import Estimate, ScoringError
from scoring.texts.diff import word_diff

from .access import Request, organisers_only, seen_measurement
from .jobs import shown

EXAMPLES_PER_PAGE = 10
MOST_PAGES = 1_000_000


@never_cache
@require_safe
@organisers_only
def measurements(request: Request) -> HttpResponse:
    """All measurements, and those that the person has running."""
    jobs = shown_jobs(request.user, ROBUSTNESS_JOBS)
    context = {
        "here": "robustness",
        "measurements": [
            (each, [(found["name"], Estimate.from_dict(found["accs"])) for found in each.result])
            for each in measurements_seen_by(request.user)
        ],
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
    }
    return render(request, "robustness/list.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def start(request: Request) -> HttpResponse:
    """Measure constraints; `show` shows the settings of the attacker that was chosen, where no script fetches them."""
    if "show" in request.POST:
        chosen = {**request.POST.dict(), "constraints": request.POST.getlist("constraints")}
        return render(
            request, "robustness/start.html", {"here": "robustness", "form": RobustnessForm(request.user, initial=chosen)}
        )
    form = RobustnessForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            start_measurement(wanted=form.measured, by=request.user)
            return redirect("robustness")
        except DomainError as refused:
            form.add_error(None, str(refused))
    context = {"here": "robustness", "form": form}
    return render(request, "robustness/start.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def curve(request: Request) -> HttpResponse:
    """ACCS of a curve that was made elsewhere; nothing of the file is kept."""
    form = CurveForm(request.POST, request.FILES) if request.method == "POST" else CurveForm()
    context: dict[str, Any] = {"here": "robustness", "form": form}
    if form.is_valid():
        try:
            accs, points = form.found
        except (AttackError, ScoringError) as refused:
            form.add_error("file", str(refused))
        else:
            context |= {
                "figure": Figure("accs", "ACCS", accs, scale=(0, 1)),
                "table": Table(
                    "curve",
                    "The curve, the strictest threshold first",
                    ["threshold", "first order", "second order"],
                    [[f"{at:g}", *rates] for at, *rates in points],
                    "Rates only rise as the threshold loosens: where one fell, the one before it stands.",
                ),
            }
    return render(request, "robustness/curve.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
@organisers_only
def measurement(request: Request, pk: int) -> HttpResponse:
    """One measurement."""
    return _page(request, seen_measurement(request, pk))


@require_POST
@organisers_only
def judge(request: Request, pk: int) -> HttpResponse:
    """Make a draft of a suspicion campaign with spoiled texts and their originals."""
    seen = seen_measurement(request, pk)
    form = JudgeForm(seen, request.POST)
    if form.is_valid():
        name, title = form.called
        try:
            campaign = send_sample(draw=form.wanted, name=name, title=title, by=request.user)
        except DomainError as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, "The campaign is a draft. Look at its items, invite people, and open it.")
            return redirect("campaign", campaign.name)
    return _page(request, seen, form)


@never_cache
@require_safe
@organisers_only
def measurement_file(request: Request, pk: int, file: str) -> HttpResponse:
    """One of the tables of a measurement, as CSV or LaTeX."""
    seen = seen_measurement(request, pk)
    tables = [overview(seen), *curves(seen), *(each.table for each in _verdicts(request, seen))]
    content = table_files(tables, name=seen.name, simulated=_notice(seen)).get(file)
    if content is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="robustness-{pk}-{file}"'}
    return HttpResponse(content, content_type=media_type(file), headers=headers)


def _verdicts(request: Request, seen: RobustnessMeasurement) -> list[Verdict]:
    """Of the samples whose campaigns the person organises, the newest first."""
    samples = seen.samples.filter(campaign__in=organised_by(request.user)).select_related("campaign").order_by("-pk")
    return [verdict_on(sample) for sample in samples]


def _notice(seen: RobustnessMeasurement) -> str:
    return SIMULATED_MODEL if seen.simulated else ""


def _page(request: Request, seen: RobustnessMeasurement, refused: JudgeForm | None = None) -> HttpResponse:
    """The measurement. Where its plot has to be drawn first, the page comes at once and fetches it then."""
    draw = "plots" in request.GET or are_drawn([plot_of(seen.result)])
    found = overview(seen)
    names = [each["name"] for each in seen.result]
    chosen = request.GET.get("constraint") or names[0]
    if chosen not in names:
        raise Http404
    context = {
        "here": "robustness",
        "measurement": seen,
        "facts": list(_facts(seen)),
        "tables": with_plots([found]) if draw else [(found, "")],
        "waiting": not draw,
        "curves": curves(seen),
        "names": names,
        "chosen": chosen,
        **_examples(seen, chosen, max(1, whole(request.GET.get("page", "")) or 1)),
        "verdicts": _verdicts(request, seen),
        "form": refused or JudgeForm(seen),
        "simulated": _notice(seen),
    }
    return render(request, "robustness/measurement.html", context, status=422 if refused else 200)


def _facts(seen: RobustnessMeasurement) -> list[tuple[str, str]]:
    asked = seen.asked
    return [
        ("task", asked["task"]),
        ("victim", asked["victim"]),
        ("attacker", asked["attacker"]),
        ("scenario", "targeted" if asked["targeted"] else "untargeted"),
        ("queries per text", "no limit" if asked["budget"] is None else f"{asked['budget']:,}"),
        ("words spoiled", f"{asked['damages']:,}"),
        ("seed", str(asked["seed"])),
    ]


def _examples(seen: RobustnessMeasurement, constraint: str, number: int) -> dict[str, Any]:
    """A page of the spoiled texts that fool the constraint most, with what was done to them."""
    best_first = "score" if kind_of(seen, constraint).loosest == "highest" else "-score"
    spoiled = seen.spoiled.filter(constraint=constraint).order_by(best_first, "number")
    start = (min(number, MOST_PAGES) - 1) * EXAMPLES_PER_PAGE
    rows = list(spoiled[start : start + EXAMPLES_PER_PAGE + 1])
    return {
        "examples": [_example(row) for row in rows[:EXAMPLES_PER_PAGE]],
        "before": number - 1,
        "after": number + 1 if len(rows) > EXAMPLES_PER_PAGE else 0,
    }


def _example(row: SpoiledText) -> dict[str, Any]:
    return {"spoiled": row, "diff": word_diff(row.original, row.text), "damages": ", ".join(row.damages)}
