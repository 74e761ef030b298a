"""Making a campaign, opening, pausing and closing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import DomainError, SheetHasGaps
from annotation.exchange.importing import FORMATS, ImportProblem, import_judgements
from annotation.exchange.imports import INLINE_BYTES
from annotation.exchange.sheets import MOST_BYTES
from annotation.forms.campaigns import CampaignFromFileForm, NewCampaignForm
from annotation.models import Job
from annotation.numbers import whole
from annotation.protocols import PROTOCOLS
from annotation.queries.dashboard import claims_held
from annotation.queries.items import counts_of, how_many, items_said
from annotation.queries.jobs import jobs_of
from annotation.queries.practice import checks_nobody_meets
from annotation.services.campaigns import close_campaign, create_campaign, open_campaign, pause_campaign
from annotation.services.deleting import delete_campaign, going_with, why_not_deleted
from annotation.services.jobs import enqueue
from annotation.services.sheets import gaps_before_a_crowd, unfilled
from annotation.services.uploads import keep_file, shown_name

from .access import Request, organised, organisers_only, signed_in
from .frame import campaign_page
from .jobs import shown
from .telling import tell

IMPORT = "import_judgements"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def open_(request: Request, name: str) -> HttpResponse:
    """Let annotators in. Where a crowd platform sends them to a sheet that still has gaps, that is asked about first."""
    campaign = organised(request, name)
    gaps = unfilled(campaign.sheets.first())
    warned = {"checks_unmet": checks_nobody_meets(campaign)}
    if request.method != "POST":
        context = warned | {"gaps": gaps, "asks": bool(gaps_before_a_crowd(campaign))}
        return campaign_page(request, "campaigns/open.html", campaign, "overview", context)
    try:
        open_campaign(campaign=campaign, by=request.user, sure="sure" in request.POST)
    except SheetHasGaps as asked:
        context = warned | {"gaps": asked.gaps, "asks": True}
        return campaign_page(request, "campaigns/open.html", campaign, "overview", context, 422)
    except DomainError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "The campaign is open. People who joined can answer now.")
        if gaps:
            messages.warning(request, f"The information sheet still has gaps that people can see: {', '.join(gaps)}.")
    return redirect("campaign", name)


@require_POST
@signed_in
def pause(request: Request, name: str) -> HttpResponse:
    """Hand out nothing for now."""
    tell(
        request,
        lambda: pause_campaign(campaign=organised(request, name), by=request.user),
        "The campaign is paused: nobody is given an item. Answers that are under way still count.",
    )
    return redirect("campaign", name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def close(request: Request, name: str) -> HttpResponse:
    """Says what closing comes to, and hands out no more items when asked to."""
    campaign = organised(request, name)
    if request.method != "POST":
        counts = counts_of(campaign)
        context = {"counts": counts, "held": claims_held(campaign).live}
        return campaign_page(request, "campaigns/close.html", campaign, "overview", context, counts=counts)
    close_campaign(campaign=campaign, by=request.user)
    messages.success(request, "The campaign is closed. Answers that are under way will be kept and marked as late.")
    return redirect("campaign", name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def delete(request: Request, name: str) -> HttpResponse:
    """Says what goes with the campaign, or why it cannot go, and deletes it when asked to."""
    campaign = organised(request, name)
    if request.method != "POST":
        going = going_with(campaign)
        others = going.people - campaign.memberships.filter(user=request.user).count()
        context = {"refused": why_not_deleted(campaign, request.user), "going": going, "others": others}
        return campaign_page(request, "campaigns/delete.html", campaign, "settings", context)
    try:
        delete_campaign(campaign=campaign, by=request.user)
    except DomainError as refused:
        messages.error(request, str(refused))
        return redirect("delete_campaign", name)
    messages.success(request, f"The campaign “{campaign.title}” is deleted.")
    return redirect("start")


@require_http_methods(["GET", "HEAD", "POST"])
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


@require_http_methods(["GET", "HEAD", "POST"])
@organisers_only
def from_file(request: Request) -> HttpResponse:
    """A campaign from a file, all of it or nothing."""
    form = CampaignFromFileForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            if FORMATS[wanted["format"]].compares or wanted["file"].size > INLINE_BYTES:
                return redirect(f"{request.path}?job={_queue_import(request, wanted).pk}")
            campaign = import_judgements(
                wanted["file"],
                format=wanted["format"],
                name=wanted["name"],
                title=wanted["title"],
                created_by=request.user,
            )
        except ImportProblem as refused:
            form.add_error("file", str(refused))
        except DomainError as refused:
            form.add_error("name", str(refused))
        else:
            work, known = how_many(campaign)
            messages.success(request, f"{items_said(work, known)} {'was' if work + known == 1 else 'were'} written.")
            return redirect("campaign", campaign.name)
    formats = [(key, known.title, known.about) for key, known in FORMATS.items()]
    context = {"here": "campaigns", "form": form, "formats": formats, **shown(request, _own_import(request))}
    return render(request, "campaigns/new_from_file.html", context, status=422 if form.is_bound else 200)


def _queue_import(request: Request, wanted: Mapping[str, Any]) -> Job:
    """Have a worker make the campaign."""
    file = wanted["file"]
    stored = keep_file(name=file.name, chunks=file.chunks(), most=MOST_BYTES)
    arguments = {"stored": stored, "file": shown_name(file.name), "format": wanted["format"]}
    arguments |= {"campaign": wanted["name"], "title": wanted["title"]}
    return enqueue(kind=IMPORT, arguments=arguments, by=request.user, alone=f"{IMPORT}:{wanted['name']}")


def _own_import(request: Request) -> Job | None:
    """The import that the address names, if this person started it."""
    number = whole(request.GET.get("job", ""))
    return jobs_of(request.user).filter(kind=IMPORT, pk=number).first() if number is not None else None
