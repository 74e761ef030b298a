"""Rounds of retraining: all series, one of them, beginning one, its next round, training a version, taking a round back."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import DomainError
from annotation.exchange.rounds import SIMULATED_ROUNDS, report_of
from annotation.forms.rounds import NextRoundForm, StartSeriesForm
from annotation.models import Job, Series
from annotation.numbers import whole
from annotation.queries.jobs import NEXT_ROUND, ROUND_JOBS, TRAINED_VERSION, shown_jobs
from annotation.queries.rounds import rounds_of, series_seen_by
from annotation.services.jobs import enqueue
from annotation.services.rounds import check_next, drop_round, start_series
from annotation.services.versions import check_trainable

from .access import Request, organisers_only, signed_in
from .jobs import shown
from .telling import tell


@never_cache
@require_safe
@organisers_only
def all_series(request: Request) -> HttpResponse:
    """All series that the person may see."""
    return render(request, "rounds/list.html", {"here": "models", "all_series": series_seen_by(request.user)})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def start(request: Request) -> HttpResponse:
    """Begin a series; `campaign` proposes one that was judged."""
    if request.method != "POST":
        return _start_page(request, StartSeriesForm(request.user, proposed=request.GET.get("campaign", "")))
    form = StartSeriesForm(request.user, request.POST)
    if form.is_valid():
        try:
            return redirect("series", start_series(by=request.user, **form.wanted).pk)
        except DomainError as refused:
            form.add_error(None, str(refused))
    return _start_page(request, form)


@never_cache
@require_safe
@signed_in
def series(request: Request, pk: int) -> HttpResponse:
    """One series: its versions, what people said from round to round, and what comes next."""
    seen = _seen(request, pk)
    rounds = rounds_of(seen)
    jobs = _jobs(request, seen)
    last, report = rounds[-1], report_of(seen, rounds)
    answered = report.answers[-1][0]
    context = {
        "here": "models",
        "series": seen,
        "rounds": [(each, *answers) for each, answers in zip(rounds, report.answers, strict=True)],
        "report": report,
        "simulated": SIMULATED_ROUNDS if seen.simulated else "",
        "last": last,
        "may_train": last.model is None and answered > 0,
        "may_drop": last.number > 1 and last.model is None and not answered,
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
    }
    return render(request, "rounds/series.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def next_round(request: Request, pk: int) -> HttpResponse:
    """Have a worker select what is judged next."""
    seen = _seen(request, pk)
    form = NextRoundForm(request.user, seen, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            check_next(seen, form.wanted)
            enqueue(kind=NEXT_ROUND, arguments=form.arguments, by=request.user, alone=_mark(seen))
        except DomainError as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("series", pk)
    context = {"here": "models", "series": seen, "form": form, "last": rounds_of(seen)[-1]}
    return render(request, "rounds/next.html", context, status=422 if form.is_bound else 200)


@require_POST
@signed_in
def train(request: Request, pk: int) -> HttpResponse:
    """Have a worker train the version of the last round."""
    seen = _seen(request, pk)

    def queue() -> None:
        check_trainable(seen)
        enqueue(kind=TRAINED_VERSION, arguments={"series": seen.name}, by=request.user, alone=_mark(seen))

    tell(request, queue, "A worker trains the version.")
    return redirect("series", pk)


@require_POST
@signed_in
def drop(request: Request, pk: int) -> HttpResponse:
    """Take back the last round, whose number is sent along."""
    seen = _seen(request, pk)
    number = whole(request.POST.get("number", "")) or 0
    tell(request, lambda: drop_round(series=seen, number=number), "The round was taken back. Its campaign is still there.")
    return redirect("series", pk)


def _seen(request: Request, pk: int) -> Series:
    """A series all of whose campaigns the person organises."""
    found: Series = get_object_or_404(series_seen_by(request.user), pk=pk)
    return found


def _mark(series: Series) -> str:
    """One thing at a time in a series."""
    return f"rounds:{series.pk}"


def _jobs(request: Request, series: Series) -> list[Job]:
    return [job for job in shown_jobs(request.user, ROUND_JOBS) if job.arguments["series"] == series.name]


def _start_page(request: Request, form: StartSeriesForm) -> HttpResponse:
    context: dict[str, Any] = {"here": "models", "form": form}
    return render(request, "rounds/start.html", context, status=422 if form.is_bound else 200)
