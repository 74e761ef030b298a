"""Making a campaign, opening, pausing and closing it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import DomainError
from annotation.exchange.importing import FORMATS, import_judgements
from annotation.forms.campaigns import CampaignFromFileForm, NewCampaignForm
from annotation.protocols import PROTOCOLS
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign, pause_campaign
from annotation.services.sheets import unfilled

from .access import Request, organised, organisers_only, signed_in


@require_POST
@signed_in
def open_(request: Request, name: str) -> HttpResponse:
    """Let annotators in."""
    campaign = organised(request, name)
    try:
        open_campaign(campaign=campaign, by=request.user)
    except DomainError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "The campaign is open. People who joined can answer now.")
        if gaps := unfilled(campaign.sheets.first()):
            messages.warning(request, f"The information sheet still has gaps that people can see: {', '.join(gaps)}.")
    return redirect("campaign", name)


@require_POST
@signed_in
def pause(request: Request, name: str) -> HttpResponse:
    """Hand out nothing for now."""
    try:
        pause_campaign(campaign=organised(request, name), by=request.user)
    except DomainError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "The campaign is paused: nobody is given an item. Answers that are under way still count.")
    return redirect("campaign", name)


@require_POST
@signed_in
def close(request: Request, name: str) -> HttpResponse:
    """Hand out no more items."""
    close_campaign(campaign=organised(request, name), by=request.user)
    messages.success(request, "The campaign is closed. Answers that are under way will be kept and marked as late.")
    return redirect("campaign", name)


@require_http_methods(["GET", "POST"])
@organisers_only
def new(request: Request) -> HttpResponse:
    """A campaign from a preset; its settings come next."""
    form = NewCampaignForm(request.POST or None)
    if form.is_valid():
        wanted = form.cleaned_data
        protocol, preset = wanted["preset"]
        try:
            campaign = create_campaign(
                name=wanted["name"], title=wanted["title"], protocol=protocol, preset=preset, created_by=request.user
            )
        except DomainError as refused:
            form.add_error("name", str(refused))
        else:
            messages.success(request, "The campaign is made. Look through its settings, then add the texts to be judged.")
            return redirect("settings", campaign.name)
    context = {"here": "campaigns", "form": form, "protocols": PROTOCOLS.values()}
    return render(request, "campaigns/new.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@organisers_only
def from_file(request: Request) -> HttpResponse:
    """A campaign from a file, all of it or nothing."""
    form = CampaignFromFileForm(request.POST or None, request.FILES or None)
    problem = None
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            campaign = import_judgements(wanted["file"], format=wanted["format"], name=wanted["name"], created_by=request.user)
        except DomainError as refused:
            problem = refused
        else:
            messages.success(request, f"{campaign.items.count():,} items were written.")
            return redirect("campaign", campaign.name)
    formats = [(key, known.title, ", ".join(known.columns)) for key, known in FORMATS.items()]
    context = {"here": "campaigns", "form": form, "problem": problem, "formats": formats}
    return render(request, "campaigns/new_from_file.html", context, status=422 if form.is_bound else 200)
