"""Second thoughts of an annotator: their last answers, changing one, skipping, flagging."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from annotation.errors import DomainError, InvalidAnswer, NotYours
from annotation.models import Campaign, Claim, Item
from annotation.numbers import whole
from annotation.protocols import protocol_of
from annotation.queries.own import Standing, claims_of, last_answers, may_come_back, why_final
from annotation.queries.practice import is_right
from annotation.services.answering import drafted
from annotation.services.revising import change, flag, offer_again, skip

from .access import Request, annotating, looking_back, signed_in
from .working import item_context

Use = Item.Use


@never_cache
@require_safe
@signed_in
def history(request: Request, name: str) -> HttpResponse:
    """The person's last answers, each with a way to change it or why there is none."""
    member = looking_back(request, name)
    protocol = protocol_of(member.campaign)
    answers = [(claim, protocol.said(claim.slot, claim.judgement), why_final(claim, member)) for claim in last_answers(member)]
    context = {"campaign": member.campaign, "protocol": protocol, "answers": answers, "given": member.submitted}
    return render(request, "working/history.html", context | {"skipped": may_come_back(member)})


@never_cache
@require_safe
@signed_in
def last(request: Request, name: str) -> HttpResponse:
    """The answer that the person gave last, to look at it again."""
    claim = last_answers(looking_back(request, name)).first()
    if claim is None:
        messages.info(request, "There is no answer to undo yet.")
        return redirect("work", name)
    return redirect("own_answer", name, claim.pk)


@never_cache
@require_safe
@signed_in
def own_answer(request: Request, name: str, claim_id: int) -> HttpResponse:
    """One of the person's answers: after training whether it was right, else the form to change it, or why it stands."""
    member = looking_back(request, name)
    claim = get_object_or_404(claims_of(member), pk=claim_id)
    if not hasattr(claim, "judgement") or claim.use == Use.TEST:
        return redirect("work", name)
    if claim.use == Use.TRAINING:
        context = {"campaign": member.campaign, "protocol": protocol_of(member.campaign), "claim": claim}
        context |= {"right": is_right(claim.judgement.label, claim.slot.item), "item": claim.slot.item}
        return render(request, "working/feedback.html", item_context(request, member, claim) | context)
    return _revise(request, member, claim)


@require_POST
@signed_in
def change_answer(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Give another answer to an item that is still open."""
    given = request.POST.get("replaces", "")
    if given and whole(given) is None:
        raise Http404
    try:
        changed = change(
            claim_id=claim_id,
            annotator=request.user,
            data=request.POST,
            replaces=whole(given),
            campaign=name,
        )
    except NotYours as stranger:
        raise Http404 from stranger
    except InvalidAnswer as problem:
        member = annotating(request, name)
        return _revise(request, member, claims_of(member).get(pk=claim_id), problem)
    except DomainError as final:
        messages.warning(request, str(final))
    else:
        messages.success(request, "Your answer was changed." if changed.changed else "Your answer stands as it was.")
    return _back_to_work(request, name)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def skip_item(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Give an item back; a reason is welcome, not needed."""
    claim = get_object_or_404(claims_of(annotating(request, name)), pk=claim_id)
    problem: DomainError | None = None
    if request.method == "POST":
        reason, note = request.POST.get("reason", ""), request.POST.get("note", "")
        try:
            skip(claim_id=claim.pk, annotator=request.user, reason=reason, note=note, campaign=name)
        except DomainError as refused:
            if claim.state != Claim.State.LIVE:  # nothing that is entered here could mend that
                messages.warning(request, str(refused))
                return _back_to_work(request, name)
            problem = refused
        else:
            messages.info(request, "Skipped. Somebody else will be asked instead.")
            return _back_to_work(request, name)
    return _ask(request, claim, "working/skip.html", problem)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def flag_item(request: Request, name: str, claim_id: int) -> HttpResponse:
    """Tell the organisers that something is wrong with an item; it stays to be answered."""
    claim = get_object_or_404(claims_of(annotating(request, name)), pk=claim_id)
    problem: DomainError | None = None
    if request.method == "POST":
        try:
            flag(claim_id=claim.pk, annotator=request.user, text=request.POST.get("text", ""), campaign=name)
        except DomainError as refused:
            problem = refused
        else:
            open_still = claim.state == Claim.State.LIVE and claim.campaign.state == Campaign.State.OPEN
            then = "; you can still answer or skip the item" if open_still else ""
            messages.info(request, f"Thank you. The organisers will look at it{then}.")
            return _back_to_work(request, name)
    return _ask(request, claim, "working/flag.html", problem)


@require_POST
@signed_in
def skipped(request: Request, name: str) -> HttpResponse:
    """Offer the person again what they skipped."""
    offer_again(member=annotating(request, name))
    return redirect("work", name)


def _revise(request: Request, member: Standing, claim: Claim, problem: InvalidAnswer | None = None) -> HttpResponse:
    judgement = claim.judgement
    chosen = {"label": judgement.label and judgement.label.key, "confidence": judgement.confidence, "words": judgement.words}
    claim.draft = drafted(request.POST if problem else {**chosen, "comment": judgement.comment})
    context = item_context(request, member, claim) | {
        "said": protocol_of(member.campaign).said(claim.slot, judgement),
        "final": why_final(claim, member),
        "replaces": judgement.earlier.count() + 1,
        "problem": problem,
    }
    return render(request, "working/revise.html", context, status=422 if problem else 200)


def _ask(request: Request, claim: Claim, template: str, problem: DomainError | None) -> HttpResponse:
    campaign = claim.slot.item.campaign
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "claim": claim,
        "problem": problem,
        "reasons": Claim.SkipReason.choices,
        "given": request.POST,
    }
    return render(request, template, context, status=422 if problem else 200)


def _back_to_work(request: Request, name: str) -> HttpResponse:
    return HttpResponseClientRedirect(reverse("work", args=[name])) if request.htmx else redirect("work", name)
