"""Learned models and their cards."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.exchange.origin import SIMULATED_MODEL
from annotation.queries.lists import models_seen_by

from .access import Request, organisers_only, seen_model, signed_in
from .cards import Code, shown


@require_safe
@organisers_only
def models(request: Request) -> HttpResponse:
    """All models of the person's campaigns."""
    return render(request, "models/list.html", {"here": "models", "models": models_seen_by(request.user)})


@require_safe
@signed_in
def model(request: Request, pk: int) -> HttpResponse:
    """One model's card."""
    seen = seen_model(request, pk)
    card = shown(seen)
    context = {
        "here": "models",
        "model": seen,
        "simulated": SIMULATED_MODEL if seen.simulated else "",
        "figures": card.figures,
        "tables": card.tables,
        "facts": [*card.facts, ("SHA-256 of the model's folder", Code(seen.sha256))],
    }
    return render(request, "models/model.html", context)
