"""Drawing a sample: say what, see what it comes to, add it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.errors import DomainError
from annotation.forms.files import SampleForm
from annotation.protocols import protocol_of
from annotation.queries.lists import runs_seen_by
from annotation.queries.uploads import kept_uploads
from annotation.services.sampling import STRATA, add_sample, draw_sample
from scoring.wording import counted

from .access import Request, organised, signed_in
from .frame import campaign_page


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def sample(request: Request, name: str) -> HttpResponse:
    """The form; with what was asked for in the address, what would be drawn; posted, draw it and add the items."""
    campaign = organised(request, name)
    given = request.POST if request.method == "POST" else request.GET
    protocol = protocol_of(campaign)
    runs, kept = runs_seen_by(request.user), kept_uploads(request.user)
    form = SampleForm(given or None, runs=runs, uploads=kept, pair=protocol.pair)
    nothing = not runs.exists() and not kept.exists()
    context: dict[str, Any] = {
        "form": form,
        "sample": None,
        "columns": [],
        "problem": "",
        "asked": _asked(request),
        "no_sources": nothing,
    }
    if form.is_bound and form.is_valid():
        sources = {"runs": form.cleaned_data["runs"], "uploads": form.cleaned_data["uploads"], "plan": form.plan}
        try:
            if request.method == "POST":
                made = add_sample(campaign=campaign, by=request.user, **sources)
                messages.success(request, f"Added {counted(len(made), 'item')} from a sample.")
                return redirect("items", name)
            context |= {"sample": draw_sample(campaign=campaign, **sources), "columns": [STRATA[key] for key in form.plan.by]}
        except DomainError as refused:
            context["problem"] = str(refused)
    status = 422 if form.is_bound and (form.errors or context["problem"]) else 200
    return campaign_page(request, "files/sample.html", campaign, "import", context, status=status)


def _asked(request: Request) -> list[tuple[str, str]]:
    """What was asked for, as hidden fields of the form that adds it."""
    return [(name, value) for name in request.GET for value in request.GET.getlist(name)]
