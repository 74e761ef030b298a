"""What people say of texts beside what a program says: BODEGA's character score, which every compared item has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.protocols.analysis import Table
from annotation.protocols.plots import intervals
from annotation.protocols.votes import ItemVotes
from scoring.correlation import pearson
from scoring.judgements.bootstrap import bootstrap_interval
from scoring.judgements.shares import ratio
from scoring.result import Estimate
from scoring.wording import counted, digits, shown_interval, shown_value

PARTS = 5

Scored = tuple[float, float, int]
"""The automatic score of a text, the human one, and its original."""


def automatic_tables(campaign: Campaign, items: Sequence[ItemVotes]) -> list[Table]:
    """The human score by fifths of the automatic one; none where no judged text has an original that is known."""
    name, style = protocol_of(campaign).human
    scored, answered = _scored(campaign, items)
    if not scored:
        return []
    columns = ["character score", "texts", name]
    rows = [(f"{digits(part[0][0], '.3f')} to {digits(part[-1][0], '.3f')}", len(part), _mean(part)) for part in _fifths(scored)]
    means = [(title, mean) for title, _, mean in rows]
    scale = (0, 1) if style == "share" else None
    return [
        Table(
            "automatic",
            "Human against automatic score",
            columns,
            rows,
            _note(scored, answered, name),
            styles={name: style},
            plot=intervals(means, row="character score", value=name, style=style, scale=scale),
        )
    ]


def _scored(campaign: Campaign, items: Sequence[ItemVotes]) -> tuple[list[Scored], int]:
    """In order of the automatic score; and how many texts people answered."""
    compared = [(item.character_score, item) for item in items if item.character_score is not None]
    human = protocol_of(campaign).human_scores(campaign, [item for _, item in compared])
    scored = [(score, human[item.item_id], item.original_id) for score, item in compared if item.item_id in human]
    return sorted(scored), sum(1 for item in items if item.votes)


def _fifths(scored: list[Scored]) -> list[list[Scored]]:
    """In order of the automatic score, as equal in number as can be. Equal scores stay together."""
    ends = [round(len(scored) * part / PARTS) for part in range(1, PARTS + 1)]
    parts, start = [], 0
    for end in ends:
        while 0 < end < len(scored) and scored[end][0] == scored[end - 1][0]:
            end += 1
        if end > start:
            parts.append(scored[start:end])
            start = end
    return parts


def _mean(part: list[Scored]) -> Estimate:
    sums = np.array([[human, 1.0] for _, human, _ in part])
    interval, missing = bootstrap_interval(sums, ratio, clusters=[original for *_, original in part], seed=0)
    return Estimate(float(sums[:, 0].mean()), None, len(part), "mean over texts", interval=interval, no_interval=missing)


def _note(scored: list[Scored], answered: int, name: str) -> str:
    automatic, human, originals = (np.array(column) for column in zip(*scored, strict=True))
    r = pearson(human.astype(float), automatic.astype(float)[None], np.unique(originals, return_inverse=True)[1], seed=0)
    told = f"Pearson's r of the character score and the {name}: {shown_value(r)}"
    told += f" ({interval})." if (interval := shown_interval(r)) else "."
    told += " The character score is BODEGA's: 1 for equal texts, 0 for texts that share nothing."
    return told + (f" Of {counted(answered, 'answered text')}, {len(scored):,} are compared." if answered > len(scored) else "")
