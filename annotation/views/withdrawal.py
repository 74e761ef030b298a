"""Withdrawing: what would go, then that it is gone."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.protocols import protocol_of
from annotation.queries.people import holdings_of
from annotation.services.withdrawal import promised
from annotation.services.withdrawal import withdraw as withdraw_from

from .access import Request, State, own_membership, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def withdraw(request: Request, name: str) -> HttpResponse:
    """Says exactly what will be erased or kept without a name, asks once, and does it."""
    member = own_membership(request, name, State.ACTIVE, State.PAUSED, State.DEACTIVATED)
    campaign, user = member.campaign, request.user
    outcome = promised(campaign=campaign, user=user)
    context = {"campaign": campaign, "protocol": protocol_of(campaign), "outcome": outcome, "holdings": holdings_of(member)}
    if request.method == "POST" and request.POST.get("sure") == "yes":
        withdraw_from(campaign=campaign, user=user)
        user.refresh_from_db()
        if not user.is_active:
            logout(request)
        return render(request, "people/withdrawn.html", context)
    if request.method == "POST":
        messages.error(request, "Tick the box if you are sure. Nothing was changed.")
    return render(request, "people/withdraw.html", context, status=422 if request.method == "POST" else 200)
