"""Conflicts: an adjudicator, or an organiser, reads both texts and all answers without names, and decides."""

from __future__ import annotations

import time
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.errors import DomainError
from annotation.models import Campaign, Item
from annotation.numbers import whole
from annotation.protocols import protocol_of
from annotation.queries.conflicts import LISTS, history_of, next_after, open_to_rule, opinions_on, page_of
from annotation.queries.lists import organised_by
from annotation.services.deciding import adjudicates
from annotation.services.ruling import SeenOtherwise, TooQuick, rule, sight_of

from .access import Request, adjudicated, conflict_in, signed_in
from .frame import campaign_page

CONFLICTS_PER_PAGE = 25
SINCE = "annotation.conflict"
"""What the moment is signed for at which a conflict was shown."""


@never_cache
@require_safe
@signed_in
def conflicts(request: Request, name: str) -> HttpResponse:
    """The conflicts, those first on which people agree least."""
    campaign = adjudicated(request, name)
    show = request.GET.get("show", "waiting")
    if show not in LISTS:
        raise Http404
    start = _start(request)
    found = page_of(LISTS[show][1](campaign), start=start, size=CONFLICTS_PER_PAGE + 1)
    shown = found[:CONFLICTS_PER_PAGE]
    opinions = opinions_on(shown)
    context = {
        "show": show,
        "lists": [(key, title, items(campaign).count()) for key, (title, items) in LISTS.items()],
        "rows": [(item, opinions[item.pk]) for item in shown],
        "adjudicates": adjudicates(campaign),
        "start": start,
        "previous": max(0, start - CONFLICTS_PER_PAGE) if start else None,
        "next": start + CONFLICTS_PER_PAGE if len(found) > CONFLICTS_PER_PAGE else None,
    }
    return _below_tabs(request, "campaigns/conflicts.html", campaign, context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def conflict(request: Request, name: str, number: int) -> HttpResponse:
    """One conflict and its decision. After saving comes the next one."""
    item = conflict_in(request, name, number)
    if request.method != "POST":
        return _page(request, item, {})
    given: dict[str, Any] = {
        "label": request.POST.get("label", ""),
        "note": request.POST.get("note", ""),
        "since": _since(request),
    }
    try:
        rule(
            item=item,
            by=request.user,
            label=given["label"],
            note=given["note"],
            seconds=max(0.0, time.time() - given["since"]),
            seen=request.POST.get("seen", ""),
            sure="sure" in request.POST,
        )
    except SeenOtherwise as changed:
        # The page shows what there is now; what was chosen before rests on something else.
        return _page(request, conflict_in(request, name, number), {"problem": str(changed), "note": given["note"]}, status=409)
    except TooQuick as quick:
        return _page(request, item, given | {"problem": str(quick), "quick": True}, status=422)
    except DomainError as refused:
        return _page(request, item, given | {"problem": str(refused)}, status=422)
    return _onwards(request, item)


def _onwards(request: Request, item: Item) -> HttpResponse:
    campaign = item.campaign
    following = next_after(open_to_rule(campaign), item)
    if following is None:
        messages.success(request, f"Item {item.number} is decided. That was the last conflict.")
        return redirect("conflicts", campaign.name)
    messages.success(request, f"Item {item.number} is decided. This is the next conflict.")
    return redirect("conflict", campaign.name, following.number)


def _page(request: Request, item: Item, given: dict[str, Any], status: int = 200) -> HttpResponse:
    campaign: Campaign = item.campaign
    protocol = protocol_of(campaign)
    slot = item.slots.all()[0]
    slot.item = item
    to_do = open_to_rule(campaign)
    context = {
        "item": item,
        "exposition": protocol.exposition(slot),
        "options": protocol.options(slot),
        "opinions": opinions_on([item])[item.pk],
        "rulings": history_of(item),
        "left": to_do.count(),
        "following": next_after(to_do, item),
        "seen": sight_of(item),
        "shown_at": signing.dumps(given.get("since") or time.time(), salt=SINCE),
        "given": given,
    }
    return _below_tabs(request, "campaigns/conflict.html", campaign, context, status)


def _below_tabs(request: Request, template: str, campaign: Campaign, context: dict[str, Any], status: int = 200) -> HttpResponse:
    organises = organised_by(request.user).filter(pk=campaign.pk).exists()
    return campaign_page(request, template, campaign, "conflicts", context, status, organises=organises)


def _since(request: Request) -> float:
    """When the page was shown that this answer was given on. A mark that was not made here counts from now."""
    try:
        return float(signing.loads(request.POST.get("since", ""), salt=SINCE))
    except (signing.BadSignature, ValueError):
        return time.time()


def _start(request: Request) -> int:
    start = whole(request.GET.get("start", "0"))
    if start is None:
        raise Http404
    return start
