"""The annotator's work: one item at a time."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from annotation.errors import DomainError, InvalidAnswer, NothingToClaim
from annotation.models import Campaign, Claim, Judgement
from annotation.protocols import protocol_of
from annotation.queries.lists import claims_of, own_progress
from annotation.services.answering import Submitted, save_draft, submit
from annotation.services.claiming import claim_next
from annotation.services.people import has_consented

from .access import Request, answered, own_claim, signed_in

LATE = {
    "closed": "The campaign closed before your answer arrived. It is kept, marked as late, and does not count.",
    "surplus": "Others had answered the item before your answer arrived. It is kept, marked as surplus, and does not count.",
}
AGAIN = "You had answered that item already. Your first answer stands; nothing was changed."


@never_cache
@require_GET
@signed_in
def work(request: Request, name: str) -> HttpResponse:
    """The next item with its question, or why there is none."""
    campaign = answered(request, name)
    if not has_consented(campaign=campaign, user=request.user):
        return HttpResponseClientRedirect(reverse("sheet", args=[name])) if request.htmx else redirect("sheet", name)
    try:
        claim = claim_next(campaign=campaign, annotator=request.user)
    except DomainError as nothing:
        return _end(request, campaign, nothing)
    return _item(request, campaign, claims_of(request.user, name).get(pk=claim.pk))


@require_POST
@signed_in
def answer(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Store the answer, then go on to the next item."""
    claim = own_claim(request, name, claim_id)
    try:
        submitted = submit(claim_id=claim.pk, annotator=request.user, data=request.POST)
    except InvalidAnswer as problem:
        claim.draft = request.POST.dict()
        return _item(request, answered(request, name), claim, problem)
    _tell(request, submitted)
    return redirect("work", name)


@require_POST
@signed_in
def draft(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Keep what was chosen so far."""
    claim = own_claim(request, name, claim_id)
    save_draft(claim_id=claim.pk, annotator=request.user, data=request.POST)
    return HttpResponse(status=204)


def _tell(request: Request, submitted: Submitted) -> None:
    stored: Judgement = submitted.judgement
    if not submitted.first:
        messages.add_message(request, messages.INFO, AGAIN)
    if stored.uncounted:
        messages.add_message(request, messages.WARNING, LATE[stored.uncounted])


def _item(request: Request, campaign: Campaign, claim: Claim, problem: InvalidAnswer | None = None) -> HttpResponse:
    protocol = protocol_of(campaign)
    context = {
        "campaign": campaign,
        "protocol": protocol,
        "claim": claim,
        "exposition": protocol.exposition(claim.slot),
        "options": protocol.options(claim.slot),
        "confidences": [str(point) for point in range(1, 6)] if campaign.settings["confidence"] else [],
        "progress": own_progress(campaign, request.user),
        "problem": problem,
    }
    return render(request, "working/item.html", context, status=422 if problem else 200)


def _end(request: Request, campaign: Campaign, why: DomainError) -> HttpResponse:
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "why": why,
        "finished": isinstance(why, NothingToClaim) and why.finished,
        "progress": own_progress(campaign, request.user),
    }
    return render(request, "working/end.html", context)
