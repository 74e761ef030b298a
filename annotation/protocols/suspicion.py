"""Suspicion: how much does one text look altered by a computer? Five points, nothing marked.

Scale and analysis follow "Suspiciousness of Adversarial Texts to Human" (Tonni, Faustini, Dras 2024, section 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from annotation.models import Campaign, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.ceiling import noise_ceiling
from scoring.judgements.deviation import DeviationReport, median_deviation
from scoring.judgements.likert import LikertReport, means

from .analysis import Analysis, Figure, Table
from .base import Exposition, LabelSpec, Outcome, Preset, Protocol, ShownText, plain, shown_text

JUDGED_AT_LEAST = 3
"""The paper's average deviation is over texts judged three times."""


class Suspicion(Protocol):
    key = "suspicion"
    title = "Suspicion"
    asks = "How suspicious does it look?"
    exclusive = True
    scale = True
    preset = Preset(
        labels=(
            LabelSpec(1, "1", "surely a person", "Surely written by a person, nothing altered."),
            LabelSpec(2, "2", "rather a person", "Probably written by a person."),
            LabelSpec(3, "3", "cannot tell", "Could be either."),
            LabelSpec(4, "4", "rather a computer", "Probably altered by a computer."),
            LabelSpec(5, "5", "surely a computer", "Surely altered by a computer."),
        ),
        settings={
            "question": "Was this text altered by a computer?",
            "slots": 3,
            "confidence": False,
            "differences": False,
        },
        guidelines=(
            "Some of the texts are as a person wrote them, some were changed a little by a program. Say how the text looks "
            "to you; whether you agree with what it says does not matter."
        ),
        ends=("surely a person", "surely a computer"),
    )

    def exposition(self, slot: Slot) -> Exposition:
        return Exposition([ShownText("Text", plain(shown_text(slot.item)))])

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        if not votes:
            return Outcome("open")
        return Outcome("median", value=float(median(vote.value for vote in votes)))

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        scores = {item.item_id: [vote.value for vote in item.votes] for item in items}
        variant = {item.item_id: item.variant for item in items}
        original = {item.item_id: item.original_id for item in items}
        deviation = median_deviation(scores, at_least=JUDGED_AT_LEAST, variant_of=variant, cluster_of=original)
        by_variant = means(scores, variant_of=variant, cluster_of=original)
        figures = [
            Figure("deviation", "Average deviation from the median", deviation.overall,
                   detail=f"over items judged at least {JUDGED_AT_LEAST} times"),
            Figure("mean", "Mean suspicion", by_variant.overall, detail="all judgements", scale=(1, 5)),
            Figure("ceiling", "Noise ceiling", noise_ceiling(scores, label="median", seed=0, cluster_of=original), scale=(0, 1),
                   detail="the best r that any model can reach on labels judged as often as these; n: judged twice or more"),
        ]  # fmt: skip
        return Analysis(
            "A judgement belongs to an item, that is one text of one variant. Deviation: mean distance of an item's "
            "judgements from their median, averaged over items. Intervals: bootstrap over originals.",
            figures,
            [_likert(by_variant), _deviation_counts(deviation)],
        )


def _likert(report: LikertReport) -> Table:
    rows = [[row.variant, row.n, *row.counts, row.mean] for row in report.variants]
    return Table("likert", "Judgements by variant", ["variant", "judgements", "1", "2", "3", "4", "5", "mean"], rows)


def _deviation_counts(report: DeviationReport) -> Table:
    sums = report.sums
    rows = [[row.variant, *(row.counts.get(value, 0) for value in sums), row.n, row.mean] for row in report.variants]
    rows.append(["all", *(report.counts.get(value, 0) for value in sums), report.overall.n, report.overall])
    columns = ["variant", *(f"C·δ = {value:g}" for value in sums), "items", "δ"]
    return Table("deviation", "Deviation from the median: items by C·δ", columns, rows)
