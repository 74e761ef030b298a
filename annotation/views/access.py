"""Who may open what: one function per kind of object. Whoever may not see it gets 404, so that ids tell nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django_htmx.middleware import HtmxDetails

from annotation.models import AttackRun, Campaign, Claim, SuspicionModel, User
from annotation.queries.lists import answered_in_by, claims_of, joined_by, models_seen_by, organised_by, runs_seen_by


class Request(HttpRequest):
    """A request as views behind `signed_in` get it."""

    user: User
    htmx: HtmxDetails


View = Callable[..., HttpResponseBase]


def signed_in(view: View) -> View:
    """Send strangers to the sign-in page. A script's request gets 401 instead, for a redirect would look like success."""

    @wraps(view)
    def checked(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.htmx or request.headers.get("Sec-Fetch-Mode") == "cors":
            return HttpResponse("You are signed out.", status=401, content_type="text/plain")
        # After signing in, an address that only takes POST would answer 405.
        return redirect_to_login(request.get_full_path() if request.method == "GET" else "/")

    return checked


def organisers_only(view: View) -> View:
    """For pages that belong to no campaign."""

    @signed_in
    @wraps(view)
    def checked(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_organiser:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked


def organised(request: Request, name: str) -> Campaign:
    """A campaign that the person organises."""
    return get_object_or_404(organised_by(request.user), name=name)


def answered(request: Request, name: str) -> Campaign:
    """A campaign that the person answers in."""
    return get_object_or_404(answered_in_by(request.user), name=name)


def joined(request: Request, name: str) -> Campaign:
    """A campaign that the person organises or answers in."""
    return get_object_or_404(joined_by(request.user), name=name)


def own_claim(request: Request, name: str, claim_id: int) -> Claim:
    """A claim that the person holds or held in that campaign."""
    return get_object_or_404(claims_of(request.user, name), pk=claim_id)


def seen_model(request: Request, pk: int) -> SuspicionModel:
    """A model trained on a campaign that the person organises."""
    return get_object_or_404(models_seen_by(request.user), pk=pk)


def seen_run(request: Request, pk: int) -> AttackRun:
    """An attack run."""
    return get_object_or_404(runs_seen_by(request.user), pk=pk)
