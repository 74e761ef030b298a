"""What attackers changed: typed edits of a campaign's texts against their originals, counted by attacker."""

from __future__ import annotations

from collections import Counter

from annotation.models import Campaign
from annotation.protocols.analysis import Table
from annotation.protocols.votes import counted_items
from scoring.texts.edit_kinds import KINDS
from scoring.texts.entities import CAPITALISED


def edits_tables(campaign: Campaign) -> list[Table]:
    """The table of edits by attacker; none where no item's original is known."""
    kinds: dict[str, Counter[str]] = {}
    compared = counted_items(campaign).filter(edits__isnull=False).order_by()
    for attacker, edits in compared.values_list("made_by", "edits").iterator():
        counts = kinds.setdefault(attacker, Counter())
        counts["pairs"] += 1
        counts.update(edits or {})
    if not kinds:
        return []
    shown = [kind for kind in KINDS if any(counts[kind] for counts in kinds.values())]
    attackers = sorted(kinds)
    # Kinds as rows: there are more of them than attackers, and a page is higher than wide.
    rows = [[kind.replace("_", " "), *(kinds[attacker][kind] for attacker in attackers)] for kind in ("pairs", *shown)]
    note = f"Named entities by {CAPITALISED.name}s." if "named_entity" in shown else ""
    return [Table("edits", "What was changed, by attacker", ["edit", *attackers], rows, note)]
