"""Deleting items and examples, some at a time, and forgetting the texts that nothing shows any more.

Campaigns share texts, and an import writes, or finds, the texts of its items long before the items themselves. So nothing is
forgotten while an import is being written: what it has found would go under its hands. Whoever wanted to forget something then
leaves it to the server's duties, of which this is one (see `manage.py start`).
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from annotation.models import Batch, Example, Item, Original, Outcome, Slot, Variant

from .holding import hold_texts
from .pausing import pause

AT_ONCE = 500


def delete_items(items: QuerySet[Item]) -> None:
    """Delete the items with their slots, and forget their texts."""
    while some := list(items.order_by().values_list("pk", "original")[:AT_ONCE]):
        with transaction.atomic():
            Slot.objects.filter(item__in=[pk for pk, _ in some]).delete()
            Item.every.filter(pk__in=[pk for pk, _ in some]).delete()
        _forget(Original.objects.filter(pk__in=[original for _, original in some]))
        pause()


def delete_examples(examples: QuerySet[Example]) -> None:
    """Delete the examples, which no item shows, and forget their texts."""
    while some := list(examples.order_by().values_list("pk", "after__original")[:AT_ONCE]):
        Example.objects.filter(pk__in=[pk for pk, _ in some]).delete()
        _forget(Original.objects.filter(pk__in=[original for _, original in some]))
        pause()


def forget_unused(origins: Iterable[tuple[str, str]]) -> None:
    """Delete the texts of the originals with these tasks and keys that no item, no example and no attack run shows."""
    wanted: dict[str, list[str]] = {}
    for task, key in origins:
        wanted.setdefault(task, []).append(key)
    for task, keys in wanted.items():
        _forget(Original.objects.filter(task=task, key__in=keys))


def forget_all_unused() -> None:
    """The same for all originals: what was left because an import was being written, or by a process that was killed."""
    last = Original.objects.aggregate(last=Max("pk"))["last"] or 0
    for start in range(0, last + 1, AT_ONCE):
        some = Original.objects.filter(pk__gte=start, pk__lt=start + AT_ONCE)
        if _unused_variants(some).exists() or _unused(some).exists():
            _forget(some)
            pause()


@transaction.atomic
def _forget(originals: QuerySet[Original]) -> None:
    hold_texts()
    if not Batch.objects.filter(state=Batch.State.WRITING).exists():
        _unused_variants(originals).delete()
        _unused(originals).delete()


def _unused_variants(originals: QuerySet[Original]) -> QuerySet[Variant]:
    shown = [Exists(Item.every.filter(**{field: OuterRef("pk")})) for field in ("first", "second")]
    shown += [Exists(Example.objects.filter(**{field: OuterRef("pk")})) for field in ("before", "after")]
    shown.append(Exists(Outcome.objects.filter(before=OuterRef("pk"))))
    return Variant.objects.filter(*(~use for use in shown), original__in=originals)


def _unused(originals: QuerySet[Original]) -> QuerySet[Original]:
    return originals.filter(~Exists(Item.every.filter(original=OuterRef("pk"))), variants=None)
