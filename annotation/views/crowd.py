"""The address to which a crowd platform sends people."""

from __future__ import annotations

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.errors import DomainError
from annotation.models import Campaign, Entrance, User
from annotation.protocols import protocol_of
from annotation.services import limits
from annotation.services.crowd import coming_back, enter, ids_from
from annotation.services.people import has_consented

from .signing import address_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def crowd(request: HttpRequest, name: str) -> HttpResponse:
    """What the study is, then one button. Nothing is made before it is pressed: platforms and browsers open addresses ahead."""
    campaign = get_object_or_404(Campaign.objects.select_related("entrance"), name=name, entrance__kind=Entrance.Kind.CROWD)
    context = {
        "campaign": campaign,
        "entrance": campaign.entrance,
        "protocol": protocol_of(campaign),
        "sheet": campaign.sheets.first(),
    }
    signed_in_as = request.user if isinstance(request.user, User) else None
    try:
        ids = ids_from(campaign.entrance, request.GET)
        context["ids"] = ids
        context["visit"] = visit = coming_back(campaign=campaign, ids=ids, user=signed_in_as)
        if visit is not None and visit.user == signed_in_as and visit.completed_at:
            return redirect("work", campaign.name)
        if request.method == "POST":
            limits.count((limits.CROWD_VISITS, address_of(request)))
            # An account that a platform's visit made has no password: whoever signed in has another use for this session.
            if signed_in_as is not None and signed_in_as.has_usable_password():
                who = signed_in_as.username
                raise DomainError(f"You are signed in as {who}; sign out first or use a private window.")
            user = enter(campaign=campaign, ids=ids, user=signed_in_as)
            if user != signed_in_as:
                login(request, user)
            back_at_work = has_consented(campaign=campaign, user=user) or (visit is not None and visit.completed_at)
            return redirect("work" if back_at_work else "sheet", campaign.name)
    except DomainError as refused:
        return render(request, "people/crowd.html", context | {"problem": refused}, status=422)
    return render(request, "people/crowd.html", context)
