"""Attack runs side by side: what they reached, what it took, and how suspicious a model finds what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.exchange.drawing import are_drawn
from annotation.exchange.origin import SIMULATED_MODEL
from annotation.exchange.report import with_plots
from annotation.models import AttackRun, LearnedModel, Suspicion
from annotation.numbers import whole
from annotation.protocols.analysis import Figure, Table
from annotation.protocols.plots import scattered
from annotation.queries.lists import models_seen_by, runs_seen_by
from annotation.queries.outcomes import models_asked
from scoring.result import Estimate

from .access import Request, organisers_only

MOST_COMPARED = 8


@never_cache
@require_safe
@organisers_only
def compare(request: Request) -> HttpResponse:
    """Some runs; `run` names each, `by` the model whose predictions are shown. Where the plot has to be drawn first, the page
    comes at once and fetches it then."""
    runs = _chosen(request)
    seen = models_seen_by(request.user).filter(kind=LearnedModel.Kind.SUSPICION)
    models = models_asked(runs, seen) if runs else []
    asked = whole(request.GET.get("by", ""))
    model = next((each for each in models if each.pk == asked), models[0] if models else None)
    tables = [comparison(runs, model)] if len(runs) > 1 else []
    draw = "plots" in request.GET or are_drawn([table.plot for table in tables if table.plot])
    given = [*(("run", run.pk) for run in runs), *([("by", model.pk)] if model else [])]
    simulated = any(each is not None and each.simulated for each in (model, *(run.model for run in runs)))
    context: dict[str, Any] = {
        "here": "attacks",
        "runs": runs,
        "most": MOST_COMPARED,
        "models": models,
        "model": model,
        "tables": with_plots(tables) if draw else [(table, "") for table in tables],
        "waiting": not draw,
        "query": urlencode(given),
        "same_texts": len({(run.task, run.summary["run"]["task"].get("sha256")) for run in runs}) == 1,
        "simulated": SIMULATED_MODEL if simulated else "",
    }
    return render(request, "attacks/compare.html", context)


def comparison(runs: Sequence[AttackRun], model: LearnedModel | None) -> Table:
    """A line for each run, in their order, numbered as in the plot."""
    from attacks.set_aside import MARGIN

    names = [f"{number}: {run.name}" for number, run in enumerate(runs, start=1)]
    success, bodega = ([Estimate.from_dict(run.summary[key]) for run in runs] for key in ("success", "bodega"))
    queries = [Estimate.from_dict(run.summary["queries"]["asked"]) for run in runs]
    columns = ["run", "attacks that succeed", "BODEGA score", "queries per text"]
    rows: list[list[Any]] = [
        [name, ended, score, Figure("queries", "", asked, style="count")]
        for name, ended, score, asked in zip(names, success, bodega, queries, strict=True)
    ]
    if model is not None:
        columns += ["predicted suspicion", "set aside"]
        for run, row in zip(runs, rows, strict=True):
            row += _suspicion(run, model)
    numbers = [str(number) for number in range(1, len(runs) + 1)]
    plot = scattered(
        list(zip(numbers, queries, bodega, strict=True)), row="run", across="queries per text", up="BODEGA score"
    )  # fmt: skip
    note = "Means over all texts attacked; predicted suspicion over successes. With 95 % intervals, by bootstrap over originals."
    if model is not None:
        note += f" Suspicion as {model.name} predicts it. Set aside: successes that it finds more than {MARGIN:g} below their"
        note += " original, a sign that it was fooled."
    links = [reverse("attack", args=[run.pk]) for run in runs]
    styles = {"attacks that succeed": "share"}
    return Table("runs", "What they reached, and what it took", columns, rows, note, styles, plot, links)


def _suspicion(run: AttackRun, model: LearnedModel) -> list[Any]:
    """The mean over successes, and how many of them are set aside."""
    from attacks.results import mean_of
    from attacks.set_aside import MARGIN

    said = Suspicion.objects.filter(outcome__run=run, model=model).order_by("outcome__number")
    found = list(said.values_list("before", "after", "outcome__before_id"))
    aside = sum(before - after > MARGIN + 1e-9 for before, after, _ in found)
    originals = [str(original) for *_, original in found]
    return [mean_of([after for _, after, _ in found], originals, 0, "mean over successes"), aside]


def _chosen(request: Request) -> list[AttackRun]:
    """The runs that the address names, the oldest first, as many as are compared."""
    wanted = {number for given in request.GET.getlist("run") if (number := whole(given)) is not None}
    return list(runs_seen_by(request.user).filter(pk__in=wanted).order_by("pk")[:MOST_COMPARED])
