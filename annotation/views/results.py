"""What a campaign's judgements come to: items, agreement, files to take away, a model to train."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.errors import AlreadyRunning
from annotation.exchange.export import FILES
from annotation.exchange.report import report_html
from annotation.models import Campaign, Item
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.queries.jobs import TRAINING
from annotation.queries.lists import answers_to, disagreed, items_of, undecided
from annotation.services.jobs import enqueue
from scoring.texts.diff import word_diff

from .access import Request, organised, signed_in
from .frame import campaign_page

ITEMS_PER_PAGE = 25
CONFLICTS = ("raw_agreement",)
"""Figures whose link leads to the items that people disagree on, instead of to all of them."""

REPORT = "report.html"
ABOUT = {
    REPORT: "Every figure with its method, n and interval, in one file that opens in any browser.",
    "judgements.csv": "One row per answer, for spreadsheets.",
    "decisions.csv": "One row per item with its decision, for spreadsheets.",
    "items.jsonl": "One line per item with texts exactly as they are, its answers and its decision, for programs.",
    "codebook.md": "What the files, columns and labels mean.",
}
TYPES = {"html": "text/html", "csv": "text/csv", "jsonl": "application/jsonl", "md": "text/markdown"}


@never_cache
@require_GET
@signed_in
def items(request: Request, name: str) -> HttpResponse:
    """The items with all of their answers, page by page."""
    campaign = organised(request, name)
    everything = items_of(campaign)
    choices = {"": everything, "disagreed": disagreed(everything, campaign), "undecided": undecided(everything)}
    show = request.GET.get("show", "")
    if show not in choices:
        raise Http404
    page = Paginator(choices[show], ITEMS_PER_PAGE).get_page(request.GET.get("page"))
    answers = answers_to(list(page))
    context = {
        "show": show,
        "counts": {key or "all": rows.count() for key, rows in choices.items()},
        "page": page,
        "rows": [{"item": item, "answers": answers[item.pk], "diff": _diff(campaign, item)} for item in page],
    }
    return campaign_page(request, "campaigns/items.html", campaign, "items", context)


@never_cache
@require_GET
@signed_in
def agreement(request: Request, name: str) -> HttpResponse:
    """The protocol's figures and tables."""
    campaign = organised(request, name)
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    everything = reverse("items", args=[name])
    figures = [
        (figure, f"{everything}?show=disagreed", "See the conflicts")
        if figure.key in CONFLICTS
        else (figure, everything, "See the items")
        for figure in analysis.figures
    ]
    return campaign_page(request, "campaigns/agreement.html", campaign, "agreement", {"analysis": analysis, "figures": figures})


@require_GET
@signed_in
def export(request: Request, name: str) -> HttpResponse:
    """What can be downloaded."""
    files = [(file, ABOUT[file]) for file in (REPORT, *FILES)]
    return campaign_page(request, "campaigns/export.html", organised(request, name), "export", {"files": files})


@never_cache
@require_GET
@signed_in
def download(request: Request, name: str, file: str) -> HttpResponseBase:
    """One file of the export, streamed."""
    campaign = organised(request, name)
    if file not in ABOUT:
        raise Http404
    parts: Iterator[str] = iter([report_html(campaign)]) if file == REPORT else FILES[file](campaign)
    kind = TYPES[file.rpartition(".")[2]]
    disposition = f'attachment; filename="{campaign.name}-{file}"'
    return StreamingHttpResponse(parts, content_type=f"{kind}; charset=utf-8", headers={"Content-Disposition": disposition})


@require_POST
@signed_in
def train(request: Request, name: str) -> HttpResponse:
    """Start training a suspicion model on the campaign's judgements."""
    campaign = organised(request, name)
    if not protocol_of(campaign).scale:
        raise Http404
    arguments = {"campaign": campaign.name, "name": request.POST.get("model", "").strip() or campaign.name}
    try:
        enqueue(kind=TRAINING, arguments=arguments, by=request.user, alone=f"{TRAINING}:{campaign.name}")
    except AlreadyRunning:
        messages.info(request, "A model is being trained on these judgements already.")
    return redirect("campaign", name)


def _diff(campaign: Campaign, item: Item) -> object:
    if item.second is None or not campaign.settings["differences"]:
        return None
    return word_diff(item.first.text, item.second.text)
