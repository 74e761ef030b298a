"""Coming in: invitation links, registration where it is open, the information sheet, consent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.errors import DomainError, InvitationError
from annotation.forms.people import JoinForm
from annotation.models import Campaign, Entrance, Membership, Role, User
from annotation.protocols import protocol_of
from annotation.queries.lists import answered_in_by, organised_by
from annotation.services import limits
from annotation.services.people import (
    consent,
    has_consented,
    invitation_for,
    join_openly,
    lets_anybody_in,
    register,
    register_openly,
)
from annotation.services.people import join as join_campaign

from .access import Request, joined, signed_in
from .signing import address_of


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What the invitation is for; a new account, or one button for somebody who is signed in."""
    try:
        invitation = invitation_for(token)
    except InvitationError as refused:
        return render(request, "people/bad_invitation.html", {"problem": refused}, status=404)

    def make_account(username: str, password: str) -> User:
        return register(token=token, username=username, password=password)

    def let_in(user: User) -> Membership:
        return join_campaign(token=token, user=user)

    return _come_in(request, invitation.campaign, Role(invitation.role), make_account, let_in)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def open_registration(request: HttpRequest, name: str) -> HttpResponse:
    """A new account for anybody, where the campaign lets anybody register."""
    campaign = get_object_or_404(Campaign, name=name, entrance__kind=Entrance.Kind.OPEN)
    try:
        lets_anybody_in(campaign)
    except DomainError as refused:
        return render(request, "people/bad_invitation.html", {"problem": refused}, status=404)

    def make_account(username: str, password: str) -> User:
        return register_openly(campaign=campaign, username=username, password=password)

    def let_in(user: User) -> Membership:
        return join_openly(campaign=campaign, user=user)

    return _come_in(request, campaign, Role.ANNOTATOR, make_account, let_in)


def _come_in(
    request: HttpRequest,
    campaign: Campaign,
    role: Role,
    make_account: Callable[[str, str], User],
    let_in: Callable[[User], Membership],
) -> HttpResponse:
    form = JoinForm(request.POST if request.method == "POST" and not request.user.is_authenticated else None)
    problem: DomainError | None = None
    if request.method == "POST":
        try:
            if isinstance(request.user, User):
                let_in(request.user)
                return _inside(campaign, role)
            if form.is_valid():
                with _counted(address_of(request)):
                    user = make_account(form.cleaned_data["username"], form.cleaned_data["password"])
                login(request, user)
                return _inside(campaign, role)
        except DomainError as refused:
            problem = refused
    context = {"campaign": campaign, "protocol": protocol_of(campaign), "role": role, "form": form, "problem": problem}
    return render(request, "people/join.html", context, status=422 if request.method == "POST" else 200)


@contextmanager
def _counted(address: str) -> Iterator[None]:
    """A new account from this address; one that is refused does not count."""
    one = limits.NEW_ACCOUNTS, address
    limits.count(one)
    try:
        yield
    except DomainError:
        limits.take_back(one)
        raise


def _inside(campaign: Campaign, role: Role) -> HttpResponse:
    """Annotators read the sheet first, organisers see the campaign; adjudicators find it on the start page."""
    if role == Role.ANNOTATOR:
        return redirect("sheet", campaign.name)
    return redirect("campaign", campaign.name) if role == Role.ORGANISER else redirect("start")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def sheet(request: Request, name: str) -> HttpResponse:
    """The information sheet with the guidelines; annotators agree to it here, statement by statement."""
    campaign = joined(request, name)
    current = campaign.sheets.first()
    annotates = answered_in_by(request.user).filter(pk=campaign.pk).exists()
    ticked: list[str] = []
    if request.method == "POST":
        if not annotates:
            raise Http404
        if current is None:
            return redirect("work", name)
        if request.POST.get("sheet") != str(current.pk):
            messages.add_message(request, messages.WARNING, "The sheet was changed meanwhile. Please read it again.")
            return redirect("sheet", name)
        ticked = request.POST.getlist("agree")
        if set(ticked) >= {str(number) for number in range(1, len(current.consent_form) + 1)}:
            consent(sheet=current, user=request.user)
            return redirect("work", name)
        wanted = "Tick every statement to take part; if you do not agree with one, just leave this page."
        messages.add_message(request, messages.ERROR, wanted)
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "sheet": current,
        "statements": [
            (str(number), statement, str(number) in ticked)
            for number, statement in enumerate(current.consent_form if current else [], start=1)
        ],
        "annotates": annotates,
        "organises": organised_by(request.user).filter(pk=campaign.pk).exists(),
        "agreed": has_consented(campaign=campaign, user=request.user),
        "read_before": annotates and request.user.consents.filter(sheet__campaign=campaign).exists(),
    }
    return render(request, "people/sheet.html", context, status=422 if request.method == "POST" else 200)
