"""What attackers changed: typed edits of a campaign's texts against their originals, counted by attacker."""

from __future__ import annotations

from collections import Counter
from math import ceil

from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Coalesce

from annotation.models import Campaign, Item, Variant
from annotation.protocols.analysis import Table
from annotation.protocols.votes import counted_items
from scoring.texts.edit_kinds import KINDS
from scoring.texts.edits import typed_edits
from scoring.texts.entities import CAPITALISED
from scoring.wording import counted

MOST_PAIRS = 250
MOST_CHARACTERS = 100_000
"""A page counts no more than this, evenly spread, so that it opens at once however many items there are."""


def edits_tables(campaign: Campaign) -> list[Table]:
    """The table of edits by attacker; none where no item's original is known."""
    pairs = changed_pairs(campaign)
    total = pairs.count()
    if not total:
        return []
    sample = list(pairs.annotate(turn=F("number") % ceil(total / MOST_PAIRS)).filter(turn=0).values_list("by", "old", "new"))
    characters = sum(len(old) + len(new) for _, old, new in sample)
    sample = sample[:: max(1, ceil(characters / MOST_CHARACTERS))]
    kinds: dict[str, Counter[str]] = {}
    for attacker, old, new in sample:
        kinds.setdefault(attacker, Counter()).update(["pairs", *(edit.kind for edit in typed_edits(old, new))])
    shown = [kind for kind in KINDS if any(counts[kind] for counts in kinds.values())]
    rows = [[attacker, *(kinds[attacker][kind] for kind in ("pairs", *shown))] for attacker in sorted(kinds)]
    columns = ["attacker", "pairs", *(kind.replace("_", " ") for kind in shown)]
    return [Table("edits", "What was changed, by attacker", columns, rows, _note(len(sample), total, "named_entity" in shown))]


def changed_pairs(campaign: Campaign) -> QuerySet[Item]:
    """Items whose judged text has an original that is known: the item's first text, or that of the example it is from."""
    items = counted_items(campaign).filter(
        Q(first__kind=Variant.UNCHANGED, second__isnull=False) | Q(second__isnull=True, example__after=F("first"))
    )
    return items.order_by("number").annotate(
        by=Coalesce("second__kind", "first__kind"),
        old=Case(When(second__isnull=True, then="example__before__text"), default="first__text"),
        new=Coalesce("second__text", "first__text"),
    )


def _note(counted_pairs: int, total: int, names: bool) -> str:
    spread = f"Counted in {counted_pairs:,} of {counted(total, 'pair')}, evenly spread." if counted_pairs < total else ""
    return " ".join(part for part in (spread, f"Named entities by {CAPITALISED.name}s." if names else "") if part)
