"""The start page: what there is, and what to do next."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import User
from annotation.queries.jobs import study_job
from annotation.queries.lists import (
    answered_in_by,
    compared_runs,
    models_seen_by,
    only_adjudicated_by,
    organised_by,
    with_progress,
)

from .cards import listed
from .jobs import shown
from .runs import side_by_side


@never_cache
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Signed out: what Passable is. Signed in: campaigns to organise or to answer in."""
    context: dict[str, Any] = {}
    if isinstance(request.user, User):
        context = shown(request, study_job() if request.user.is_organiser else None) | {
            "here": "campaigns",
            "organised": with_progress(organised_by(request.user)),
            "adjudicating": only_adjudicated_by(request.user),
            "answering": answered_in_by(request.user),
            "models": listed(models_seen_by(request.user)[:3]),
            "compared": side_by_side(compared_runs(request.user)[:3]),
        }
    return render(request, "start/start.html", context)
