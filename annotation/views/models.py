"""Learned models: all of them, some side by side, and one with its card."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.exchange.drawing import are_drawn
from annotation.exchange.origin import SIMULATED_MODEL
from annotation.exchange.report import with_plots
from annotation.forms.models import TryForm
from annotation.models import Job, LearnedModel
from annotation.numbers import whole
from annotation.queries.failing import items_by_text
from annotation.queries.jobs import MODEL_JOBS, shown_jobs
from annotation.queries.lists import models_seen_by

from .access import Request, organisers_only, seen_model, signed_in
from .access import tried_text as tried_text_of
from .cards import Code, Fail, facts_beside, figures_beside, listed, same_data
from .cards import shown as shown_card
from .jobs import shown

MOST_COMPARED = 6
MARKED_FROM = 0.01
"""The part of the scale from which on a word's effect is marked in the text."""


@never_cache
@require_safe
@organisers_only
def models(request: Request) -> HttpResponse:
    """All models of the person's campaigns, and those that were uploaded."""
    jobs = shown_jobs(request.user, MODEL_JOBS)
    context = {
        "here": "models",
        "models": listed(models_seen_by(request.user)),
        "jobs": [shown(request, job) for job in jobs],
        "polls": any(not job.is_finished for job in jobs),
    }
    return render(request, "models/list.html", context)


@require_safe
@organisers_only
def compare(request: Request) -> HttpResponse:
    """Two or more models of one kind side by side; `model` names each."""
    wanted = {number for given in request.GET.getlist("model") if (number := whole(given)) is not None}
    chosen = list(models_seen_by(request.user).filter(pk__in=wanted))[:MOST_COMPARED]
    kinds = {model.kind for model in chosen}
    context: dict[str, Any] = {"here": "models", "models": chosen, "kinds": len(kinds), "most": MOST_COMPARED}
    if len(chosen) > 1 and len(kinds) == 1:
        context |= {"figures": [figures_beside(chosen)], "about": facts_beside(chosen), "same_data": same_data(chosen)}
        context["simulated"] = SIMULATED_MODEL if any(model.simulated for model in chosen) else ""
    return render(request, "models/compare.html", context)


@never_cache
@require_safe
@signed_in
def model(request: Request, pk: int) -> HttpResponse:
    """One model's card. Where its plot has to be drawn first, the page comes at once and fetches it then."""
    return model_page(request, seen_model(request, pk))


def model_page(request: Request, seen: LearnedModel, refused: TryForm | None = None) -> HttpResponse:
    """The card, with the form that tries a text, which may have been refused, and what came of the text that `tried` names."""
    card = shown_card(seen)
    tables = card.tables
    plots = [table.plot for table in tables if table.plot]
    draw = "plots" in request.GET or are_drawn(plots)
    tried = _tried(request, seen)
    context = {
        "here": "models",
        "model": seen,
        "simulated": SIMULATED_MODEL if seen.simulated else "",
        "figures": card.figures,
        "tables": with_plots(tables) if draw else [(table, "") for table in tables],
        "waiting": not draw,
        "fails": _found(seen, card.fails),
        "facts": [*card.facts, ("SHA-256 of the model's folder", Code(seen.sha256))],
        "form": refused or TryForm(initial={"text": tried.arguments["text"]} if tried else None),
        "tries": seen.kind == LearnedModel.Kind.SUSPICION,
        **shown_try(seen, tried),
    }
    return render(request, "models/model.html", context, status=422 if refused else 200)


def shown_try(model: LearnedModel, tried: Job | None) -> dict[str, Any]:
    """What `models/tried.html` needs."""
    if tried is None or tried.state != Job.State.DONE or not tried.result:
        return {"model": model, "tried": tried}
    low, high = model.card["data"]["scale"]
    return {
        "model": model,
        "tried": tried,
        "found": tried.result,
        "scale": (low, high),
        "pieces": _marked(tried.arguments["text"], tried.result["words"], MARKED_FROM * (high - low)),
    }


def _tried(request: Request, model: LearnedModel) -> Job | None:
    asked = whole(request.GET.get("tried", ""))
    return None if asked is None else tried_text_of(request, model.pk, asked)


def _marked(text: str, words: list[dict[str, Any]], least: float) -> list[tuple[str, str]]:
    """The text in pieces, each with what it does to the score: "raises", "lowers", or nothing below the `least` effect."""
    pieces, end = [], 0
    for word in sorted(words, key=lambda word: word["start"]):
        if abs(word["effect"]) >= least:
            does = "raises" if word["effect"] > 0 else "lowers"
            pieces += [(text[end : word["start"]], ""), (text[word["start"] : word["end"]], does)]
            end = word["end"]
    return [*pieces, (text[end:], "")]


def _found(model: LearnedModel, fails: list[Fail]) -> list[tuple[Fail, Any]]:
    """Each with its item, where one of the model's campaigns has it."""
    items = items_by_text(model.learned_from, [fail.text for fail in fails]) if fails else {}
    return [(fail, items.get(fail.text)) for fail in fails]
