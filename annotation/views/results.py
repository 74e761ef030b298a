"""What a campaign's judgements come to: agreement, a model to train."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import AlreadyRunning
from annotation.forms.models import TrainForm
from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.queries.campaigns import comparable_with
from annotation.queries.jobs import TRAINING
from annotation.services.jobs import enqueue

from .access import Request, organised, signed_in
from .figures import agreement_analysis
from .frame import campaign_page
from .making import mark_of
from .overview import overview_page

CONFLICTS = ("raw_agreement",)
"""Figures whose link leads to the items that people disagree on, instead of to all of them."""


@never_cache
@require_safe
@signed_in
def agreement(request: Request, name: str) -> HttpResponse:
    """The protocol's figures and tables; `beside`, a campaign's name, sets another one's answers against these."""
    campaign = organised(request, name)
    analysis = agreement_analysis(campaign)
    others = comparable_with(campaign, request.user) if protocol_of(campaign).comparable else Campaign.objects.none()
    chosen = get_object_or_404(others, name=request.GET["beside"]) if request.GET.get("beside") else None
    everything = reverse("items", args=[name])
    figures = [
        (figure, f"{everything}?show=disagreed", "See the conflicts")
        if figure.key in CONFLICTS
        else (figure, everything, "See the items")
        for figure in analysis.figures
    ]
    context = {
        "analysis": analysis,
        "figures": figures,
        "others": list(others),
        "chosen": chosen,
        "beside": protocol_of(campaign).beside(votes_of(campaign), votes_of(chosen)) if chosen else (),
    }
    return campaign_page(request, "campaigns/agreement.html", campaign, "agreement", context)


@require_POST
@signed_in
def train(request: Request, name: str) -> HttpResponse:
    """Start training a model on the campaign's judgements."""
    campaign = organised(request, name)
    if not protocol_of(campaign).learns:
        raise Http404
    form = TrainForm(campaign, request.POST)
    if not form.is_valid():
        return overview_page(request, campaign, form)
    try:
        enqueue(kind=TRAINING, arguments=form.arguments, by=request.user, alone=mark_of(form.arguments))
    except AlreadyRunning:
        messages.info(request, "A model is being trained on these judgements already.")
    return redirect("campaign", name)
