"""A run's texts as pages list them: by how they ended, by what they say, in the order of a score; and which models were asked.

Filters and orders are fixed lists: nothing that comes from an address ever becomes the name of a column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import OrderBy

from annotation.models import AttackRun, LearnedModel, Outcome, Suspicion

Rows = QuerySet[Outcome]

STATUSES: Mapping[str, str] = {
    "success": "Success",
    "failed": "Failed",
    "skipped": "Skipped",
    "budget": "Budget spent",
    "error": "Error",
    "inconsistent": "Not confirmed",
}
"""How an attack on a text may end, in words."""


def _falling(name: str) -> OrderBy:
    return F(name).desc(nulls_last=True)


ORDERS: Mapping[str, tuple[str, OrderBy]] = {
    "number": ("their numbers", F("number").asc()),
    "bodega": ("BODEGA score, falling", _falling("example__bodega_score")),
    "semantic": ("semantic score, falling", _falling("example__semantic_score")),
    "suspicion": ("suspicion, rising", F("suspicion_after").asc(nulls_last=True)),
    "suspicious": ("suspicion, falling", _falling("suspicion_after")),
    "queries": ("queries, falling", _falling("asked")),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of a run's texts are listed, in which order, and whose predictions of suspicion stand beside them."""

    status: str = ""
    text: str = ""
    order: str = "number"
    model: LearnedModel | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some texts, and the numbers of the pages before and after; `first` is the place of the first of them, from 1, `all` how
    many there are."""

    outcomes: Sequence[Outcome]
    first: int
    all: int
    before: int | None
    after: int | None

    @property
    def last(self) -> int:
        """The place of the last of them."""
        return self.first + len(self.outcomes) - 1


def texts_of(run: AttackRun, wanted: Wanted) -> Rows:
    """With `suspicion_before` and `suspicion_after`, which are None where the model was not asked."""
    rows = run.outcomes.select_related("before", "example__before", "example__after")
    if wanted.status:
        rows = rows.filter(status=wanted.status)
    if wanted.text:
        rows = rows.filter(Q(before__text__icontains=wanted.text) | Q(example__after__text__icontains=wanted.text))
    said = Suspicion.objects.filter(outcome=OuterRef("pk"), model=wanted.model.pk if wanted.model else 0)
    rows = rows.annotate(**{f"suspicion_{side}": Subquery(said.values(side)[:1]) for side in ("before", "after")})
    return rows.order_by(ORDERS[wanted.order][1], "number")


def page_of(rows: Rows, *, size: int, number: int = 1) -> Page:
    """The page of that number, from 1; the last one where there are not so many."""
    total = rows.count()
    number = min(number, max(1, -(-total // size)))
    start = (number - 1) * size
    shown = list(rows[start : start + size])
    return Page(
        shown, start + 1, total, number - 1 if number > 1 else None, number + 1 if total > start + size else None
    )  # fmt: skip


def counts_of(run: AttackRun) -> dict[str, int]:
    """How many texts ended how, of those that there are."""
    found = dict(run.outcomes.order_by().values_list("status").annotate(n=Count("*")))
    return {status: found[status] for status in STATUSES if status in found}


def models_asked(runs: Sequence[AttackRun], seen: QuerySet[LearnedModel]) -> list[LearnedModel]:
    """Those of the models that were asked about the successes of every one of the runs that has some; the one that a run was held
    to first."""
    succeeded = set(Outcome.objects.filter(run__in=runs, status="success").order_by().values_list("run", flat=True).distinct())
    if not succeeded:
        return []
    for run in succeeded:
        seen = seen.filter(Exists(Suspicion.objects.filter(model=OuterRef("pk"), outcome__run=run)))
    held = {run.model_id for run in runs}
    return sorted(seen, key=lambda model: (model.pk not in held, -model.pk))
