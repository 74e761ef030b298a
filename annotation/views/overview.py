"""The overview: how far a campaign is, who is at work, what is stuck, and what its organiser can do next."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.exchange.origin import origin_of
from annotation.forms.models import TrainForm
from annotation.models import Campaign
from annotation.numbers import whole
from annotation.queries.dashboard import claims_held, needing_somebody_new, open_flags, pace_of, people_at_work
from annotation.queries.items import Counts, counts_of
from annotation.queries.jobs import training_job
from annotation.queries.lists import models_seen_by
from annotation.services.deciding import adjudicates
from annotation.services.moderating import release as release_claims
from scoring.wording import counted

from .access import Request, organised, signed_in
from .figures import agreement_at_a_glance
from .frame import campaign_page
from .jobs import shown


@never_cache
@require_safe
@signed_in
def overview(request: Request, name: str) -> HttpResponse:
    """How far the campaign is, and what its organiser can do."""
    campaign = organised(request, name)
    return overview_page(request, campaign)


def overview_page(request: Request, campaign: Campaign, refused: TrainForm | None = None) -> HttpResponse:
    """The overview with the form that trains a model, which may have been refused."""
    counts = counts_of(campaign)
    models = list(models_seen_by(request.user).filter(campaigns=campaign))
    glance = agreement_at_a_glance(campaign, answers=counts.answered)
    people = people_at_work(campaign)
    facts: dict[str, Any] = {
        "counts": counts,
        "completeness": completeness(counts),
        "states": counts.states,
        "conflicts": counts.waiting,
        "claims": claims_held(campaign),
        "pace": pace_of(campaign, counts),
        "stuck": needing_somebody_new(campaign, people) if campaign.state == Campaign.State.OPEN else 0,
        "people": [(person, glance.people.get(person.member.user_id) if glance else None) for person in people],
        "glance": glance,
        "flags": open_flags(campaign),
        "adjudicates": adjudicates(campaign),
        "origin": origin_of(campaign),
        "models": models,
        "training": refused or TrainForm(campaign, there=len(models)),
        **shown(request, training_job(campaign, request.user)),
    }
    return campaign_page(request, "campaigns/overview.html", campaign, "overview", facts, 422 if refused else 200, counts=counts)


def completeness(counts: Counts) -> list[dict[str, Any]]:
    """How many items have 0, 1, 2 … answers, and for how many of these that is all that is wanted of them."""
    rows: dict[int, dict[str, Any]] = {}
    for (answered, wanted), items in counts.by_answers.items():
        row = rows.setdefault(answered, {"answers": answered, "items": 0, "complete": 0})
        row["items"] += items
        row["complete"] += items if 0 < wanted <= answered else 0
    return [row | {"share": row["items"] / counts.work} for _, row in sorted(rows.items())]


@require_POST
@signed_in
def release(request: Request, name: str) -> HttpResponse:
    """Give back one claim, or all that ran out."""
    campaign: Campaign = organised(request, name)
    one = request.POST.get("claim", "")
    if one and whole(one) is None:
        raise Http404
    released = release_claims(campaign=campaign, by=request.user, claim_id=whole(one))
    if released:
        free = counted(released, "item is", "items are")
        messages.success(request, f"{free} free again for the next person. An answer that still comes in is kept.")
    else:
        messages.info(request, "There was nothing to give back: it has been answered or given back meanwhile.")
    return redirect("campaign", name)
