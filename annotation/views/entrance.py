"""How people come into a campaign, and what they are told: the entrance, the sheet's editor."""

from __future__ import annotations

from django.contrib import messages
from django.forms import model_to_dict
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.errors import DomainError
from annotation.forms.entrance import EntranceForm, SheetForm
from annotation.models import Campaign, Entrance, InformationSheet
from annotation.services.crowd import gives_no_way_back, set_entrance
from annotation.services.sheets import gaps_in, preview, publish_sheet, unfilled

from .access import Request, organised, signed_in
from .frame import campaign_page

NO_WAY_BACK = (
    "There is no completion code and no address to go back to: whoever is done cannot tell the platform so. "
    "Add the code that the platform shows for the study."
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def entrance(request: Request, name: str) -> HttpResponse:
    """Who comes in besides by invitation: nobody, anybody, or whom a crowd platform sends; what they are paid."""
    campaign = organised(request, name)
    existing = Entrance.objects.filter(campaign=campaign).first()
    form = EntranceForm(request.POST or None, initial=model_to_dict(existing) if existing else {"kind": ""})
    problem = None
    if form.is_valid():
        wanted = dict(form.cleaned_data)
        try:
            sheet = set_entrance(campaign=campaign, kind=wanted.pop("kind") or None, by=request.user, **wanted)
        except DomainError as refused:
            problem = refused
        else:
            news = f" The sheet changed with it: version {sheet.version} is {_done_to(sheet)}." if sheet else ""
            messages.success(request, f"How people come in is stored.{news}")
            if gives_no_way_back(Entrance.objects.filter(campaign=campaign).first()):
                messages.warning(request, NO_WAY_BACK)
            return redirect("people", name)
    context = {"form": form, "problem": problem}
    return campaign_page(request, "people/entrance.html", campaign, "people", context, 422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit_sheet(request: Request, name: str) -> HttpResponse:
    """The sheet section by section; looked at first, then published as a new version."""
    campaign = organised(request, name)
    current = campaign.sheets.first() or publish_sheet(campaign=campaign, by=request.user)
    form = SheetForm(request.POST or None, campaign=campaign, sheet=current)
    problem, shown = None, None
    gaps = [] if form.is_bound else unfilled(current)
    if form.is_valid():
        wanted = form.cleaned_data
        shown = preview(campaign=campaign, sections=form.sections, on_withdrawal=wanted["on_withdrawal"])
        gaps = gaps_in([*(part["text"] for part in shown), *form.statements])
        if "publish" in request.POST:
            try:
                sheet = publish_sheet(
                    campaign=campaign,
                    sections=form.sections,
                    consent_form=form.statements,
                    on_withdrawal=wanted["on_withdrawal"],
                    language=wanted["language"],
                    by=request.user,
                )
            except DomainError as refused:
                problem = refused
            else:
                said = (
                    "Nothing had changed."
                    if sheet == current
                    else f"Version {sheet.version} is {_done_to(sheet)}. People who agreed to an earlier one are asked again."
                )
                messages.success(request, said)
                return redirect("edit_sheet", name)
    context = {"form": form, "problem": problem, "preview": shown, "sheet": current, "gaps": gaps}
    status = 422 if problem or (form.is_bound and not form.is_valid()) else 200
    return campaign_page(request, "people/edit_sheet.html", campaign, "people", context, status)


def _done_to(sheet: InformationSheet) -> str:
    """What a new version is: nobody but the organisers reads that of a draft."""
    return "stored" if sheet.campaign.state == Campaign.State.DRAFT else "published"
