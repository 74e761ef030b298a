"""What stands around every page of one campaign: its title and state, the mark of simulation, the tabs."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from annotation.exchange.origin import SIMULATED
from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.queries.items import Counts, how_many, items_said

from .access import Request

TABS = (
    ("overview", "campaign", "Overview"),
    ("items", "items", "Items"),
    ("conflicts", "conflicts", "Conflicts"),
    ("agreement", "agreement", "Agreement"),
    ("report", "report", "Report"),
    ("people", "people", "People"),
    ("import", "uploads", "Import"),
    ("export", "export", "Export"),
    ("settings", "settings", "Settings"),
    ("log", "log", "Log"),
)
"""What organisers choose from: the key of the page, the name of its address, what the tab says."""
FOR_ADJUDICATORS = ("conflicts",)


def campaign_page(
    request: Request,
    template: str,
    campaign: Campaign,
    tab: str,
    context: dict[str, Any],
    status: int = 200,
    *,
    organises: bool = True,
    counts: Counts | None = None,
) -> HttpResponse:
    """A page below the campaign's tabs; the title, the state and the mark of simulation stand above all of them.

    Somebody who only adjudicates (`organises` false) is shown the tabs that are theirs. `counts` is for pages that have
    counted the items themselves.
    """
    protocol = protocol_of(campaign)
    tabs = [
        tab for tab in TABS if (organises or tab[0] in FOR_ADJUDICATORS) and (protocol.has_conflicts or tab[0] != "conflicts")
    ]
    common = {
        "here": "campaigns",
        "tab": tab,
        "tabs": [(key, reverse(address, args=[campaign.name]), title) for key, address, title in tabs],
        "organises": organises,
        "campaign": campaign,
        "protocol": protocol,
        "items_said": items_said(*(how_many(campaign) if counts is None else (counts.work, counts.known))),
        "simulated": SIMULATED if campaign.simulated else "",
    }
    return render(request, template, common | context, status=status)
