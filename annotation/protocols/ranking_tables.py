"""Attackers in order of how many of their examples keep the meaning, beside their order by an automatic score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from annotation.protocols.votes import ItemVotes
from scoring.judgements.ranking import Ranking, rank
from scoring.result import Estimate
from scoring.wording import shown_interval, shown_value

from .analysis import Table
from .comparison_tables import compared_table
from .label_tables import variants_of
from .plots import intervals


def ranking_tables(items: Sequence[ItemVotes], kept: Sequence[str]) -> list[Table]:
    """By people; by the automatic score; and every two attackers compared."""
    decided = [item for item in items if item.decided_label is not None and kept]
    scores = {item.item_id: item.character_score for item in decided if item.character_score is not None}
    found = rank(
        {item.item_id: item.decided_label in kept for item in decided},
        {item.item_id: item.variant for item in items},
        automatic=scores if decided and len(scores) == len(decided) else None,
        cluster_of={item.item_id: item.original_id for item in items},
    )
    note = (
        "p: McNemar's exact test where every original has one example of both, else a t-test with errors clustered by original. "
        "Corrected: Holm's method over all pairs. pp: percentage points."
    )
    return [
        _by_people(items, found),
        *_beside(decided, found),
        *compared_table("kept_compared", "Meaning kept, every two attackers", found.comparisons, note, style="points"),
    ]


def _by_people(items: Sequence[ItemVotes], found: Ranking) -> Table:
    placed = {row.attacker for row in found.attackers}
    rows = [[row.attacker, row.preserved.n, row.preserved, row.place] for row in found.attackers]
    rows += [[variant, 0, None, None] for variant in variants_of(items) if variant not in placed]
    columns = ["attacker", "decided", "kept", "place"]
    shares = [(row.attacker, row.preserved) for row in found.attackers]
    plot = intervals(shares, row="attacker", value="meaning kept", style="share", scale=(0, 1))
    return Table("kept_by_variant", "Meaning kept, by attacker", columns, rows, styles={"kept": "share"}, plot=plot)


def _beside(decided: Sequence[ItemVotes], found: Ranking) -> list[Table]:
    """Both rankings, and what is known of the attacks; nothing where a score is missing or there are no two attackers."""
    if found.spearman is None or found.kendall is None or len(found.attackers) < 2:
        return []
    own: dict[str, list[ItemVotes]] = defaultdict(list)
    for item in decided:
        own[item.variant].append(item)
    more = {
        "semantic score": {attacker: _mean([item.semantic_score for item in theirs]) for attacker, theirs in own.items()},
        "queries": {attacker: _mean([item.queries for item in theirs]) for attacker, theirs in own.items()},
    }
    known = {name: means for name, means in more.items() if any(mean is not None for mean in means.values())}
    rows = [
        [row.attacker, row.place, row.automatic_place, row.automatic, *(means[row.attacker] for means in known.values())]
        for row in found.attackers
    ]
    columns = ["attacker", "place by people", "by character score", "character score", *known]
    note = f"The two orders: {_told('Spearman’s ρ', found.spearman)}, {_told('Kendall’s τ', found.kendall)}."
    if (missing := found.spearman.reason) is not None:
        note = f"The two orders are not correlated here. {missing.message}"
    note += " The character score is BODEGA's mean over the decided examples: 1 for equal texts, 0 for texts that share nothing."
    styles = {"queries": "count"} if "queries" in known else {}
    return [Table("rankings", "Ranked by people and by a program", columns, rows, note, styles=styles)]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _told(name: str, found: Estimate) -> str:
    interval = shown_interval(found)
    return f"{name} = {shown_value(found)}" + (f" ({interval})" if interval else "")
