"""Suspicion models and their cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.exchange.origin import SIMULATED_MODEL
from annotation.protocols.analysis import Figure
from annotation.queries.lists import models_seen_by
from scoring.result import Estimate
from scoring.wording import counted

from .access import Request, organisers_only, seen_model, signed_in

MEASURES = (
    ("r", "Correlation with the judgements", "of predictions for texts not trained on", (-1.0, 1.0)),
    ("noise_ceiling", "Noise ceiling", "the best r that any model can reach on these judgements", (0.0, 1.0)),
    ("share_of_ceiling", "Share of the ceiling", "r divided by the noise ceiling", None),
    ("rmse", "Error (RMSE)", "in points of the scale", None),
    ("rmse_constant", "Error of a constant", "of always predicting the mean", None),
)
"""The measures on a card that a page shows: key, title, meaning, the scale that the interval is drawn on."""


@require_safe
@organisers_only
def models(request: Request) -> HttpResponse:
    """All models of the person's campaigns."""
    return render(request, "models/list.html", {"here": "models", "models": models_seen_by(request.user)})


@require_safe
@signed_in
def model(request: Request, pk: int) -> HttpResponse:
    """One model's card."""
    seen = seen_model(request, pk)
    context = {
        "here": "models",
        "model": seen,
        "simulated": SIMULATED_MODEL if seen.simulated else "",
        "figures": list(_figures(seen.card["evaluation"])),
        "facts": [*_facts(seen.card), ("SHA-256 of the model's folder", Code(seen.sha256))],
    }
    return render(request, "models/model.html", context)


@dataclass(frozen=True, slots=True)
class Code:
    """A fact that is shown in a typewriter's letters."""

    code: str


def _figures(evaluation: Mapping[str, Any]) -> Iterator[Figure]:
    for key, title, detail, scale in MEASURES:
        yield Figure(key, title, Estimate.from_dict(evaluation[key]), detail=detail, scale=scale)


def _facts(card: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    data, how = card["data"], card["evaluation"]["protocol"]
    yield "model", card["model"]
    yield "learned from", " of ".join(counted(data[f"{what}s"], what) for what in ("judgement", "text", "original"))
    yield "predicts", f"the {data['label']} of a text's judgements, from {data['scale'][0]:g} to {data['scale'][1]:g}"
    times = f"{counted(how['folds'], 'fold')}, {counted(how['repeats'], 'time')}"
    yield "evaluated by", f"{how['kind']}, {times}; variants of one original are never split"
    for part in card["features"]:
        yield "features", " ".join(str(part[key]) for key in ("group", "name", "version") if key in part)
    yield "seed", str(card["seed"])
    yield "computed with", ", ".join(f"{name} {version}" for name, version in card["libraries"].items())
    yield "SHA-256 of the training data", Code(data["sha256"])
