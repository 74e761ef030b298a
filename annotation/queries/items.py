"""A campaign's items as its organisers look through them: filters, counts, and one item with everything about it.

Filters are a fixed list: nothing that comes from an address ever becomes the name of a column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import compress
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Prefetch, QuerySet

from annotation.models import Campaign, Claim, Decision, EarlierAnswer, Flag, Item, Judgement, Label, Membership, Ruling
from scoring.wording import counted

from .search import FEW, holding

WAITING = ("conflict", "unresolved")
"""How the items stand on which people differ and that nobody has decided."""
UNDECIDED = ("", "open", *WAITING)
"""What `how` says of an item that has no final label."""

Rows = QuerySet[Item]


def _flagged(campaign: Campaign) -> QuerySet[Any, int]:
    return Flag.objects.filter(item__campaign=campaign, resolved_at__isnull=True).order_by().values_list("item", flat=True)


def _skipped(campaign: Campaign) -> QuerySet[Any, int]:
    return Claim.objects.filter(campaign=campaign, state=Claim.State.SKIPPED).order_by().values_list("item", flat=True)


def _stale(campaign: Campaign) -> QuerySet[Any, int]:
    return Decision.objects.filter(item__campaign=campaign, stale=True).order_by().values_list("item", flat=True)


def _among(ids: Callable[[Campaign], QuerySet[Any, int]]) -> Callable[[Rows, Campaign], Rows]:
    """A filter by what few items usually have. Few ids are named: asked for as a subquery, PostgreSQL may look for them by
    walking along all items."""

    def narrowed(items: Rows, campaign: Campaign) -> Rows:
        found = list(ids(campaign).distinct()[: FEW + 1])
        return items.filter(pk__in=found if len(found) <= FEW else ids(campaign))

    return narrowed


def _work(**facts: Any) -> Callable[[Rows, Campaign], Rows]:
    """A filter by facts that only work has."""
    return lambda items, _: items.filter(use=Item.Use.WORK, **facts)


STATES: Mapping[str, tuple[str, Callable[[Rows, Campaign], Rows]]] = {
    "open": ("Still open", _work(complete=False)),
    "complete": ("All answers there", _work(complete=True)),
    "disagreed": ("People disagreed", _work(disagreed=True)),
    "undecided": ("Not decided", _work(how__in=UNDECIDED)),
    "adjudicated": ("Adjudicated", _work(how="adjudicated")),
    "stale": ("Ruling is stale", _among(_stale)),
    "flagged": ("Flagged", _among(_flagged)),
    "skipped": ("Skipped by somebody", _among(_skipped)),
    "known": ("Known answer", lambda items, _: items.exclude(use=Item.Use.WORK)),
}
"""How an item may stand: the name in addresses, the words, the filter. Items with a known answer are no work: nobody waits for
their answers, and nothing is decided about them."""
_ELSEWHERE: Mapping[str, Callable[[Campaign], QuerySet[Any, int]]] = {"stale": _stale, "flagged": _flagged, "skipped": _skipped}
"""Those that other tables tell."""
COUNTED = 1_000
"""Where a filter leaves more items, nobody waits until they are counted."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What to show of a campaign's items; empty fields do not filter."""

    label: Label | None = None
    made_by: str = ""
    task: str = ""
    use: str = ""
    annotator: Membership | None = None
    answers: int | None = None
    first: int | None = None
    last: int | None = None
    text: str = ""


def filtered(campaign: Campaign, filters: Filters) -> Rows:
    """The items that the filters leave, in no particular order."""
    exact: dict[str, Any] = {
        "decided": filters.label,
        "made_by": filters.made_by,
        "task": filters.task,
        "use": filters.use,
        "answered": filters.answers,
        "number__gte": filters.first,
        "number__lte": filters.last,
    }
    given = {name: value for name, value in exact.items() if value not in (None, "")}
    items = Item.objects.filter(campaign=campaign, **given)
    if filters.annotator is not None:
        answered = Claim.objects.filter(campaign=campaign, annotator=filters.annotator.user_id, state__in=Claim.GIVEN)
        items = items.filter(pk__in=answered.values("item"))
    return holding(items, filters.text) if filters.text else items


def standing(items: Rows, campaign: Campaign, state: str) -> Rows:
    """Those of the campaign's items that are in this of the STATES; all of them if it is empty."""
    return STATES[state][1](items, campaign) if state else items


@dataclass(frozen=True, slots=True)
class Page:
    """Some items in order of their numbers; `before` and `after` are the numbers that its neighbours are reached by."""

    items: Sequence[Item]
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The numbers of the items before and after one."""

    before: int | None
    after: int | None


def neighbours_of(item: Item) -> Neighbours:
    """The next numbers on both sides, whatever the items are for."""
    numbers = Item.objects.filter(campaign=item.campaign_id).values_list("number", flat=True)
    before = numbers.filter(number__lt=item.number).order_by("-number").first()
    return Neighbours(before, numbers.filter(number__gt=item.number).order_by("number").first())


def page_of(items: Rows, *, size: int, after: int | None = None, before: int | None = None) -> Page:
    """The `size` items that follow number `after`, or precede number `before`. No row that is not shown is read."""
    rows = items.select_related("first", "second", "original", "decision__label", "gold")
    if before is not None:
        found = list(rows.filter(number__lt=before).order_by("-number")[: size + 1])
        shown = found[:size][::-1]
        return Page(shown, shown[0].number if len(found) > size else None, shown[-1].number if shown else None)
    found = list((rows if after is None else rows.filter(number__gt=after)).order_by("number")[: size + 1])
    shown = found[:size]
    return Page(shown, shown[0].number if shown and after is not None else None, shown[-1].number if len(found) > size else None)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items stand how. `waiting` are conflicts that nobody has decided; `by_answers` counts items for work by (answers
    there, answers wanted)."""

    all: int
    states: Mapping[str, int]
    waiting: int = 0
    by_answers: Mapping[tuple[int, int], int] = field(default_factory=dict)

    @property
    def work(self) -> int:
        return sum(self.by_answers.values())

    @property
    def known(self) -> int:
        return self.states["known"]

    @property
    def answered(self) -> int:
        return sum(answered * count for (answered, _), count in self.by_answers.items())

    @property
    def wanted(self) -> int:
        return sum(wanted * count for (_, wanted), count in self.by_answers.items())


def _states_of(use: str, complete: bool, how: str, disagreed: bool) -> Sequence[str]:
    """The names of the STATES that such an item is in, as far as its own row tells."""
    if use != Item.Use.WORK:
        return ["known"]
    holds = {
        "open": not complete,
        "complete": complete,
        "disagreed": disagreed,
        "undecided": how in UNDECIDED,
        "adjudicated": how == "adjudicated",
    }
    return [state for state, is_so in holds.items() if is_so]


def counts_of(campaign: Campaign) -> Counts:
    """Counted in one pass over one index, and three small tables."""
    facts = ("use", "complete", "how", "disagreed", "wanted", "answered")
    states = dict.fromkeys(STATES, 0)
    total = waiting = 0
    by_answers: dict[tuple[int, int], int] = {}
    for use, complete, how, disagreed, wanted, answered, count in (
        Item.objects.filter(campaign=campaign).order_by().values_list(*facts).annotate(n=Count("*"))
    ):
        total += count
        for state in _states_of(use, complete, how, disagreed):
            states[state] += count
        if use != Item.Use.WORK:
            continue
        waiting += count if how in WAITING else 0
        by_answers[answered, wanted] = by_answers.get((answered, wanted), 0) + count
    for state, ids in _ELSEWHERE.items():
        states[state] = ids(campaign).distinct().count()
    return Counts(total, states, waiting, dict(sorted(by_answers.items())))


def counts_among(items: Rows, campaign: Campaign) -> Counts | None:
    """How many of some of the campaign's items stand how, in one query; None where they are more than COUNTED, whom it would take
    long to count."""
    noted = {f"is_{state}": Exists(ids(campaign).filter(item=OuterRef("pk"))) for state, ids in _ELSEWHERE.items()}
    facts = items.annotate(**noted).values_list("use", "complete", "how", "disagreed", *noted)
    found = list(facts[: COUNTED + 1])
    if len(found) > COUNTED:
        return None
    states = dict.fromkeys(STATES, 0)
    for use, complete, how, disagreed, *elsewhere in found:
        for state in (*_states_of(use, complete, how, disagreed), *compress(_ELSEWHERE, elsewhere)):
            states[state] += 1
    return Counts(len(found), states)


def how_many(campaign: Campaign) -> tuple[int, int]:
    """How many items there are for work, and how many with a known answer; one query."""
    items = Item.objects.filter(campaign=campaign).order_by().values_list("use").annotate(n=Count("*"))
    by_use = dict(items)
    work = by_use.pop(Item.Use.WORK, 0)
    return work, sum(by_use.values())


def items_said(work: int, known: int) -> str:
    """So many items in words. Those with a known answer are told apart wherever items are counted, for no figure counts them."""
    if not known:
        return counted(work, "item")
    return (
        f"{counted(work, 'item')} and {known:,} with a known answer" if work else f"{counted(known, 'item')} with a known answer"
    )


def makers_and_tasks(campaign: Campaign) -> tuple[list[str], list[str]]:
    """Who made the judged texts, and which tasks they are from: what the filters offer. An item keeps both for ever, so that
    they are read again only when there are further items."""
    last = Item.objects.filter(campaign=campaign).aggregate(last=Max("number"))["last"]
    makers, tasks = _makers_and_tasks(campaign.pk, campaign.created_at, last or 0)
    return list(makers), list(tasks)


@lru_cache(maxsize=256)
def _makers_and_tasks(campaign_id: int, made_at: datetime, last: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pairs = list(Item.objects.filter(campaign=campaign_id).order_by().values_list("made_by", "task").distinct())
    return tuple(sorted({maker for maker, _ in pairs if maker})), tuple(sorted({task for _, task in pairs if task}))


def answers_to(items: Sequence[Item]) -> dict[int, list[Judgement]]:
    """Item id → all of its judgements in order of their slots, those that do not count last."""
    found: dict[int, list[Judgement]] = {item.pk: [] for item in items}
    rows = Judgement.objects.filter(claim__item__in=items).select_related("label", "claim__slot")
    for judgement in rows.order_by("uncounted", "claim__slot__position", "pk"):
        found[judgement.claim.item_id].append(judgement)
    return found


def marks_on(items: Sequence[Item]) -> dict[int, list[str]]:
    """Item id → which of "flagged" and "skipped" it is."""
    found: dict[int, list[str]] = {item.pk: [] for item in items}
    flags = Flag.objects.filter(item__in=items, resolved_at__isnull=True)
    for pk in flags.order_by().values_list("item", flat=True).distinct():
        found[pk].append("flagged")
    skips = Claim.objects.filter(item__in=items, state=Claim.State.SKIPPED)
    for pk in skips.values_list("item", flat=True).distinct():
        found[pk].append("skipped")
    return found


def whole(campaign: Campaign) -> Rows:
    """Items with all that their own page shows, in a fixed number of queries."""
    earlier = EarlierAnswer.objects.select_related("label").order_by("number")
    judgements = Judgement.objects.select_related("label").prefetch_related(Prefetch("earlier", earlier))
    claims = Claim.objects.select_related("slot", "annotator").prefetch_related(Prefetch("judgement", judgements))
    rows = Item.objects.filter(campaign=campaign)
    return rows.select_related(
        "campaign", "first", "second", "original", "decision__label", "gold", "example__upload", "example__run"
    ).prefetch_related(
        "slots",
        Prefetch("claims", claims.order_by("slot__position", "pk")),
        Prefetch("flags", Flag.objects.select_related("user", "resolved_by")),
        Prefetch("rulings", Ruling.objects.select_related("by", "label")),
    )
