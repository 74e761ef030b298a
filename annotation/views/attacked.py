"""A run's texts: looking through them, sending the successes to a campaign, asking a model about them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.errors import DomainError
from annotation.exchange.origin import SIMULATED_MODEL
from annotation.forms.outcomes import OutcomeFilterForm
from annotation.forms.sending import SendForm
from annotation.models import Outcome
from annotation.numbers import whole
from annotation.queries.lists import models_seen_by, organised_by, runs_seen_by
from annotation.queries.outcomes import STATUSES, Page, counts_of, models_asked, page_of, texts_of
from annotation.services.attacking import ask_suspicion
from annotation.services.sending import planned, send
from scoring.texts.diff import word_diff
from scoring.wording import counted

from .access import Request, organisers_only, seen_run
from .runs import simulated
from .telling import tell

TEXTS_PER_PAGE = 10


@never_cache
@require_safe
@organisers_only
def texts(request: Request, pk: int) -> HttpResponse:
    """The texts with what was changed in them and how they score, page by page."""
    run = seen_run(request, pk)
    form = OutcomeFilterForm(models_asked([run], models_seen_by(request.user)), request.GET)
    form.is_valid()
    if form.has_wrong_choice:
        raise Http404
    counts, page, model = counts_of(run), Page([], 1, 0, None, None), None
    if form.is_valid():
        model = form.model
        page = page_of(texts_of(run, form.wanted), size=TEXTS_PER_PAGE, number=form.cleaned_data["page"] or 1)
    given = form.given()
    context = {
        "here": "attacks",
        "run": run,
        "form": form,
        "states": [(status, STATUSES[status], count) for status, count in counts.items()],
        "all": sum(counts.values()),
        "show": given.get("show", ""),
        "narrowed": bool(given.get("q")),
        "arranged": any(name in given for name in ("q", "order", "by")),
        "model": model,
        "page": page,
        "rows": [_row(outcome) for outcome in page.outcomes],
        "query": urlencode(given),
        "others": urlencode({name: value for name, value in given.items() if name != "show"}),
        "simulated": simulated(run) or (SIMULATED_MODEL if model and model.simulated else ""),
    }
    return render(request, "attacks/texts.html", context)


def _row(outcome: Outcome) -> dict[str, Any]:
    """A text as the page shows it, with both sides of the difference where it was changed."""
    example = outcome.example
    return {
        "outcome": outcome,
        "example": example,
        "diff": word_diff(example.before.text, example.after.text) if example else None,
        "status": STATUSES[outcome.status],
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def send_successes(request: Request, pk: int) -> HttpResponse:
    """The form; with what was asked for in the address, what it comes to; posted, make the items."""
    run = seen_run(request, pk)
    given = request.POST if request.method == "POST" else request.GET
    runs = runs_seen_by(request.user).exclude(pk=pk)
    form = SendForm(run, given or None, campaigns=organised_by(request.user), runs=runs)
    context: dict[str, Any] = {
        "here": "attacks",
        "run": run,
        "form": form,
        "plan": None,
        "problem": "",
        "asked": [(name, value) for name in request.GET for value in request.GET.getlist(name)],
        "simulated": simulated(run),
    }
    if form.is_bound and form.is_valid():
        try:
            if request.method == "POST":
                campaign, added = send(run=run, wanted=form.wanted, by=request.user)
                messages.success(request, f"Added {counted(added, 'item')} from “{run.name}”.")
                return redirect("items", campaign.name)
            context["plan"] = planned(run=run, wanted=form.wanted)
        except DomainError as refused:
            context["problem"] = str(refused)
    status = 422 if form.is_bound and (form.errors or context["problem"]) else 200
    return render(request, "attacks/send.html", context, status=status)


@require_POST
@organisers_only
def suspicion(request: Request, pk: int) -> HttpResponse:
    """Have a model say how suspicious the run's successes look."""
    run = seen_run(request, pk)
    model = models_seen_by(request.user).filter(pk=whole(request.POST.get("model", "")) or 0).first()
    if model is None:
        messages.error(request, "Choose one of the models.")
    else:
        tell(request, lambda: ask_suspicion(run=run, model=model, by=request.user), f"“{model.name}” is asked.")
    return redirect(reverse("attack", args=[pk]))
