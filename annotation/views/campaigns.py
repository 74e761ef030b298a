"""A campaign as its organiser sees it: overview, opening and closing, inviting people, making a new one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import DomainError
from annotation.exchange.importing import FORMATS, import_judgements
from annotation.exchange.origin import SIMULATED, origin_of
from annotation.forms.campaigns import NewCampaignForm
from annotation.forms.people import InvitationForm
from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.queries.jobs import training_job
from annotation.queries.lists import annotators_of, invitations_of, models_of
from annotation.queries.progress import progress_of
from annotation.services.campaigns import close_campaign, open_campaign
from annotation.services.people import invite as make_invitation

from .access import Request, organised, organisers_only, signed_in
from .jobs import shown


def campaign_page(
    request: Request, template: str, campaign: Campaign, tab: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """A page below the campaign's tabs; the title, the state and the mark of simulation stand above all of them."""
    common = {
        "here": "campaigns",
        "tab": tab,
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "item_count": campaign.items.count(),
        "simulated": SIMULATED if campaign.simulated else "",
    }
    return render(request, template, common | context, status=status)


@never_cache
@require_GET
@signed_in
def overview(request: Request, name: str) -> HttpResponse:
    """How far the campaign is, and what its organiser can do."""
    return _overview(request, organised(request, name), {"invitation": InvitationForm()})


@require_POST
@signed_in
def open_(request: Request, name: str) -> HttpResponse:
    """Let annotators in."""
    campaign = organised(request, name)
    try:
        open_campaign(campaign=campaign)
    except DomainError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "The campaign is open. People who joined can answer now.")
    return redirect("campaign", name)


@require_POST
@signed_in
def close(request: Request, name: str) -> HttpResponse:
    """Hand out no more items."""
    close_campaign(campaign=organised(request, name))
    messages.success(request, "The campaign is closed. Answers that are under way will be kept and marked as late.")
    return redirect("campaign", name)


@never_cache
@require_POST
@signed_in
def invite(request: Request, name: str) -> HttpResponse:
    """Make an invitation link and show it, this once: only its hash is kept."""
    campaign = organised(request, name)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _overview(request, campaign, {"invitation": form}, status=422)
    wanted = form.cleaned_data
    token = make_invitation(campaign=campaign, by=request.user, uses=wanted["uses"], lasts=wanted["days"])
    return _overview(request, campaign, {"invitation": InvitationForm(), "token": token})


@require_http_methods(["GET", "POST"])
@organisers_only
def new(request: Request) -> HttpResponse:
    """A campaign from a file, all of it or nothing."""
    form = NewCampaignForm(request.POST or None, request.FILES or None)
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
    return render(request, "campaigns/new.html", context, status=422 if form.is_bound else 200)


def _overview(request: Request, campaign: Campaign, context: dict[str, Any], status: int = 200) -> HttpResponse:
    token = context.pop("token", None)
    link = request.build_absolute_uri(f"/join/{token}/") if token else ""
    models = models_of(campaign)
    facts = {
        "progress": progress_of(campaign),
        "people": annotators_of(campaign),
        "invitations": invitations_of(campaign),
        "link": link,
        "origin": origin_of(campaign),
        "models": models,
        "model_name": campaign.name if not models else f"{campaign.name}-{len(models) + 1}",
        **shown(request, training_job(campaign)),
    }
    return campaign_page(request, "campaigns/overview.html", campaign, "overview", facts | context, status)
