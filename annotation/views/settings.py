"""What a campaign asks and by which rules; copying it; linking it with others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import DomainError, SettingsProblem
from annotation.forms.campaigns import CopyForm
from annotation.forms.settings import label_rows, parts_of, posted_changes, posted_labels
from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.protocols.labels import FIELD, Change
from annotation.protocols.settings import titles
from annotation.queries.campaigns import free_name, linkable_with, linked_with
from annotation.queries.lists import organised_by
from annotation.services.campaigns import CAMPAIGN_NAME
from annotation.services.copying import copy_campaign
from annotation.services.linking import link_campaigns, unlink_campaign
from annotation.services.settings import FROZEN, change_settings, is_frozen, specs_of

from .access import Request, organised, signed_in
from .frame import campaign_page
from .telling import tell

ON_THE_PAGE = {**titles(), "title": "Title", FIELD: "Answers"}
"""What the page calls each field."""
ADDRESSES = {"title": "id_heading", FIELD: "labels-title"}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def settings(request: Request, name: str) -> HttpResponse:
    """All settings of the campaign. Those that answers have frozen are shown with the reason."""
    campaign = organised(request, name)
    if request.method != "POST":
        return _settings(request, campaign)
    frozen = is_frozen(campaign)
    changes, labels = posted_changes(campaign, request.POST, is_frozen=frozen), posted_labels(request.POST)
    try:
        change_settings(campaign=campaign, by=request.user, changes=changes, labels=labels)
    except SettingsProblem as wrong:
        return _settings(request, campaign, changes, labels, wrong.problems, place=wrong.place, status=422)
    except DomainError as refused:
        return _settings(request, campaign, changes, labels, {"": str(refused)}, status=422)
    messages.success(request, "The settings are stored.")
    return redirect("settings", name)


@require_POST
@signed_in
def copy(request: Request, name: str) -> HttpResponse:
    """Make the same campaign once more, without people and answers."""
    campaign = organised(request, name)
    form = CopyForm(request.POST)
    if not form.is_valid():
        return _settings(request, campaign, copy_form=form, status=422)
    wanted = form.cleaned_data
    try:
        made = copy_campaign(campaign=campaign, by=request.user, name=wanted["name"], title=wanted["title"])
    except DomainError as refused:
        form.add_error("name", str(refused))
        return _settings(request, campaign, copy_form=form, status=422)
    messages.success(request, "This is the copy. It has all items and settings, but no people and no answers yet.")
    return redirect("settings", made.name)


@require_POST
@signed_in
def link(request: Request, name: str) -> HttpResponse:
    """Exclude together with the chosen campaigns."""
    campaign = organised(request, name)
    chosen = request.POST.getlist("with")
    others = linkable_with(campaign, request.user).filter(name__in=filter(CAMPAIGN_NAME.fullmatch, chosen))
    tell(
        request,
        lambda: link_campaigns(campaigns=[campaign, *others], by=request.user, group=campaign.link_group or campaign.name),
        "Linked: nobody sees two variants of one original in these campaigns.",
    )
    return redirect("settings", name)


@require_POST
@signed_in
def unlink(request: Request, name: str) -> HttpResponse:
    """Exclude for itself again."""
    tell(
        request,
        lambda: unlink_campaign(campaign=organised(request, name), by=request.user),
        "The campaign is linked with no other any more.",
    )
    return redirect("settings", name)


def _settings(
    request: Request,
    campaign: Campaign,
    changes: Mapping[str, Any] | None = None,
    labels: list[dict[str, str]] | None = None,
    problems: Mapping[str, str] | None = None,
    copy_form: CopyForm | None = None,
    place: tuple[int, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    problems = problems or {}
    addresses = ADDRESSES | ({FIELD: f"label-{place[0] + 1}-{place[1]}"} if place else {})
    values = {**campaign.settings, **(changes or {})}
    frozen = is_frozen(campaign)
    protocol = protocol_of(campaign)
    specs = specs_of(campaign)
    context = {
        "parts": parts_of(campaign, values, problems, is_frozen=frozen, names={spec.key: spec.name for spec in specs}),
        "titled": values.get("title", campaign.title),
        "frozen": FROZEN if frozen else "",
        "problems": problems,
        "wrong": [
            (addresses.get(field, f"id_{field}"), ON_THE_PAGE.get(field, field), message) for field, message in problems.items()
        ],
        "labels": specs,
        "label_rows": label_rows(protocol.labels, specs if labels is None else labels, place),
        "labels_open": not frozen and protocol.labels is not Change.NOTHING,
        "labels_free": protocol.labels is Change.ALL,
        "labels_problem": problems.get(FIELD, ""),
        "one_label": place is not None,
        "preset": protocol.presets.get(campaign.preset),
        "copy": copy_form or CopyForm(initial={"name": free_name(campaign), "title": f"{campaign.title[:150]} (copy)"}),
        "linked": linked_with(campaign),
        "linkable": linkable_with(campaign, request.user),
        "reachable": set(organised_by(request.user).values_list("name", flat=True)),
    }
    return campaign_page(request, "campaigns/settings.html", campaign, "settings", context, status)
