"""What adjudicators decide: items on which people differ and no rule decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, OuterRef, Prefetch, Q, QuerySet, Subquery, When

from annotation.models import Campaign, Decision, Item, Judgement, Ruling, Slot

from .items import WAITING
from .search import FEW


def waiting(campaign: Campaign) -> QuerySet[Item]:
    """Conflicts that nobody has decided."""
    return Item.objects.filter(campaign=campaign, use=Item.Use.WORK, how__in=WAITING)


def stale(campaign: Campaign) -> QuerySet[Item]:
    """Items that were decided, and whose answers have changed since."""
    return decided(campaign).filter(pk__in=Decision.objects.filter(item__campaign=campaign, stale=True).values("item"))


def decided(campaign: Campaign) -> QuerySet[Item]:
    """Items that an adjudicator decided."""
    return Item.objects.filter(campaign=campaign, use=Item.Use.WORK, how="adjudicated")


LISTS: Mapping[str, tuple[str, Callable[[Campaign], QuerySet[Item]]]] = {
    "waiting": ("To decide", waiting),
    "stale": ("Answers changed since", stale),
    "decided": ("Decided", decided),
}


def open_to_rule(campaign: Campaign) -> QuerySet[Item]:
    """What there is to do: conflicts, and rulings that went stale."""
    # Named, not asked for in a subquery: so the database reads the index of conflicts and these, not all items.
    gone_stale = list(Decision.objects.filter(item__campaign=campaign, stale=True).values_list("item", flat=True)[:FEW])
    to_do = Q(how__in=WAITING) | Q(pk__in=gone_stale)
    return Item.objects.filter(to_do, campaign=campaign, use=Item.Use.WORK)


LOWEST_FIRST = (F("agreement").asc(nulls_first=True), F("number").asc())


def lowest_first(items: QuerySet[Item]) -> QuerySet[Item]:
    """Where people agree least comes first; then the order of the source."""
    return items.order_by(*LOWEST_FIRST)


def page_of(items: QuerySet[Item], *, start: int, size: int) -> list[Item]:
    """Some of the items in that order, with their texts, and `why` they were decided as they are. Numbers are sorted before texts
    are read."""
    shown = Item.objects.filter(pk__in=lowest_first(items).values("pk")[start : start + size])
    why = Ruling.objects.filter(item=OuterRef("pk"), superseded=False).values("note")
    return list(lowest_first(shown).select_related("first", "second", "decision__label").annotate(why=Subquery(why)))


def next_after(items: QuerySet[Item], item: Item) -> Item | None:
    """The item that follows this one in that order, else the first one besides it."""
    later: Any = Q(agreement=item.agreement, number__gt=item.number)
    if item.agreement is not None:
        later |= Q(agreement__gt=item.agreement)
    others = items.exclude(pk=item.pk).annotate(begun_again=Case(When(later, then=0), default=1))
    return others.order_by("begun_again", *LOWEST_FIRST).first()


def ruled_on(campaign: Campaign) -> QuerySet[Item]:
    """Items that may be decided or have been, with their texts and what they were decided as."""
    items = Item.objects.filter(campaign=campaign, use=Item.Use.WORK, how__in=(*WAITING, "adjudicated"))
    return items.select_related("campaign", "first", "second", "original", "decision__label").prefetch_related(
        "campaign__labels", Prefetch("slots", Slot.objects.order_by("position"))
    )


@dataclass(frozen=True, slots=True)
class Opinion:
    """One answer as an adjudicator sees it: by "Annotator A", never by a name."""

    letter: str
    judgement: Judgement


def opinions_on(items: Sequence[Item]) -> dict[int, list[Opinion]]:
    """Item id → the answers that count, in the order of their slots. Nothing about who gave them is read."""
    found: dict[int, list[Opinion]] = {item.pk: [] for item in items}
    rows = Judgement.objects.filter(claim__item__in=items, uncounted="").select_related("label")
    for judgement in rows.annotate(item_id=F("claim__item")).order_by("claim__slot__position", "pk"):
        given = found[judgement.item_id]
        given.append(Opinion(f"Annotator {chr(ord('A') + len(given))}", judgement))
    return found


def history_of(item: Item) -> QuerySet[Ruling]:
    """The rulings on the item, the newest first."""
    return Ruling.objects.filter(item=item).select_related("label", "by")
