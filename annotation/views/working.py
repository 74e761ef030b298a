"""The annotator's work: one item at a time."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from annotation.errors import DomainError, InvalidAnswer, NotAnnotator, NothingToClaim, NotYours, ShareDone
from annotation.models import Campaign, Claim, Item, Judgement, Membership
from annotation.protocols import protocol_of
from annotation.queries.labels import with_labels
from annotation.queries.own import Standing, claims_of, may_come_back, progress_for, stage_of
from annotation.services.answering import Submitted, drafted, save_draft, submit
from annotation.services.claiming import hand_out, keep_longer, sign_of_life
from annotation.services.crowd import completion_for
from annotation.services.practice import PracticeTest, terms_of
from scoring.wording import counted

from .access import NotActive, Request, annotating, signed_in

Use = Item.Use
LATE = {
    Judgement.Uncounted.CLOSED: "The campaign closed before your answer arrived. It is kept, marked as late, and does not count.",
    Judgement.Uncounted.SURPLUS: (
        "Others had answered the item before your answer arrived. It is kept, marked as surplus, and does not count."
    ),
    Judgement.Uncounted.EXCLUDED: "Your part here had ended before your answer arrived. It is kept, and does not count.",
}
AGAIN = "You had answered that item already. Your first answer stands; nothing was changed."


class _ConsentNeeded(DomainError):
    """The person has not agreed to the current sheet."""


def _agreed(member: Standing) -> None:
    if not member.agreed:
        raise _ConsentNeeded


@never_cache
@require_safe
@signed_in
def work(request: Request, name: str) -> HttpResponse:
    """The next item with its question, or why there is none."""
    return _next(request, name)


@require_POST
@signed_in
def answer(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Store the answer, then go on: with a script the next item comes in the same response."""
    try:
        submitted = submit(claim_id=claim_id, annotator=request.user, data=request.POST, campaign=name)
    except NotYours as stranger:
        raise Http404 from stranger
    except InvalidAnswer as problem:
        return _unfinished(request, name, claim_id, problem)
    except DomainError as refused:
        messages.error(request, str(refused))
        return redirect("work", name)
    _tell(request, submitted)
    if submitted.judgement.claim.use == Use.TRAINING:
        return redirect("own_answer", name, claim_id)
    return _next(request, name) if request.htmx else redirect("work", name)


@require_POST
@signed_in
def draft(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Keep what was chosen so far."""
    try:
        save_draft(claim_id=claim_id, annotator=request.user, data=request.POST, campaign=name)
    except NotYours as stranger:
        raise Http404 from stranger
    return HttpResponse(status=204)


@require_POST
@signed_in
def beat(request: Request, name: str, claim_id: int) -> HttpResponse:
    """The page is open, and perhaps somebody is active in front of it. Says until when the item is kept, if it is."""
    annotating(request, name)
    try:
        claim = sign_of_life(claim_id=claim_id, annotator=request.user, active=request.POST.get("active") == "1")
    except NotYours as stranger:
        raise Http404 from stranger
    return JsonResponse({"kept": claim.state == Claim.State.LIVE, "expires": claim.expires_at.isoformat()})


@require_POST
@signed_in
def extend(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Keep the item longer, by one click."""
    annotating(request, name)
    try:
        keep_longer(claim_id=claim_id, annotator=request.user)
    except NotYours as stranger:
        raise Http404 from stranger
    except DomainError as over:
        messages.warning(request, str(over))
    else:
        messages.info(request, "The item is kept for you a while longer.")
    return redirect("work", name)


def _next(request: Request, name: str) -> HttpResponse:
    try:
        member, claim = hand_out(campaign=name, annotator=request.user, ready=_agreed)
    except NotAnnotator as stranger:
        raise Http404 from stranger
    except _ConsentNeeded:
        # Whoever is done gets their code; that the sheet changed since is no reason to keep it from them.
        member = annotating(request, name)
        if completion_for(campaign=member.campaign, user=request.user):
            return _end(request, member, ShareDone("You gave as many answers as were asked of you."))
        return HttpResponseClientRedirect(reverse("sheet", args=[name])) if request.htmx else redirect("sheet", name)
    except DomainError as nothing:
        member = annotating(request, name)
        if member.state != Membership.State.ACTIVE:
            raise NotActive(member) from nothing
        return _end(request, member, nothing)
    return render(request, "working/item.html", item_context(request, member, claim))


def _unfinished(request: Request, name: str, claim_id: int, problem: InvalidAnswer) -> HttpResponse:
    """The item again with what was chosen, and what is missing."""
    member = annotating(request, name)
    claim = claims_of(member).get(pk=claim_id)
    claim.draft = drafted(request.POST)
    return render(request, "working/item.html", item_context(request, member, claim) | {"problem": problem}, status=422)


def item_context(request: Request, member: Standing, claim: Claim) -> dict[str, Any]:
    """What the page of one item shows."""
    campaign = claim.slot.item.campaign
    protocol = protocol_of(campaign)
    with_labels(campaign)
    stage = stage_of(claim) if claim.use in (Use.TRAINING, Use.TEST) else None
    return {
        "campaign": campaign,
        "protocol": protocol,
        "claim": claim,
        "exposition": protocol.exposition(claim.slot),
        "options": protocol.options(claim.slot),
        "reasons": Claim.SkipReason.choices,
        "stage": stage,
        "terms": terms_of(member, stage.of) if stage and claim.use == Use.TEST else None,
        "progress": None if stage else progress_for(member, holding=claim.use),
    }


def _tell(request: Request, submitted: Submitted) -> None:
    if not submitted.first:
        messages.info(request, AGAIN)
    if submitted.judgement.uncounted:
        messages.warning(request, LATE[Judgement.Uncounted(submitted.judgement.uncounted)])
    if submitted.test is not None:
        _tell_test(request, submitted.test)


def _tell_test(request: Request, test: PracticeTest) -> None:
    score = f"{test.right} of {test.items} right in the test"
    if test.passed:
        messages.success(request, f"{score}: passed. Now the work begins.")
    elif test.tries_left:
        needed = counted(test.needed, "is", "are")
        messages.warning(request, f"{score}; {needed} needed. Read the guidelines again: the test starts anew.")
    else:
        messages.warning(request, f"{score}; {counted(test.needed, 'was', 'were')} needed.")


def _end(request: Request, member: Standing, why: DomainError) -> HttpResponse:
    campaign = member.campaign
    finished = isinstance(why, NothingToClaim) and why.finished
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "why": why,
        "heading": _heading(campaign, why),
        "open": campaign.state == Campaign.State.OPEN,
        "again_at": why.again_at if isinstance(why, NothingToClaim) else None,
        "finished": finished,
        "given": member.submitted,
        "skipped": may_come_back(member),
        "completion": completion_for(campaign=campaign, user=request.user) if member.given else None,
    }
    return render(request, "working/end.html", context)


def _heading(campaign: Campaign, why: DomainError) -> str:
    if campaign.state == Campaign.State.CLOSED:
        return "This campaign is closed"
    if campaign.state == Campaign.State.PAUSED:
        return "Paused"
    if campaign.state == Campaign.State.DRAFT:
        return "Not open yet"
    if isinstance(why, ShareDone):
        return "Your share is done"
    if isinstance(why, NothingToClaim) and why.finished:
        return "All done"
    return "Nothing for you now"
