"""The overview: how far a campaign is, who is in it, and what its organiser can do next."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.exchange.origin import origin_of
from annotation.models import Campaign
from annotation.queries.jobs import training_job
from annotation.queries.lists import annotators_of, models_of
from annotation.queries.progress import progress_of

from .access import Request, organised, signed_in
from .frame import campaign_page
from .jobs import shown


@never_cache
@require_GET
@signed_in
def overview(request: Request, name: str) -> HttpResponse:
    """How far the campaign is, and what its organiser can do."""
    return show_overview(request, organised(request, name), {})


def show_overview(request: Request, campaign: Campaign, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The overview with whatever a form on it has to say."""
    models = models_of(campaign)
    facts = {
        "progress": progress_of(campaign),
        "people": annotators_of(campaign),
        "origin": origin_of(campaign),
        "models": models,
        "model_name": campaign.name if not models else f"{campaign.name}-{len(models) + 1}",
        **shown(request, training_job(campaign)),
    }
    return campaign_page(request, "campaigns/overview.html", campaign, "overview", facts | context, status)
