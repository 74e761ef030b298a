"""Coming in: invitation links, the information sheet, consent."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.errors import DomainError, InvitationError
from annotation.forms.people import JoinForm
from annotation.protocols import protocol_of
from annotation.queries.lists import answered_in_by
from annotation.services.people import consent, has_consented, invitation_for, register
from annotation.services.people import join as join_campaign

from .access import Request, joined, signed_in


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What the invitation is for; a new account, or one button for somebody who is signed in."""
    try:
        campaign = invitation_for(token).campaign
    except InvitationError as refused:
        return render(request, "people/bad_invitation.html", {"problem": refused}, status=404)
    form = JoinForm(request.POST if request.method == "POST" and not request.user.is_authenticated else None)
    problem: DomainError | None = None
    if request.method == "POST":
        try:
            if request.user.is_authenticated:
                join_campaign(token=token, user=request.user)
                return redirect("sheet", campaign.name)
            if form.is_valid():
                login(request, register(token=token, **form.cleaned_data))
                return redirect("sheet", campaign.name)
        except DomainError as refused:
            problem = refused
    context = {"campaign": campaign, "protocol": protocol_of(campaign), "form": form, "problem": problem}
    status = 422 if request.method == "POST" else 200
    return render(request, "people/join.html", context, status=status)


@require_http_methods(["GET", "POST"])
@signed_in
def sheet(request: Request, name: str) -> HttpResponse:
    """The information sheet with the guidelines; annotators agree to it here."""
    campaign = joined(request, name)
    current = campaign.sheets.first()
    annotates = answered_in_by(request.user).filter(pk=campaign.pk).exists()
    if request.method == "POST" and annotates:
        if current is not None and request.POST.get("sheet") != str(current.pk):
            messages.add_message(request, messages.WARNING, "The sheet was changed meanwhile. Please read it again.")
            return redirect("sheet", name)
        if request.POST.get("agree") == "yes":
            if current is not None:
                consent(sheet=current, user=request.user)
            return redirect("work", name)
        messages.add_message(request, messages.ERROR, "Tick the box to take part; if you do not agree, just leave this page.")
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "sheet": current,
        "annotates": annotates,
        "agreed": has_consented(campaign=campaign, user=request.user),
    }
    return render(request, "people/sheet.html", context)
