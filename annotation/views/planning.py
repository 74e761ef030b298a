"""The planner: how many items and judgements a study needs, before anybody is asked."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.forms.planning import FORMS

from .access import Request, organisers_only


@require_safe
@organisers_only
def plan(request: Request) -> HttpResponse:
    """Every kind of plan, and the answer to the one that is wanted. Nothing is stored: the address says all."""
    wanted = request.GET.get("wanted", "")
    forms = {kind: form(request.GET if kind == wanted else None, auto_id=f"id_{kind}_%s") for kind, form in FORMS.items()}
    wrong = wanted in forms and not forms[wanted].is_valid()
    return render(request, "campaigns/plan.html", {"here": "campaigns", "forms": forms}, status=422 if wrong else 200)
