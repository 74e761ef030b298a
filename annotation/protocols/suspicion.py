"""Suspicion: how much does one text look altered by a computer? Five points, nothing marked.

Scale and analysis follow "Suspiciousness of Adversarial Texts to Human" (Tonni, Faustini, Dras 2024, section 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median

from annotation.models import Campaign, LearnedModel, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.ceiling import noise_ceiling
from scoring.judgements.clustered import Observed
from scoring.judgements.deviation import DeviationReport, median_deviation
from scoring.judgements.likert import LikertReport, Splits, by_variant, means, splits
from scoring.judgements.variance import anova, blocked_test, tukey

from .analysis import Analysis, Figure, Table
from .base import Exposition, Outcome, Preset, Protocol, ShownText, judged_text, plain
from .comparison_tables import compared_table, confidence_table, instruction_tables, variance_table
from .labels import Change, LabelSpec
from .plots import intervals, parts
from .pools import pool_figures, pool_tables

JUDGED_AT_LEAST = 3
"""The paper's average deviation is over texts judged three times."""


class Suspicion(Protocol):
    key = "suspicion"
    title = "Suspicion"
    asks = "How suspicious does it look?"
    exclusive = True
    scale = True
    comparable = True
    learns = LearnedModel.Kind.SUSPICION
    human = ("mean suspicion", "number")
    settings = frozenset({"confidence", "confidence_levels"})
    labels = Change.WORDING
    presets = {
        "five-points": Preset(
            title="Suspicion from 1 to 5",
            about="One text, nothing marked. Three people each; the median counts.",
            labels=(
                LabelSpec(1, "1", "surely a person", "I am sure that a person wrote every word of this."),
                LabelSpec(2, "2", "rather a person", "It reads as if a person wrote it, though I would not swear to it."),
                LabelSpec(3, "3", "cannot tell", "It could be either."),
                LabelSpec(4, "4", "rather a computer", "Something looks as if a program had changed it."),
                LabelSpec(5, "5", "surely a computer", "I am sure that a program changed something here."),
            ),
            settings={
                "question": "Was this text altered by a computer?",
                "slots": 3,
                "guidelines": (
                    "Some of the texts are as a person wrote them, some were changed a little by a program. Say how the text "
                    "looks to you; whether you agree with what it says does not matter.\n\n"
                    "People make mistakes too: a slip of spelling alone need not be a program's. Look for words that do not fit "
                    "their place, for letters that are swapped or look odd, for grammar that no speaker would use. Read the text "
                    "once at your usual pace and answer by your first impression; you cannot look anything up."
                ),
            },
        )
    }

    def exposition(self, slot: Slot) -> Exposition:
        return Exposition([ShownText("Text", plain(judged_text(slot.item)))])

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        if not votes:
            return Outcome("open")
        return Outcome("median", value=float(median(vote.value for vote in votes)))

    def human_scores(self, campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, float]:
        return {item.item_id: fmean(vote.value for vote in item.votes) for item in items if item.votes}

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        scores = {item.item_id: [vote.value for vote in item.votes] for item in items}
        variant = {item.item_id: item.variant for item in items}
        original = {item.item_id: item.original_id for item in items}
        deviation = median_deviation(scores, at_least=JUDGED_AT_LEAST, variant_of=variant, cluster_of=original)
        report = means(scores, variant_of=variant, cluster_of=original)
        figures = [
            Figure("deviation", "Average deviation from the median", deviation.overall,
                   detail=f"over items judged at least {JUDGED_AT_LEAST} times"),
            Figure("mean", "Mean suspicion", report.overall, detail="all judgements", scale=(1, 5)),
            Figure("ceiling", "Noise ceiling", noise_ceiling(scores, label="median", seed=0, cluster_of=original), scale=(0, 1),
                   detail="the best r that any model can reach on labels judged as often as these; n: judged twice or more"),
            *pool_figures(items, self.labels_of(campaign), level="ordinal"),
        ]  # fmt: skip
        return Analysis(
            "A judgement belongs to an item, that is one text of one variant. Deviation: mean distance of an item's "
            "judgements from their median, averaged over items. Intervals: bootstrap over originals.",
            figures,
            [
                _likert(report),
                *_differences(by_variant(scores, variant, original)),
                _splits(splits(scores, variant_of=variant, cluster_of=original)),
                _deviation_counts(deviation),
                *confidence_table(items),
                *pool_tables(campaign, items, self.labels_of(campaign), level="ordinal"),
            ],
        )

    def beside(self, items: Sequence[ItemVotes], others: Sequence[ItemVotes]) -> list[Table]:
        both = [*items, *others]
        first, second = ({item.item_id: [vote.value for vote in item.votes] for item in of} for of in (items, others))
        return instruction_tables(
            first,
            second,
            variant_of={item.item_id: item.variant for item in both},
            cluster_of={item.item_id: item.original_id for item in both},
        )


def _likert(report: LikertReport) -> Table:
    rows = [[row.variant, row.n, *row.counts, row.mean] for row in report.variants]
    points = [f"{point}" for point in report.scale]
    plot = parts([(row.variant, row.counts) for row in report.variants], points, row="variant", part="answer")
    return Table("likert", "Judgements by variant", ["variant", "judgements", *points, "mean"], rows, plot=plot)


def _differences(observed: Observed) -> list[Table]:
    """The tests that the paper did, which take judgements as independent, and the one within originals, which does not."""
    if len(observed) < 2:
        return []
    groups = {variant: [score for _, score in scores] for variant, scores in observed.items()}
    tests = [
        ("analysis of variance, judgements taken as independent", anova(groups)),
        ("within originals, one mean of each variant", blocked_test(observed)),
    ]
    note = "Judgements taken as independent, as published studies do; p is corrected for all pairs."
    return [variance_table(tests), *compared_table("tukey", "Tukey's test of every two variants", tukey(groups), note)]


def _splits(found: Mapping[str, Splits]) -> Table:
    rows = [[variant, each.symmetric, each.one_vs_other] for variant, each in found.items()]
    columns = ["variant", "4 or 5", "2 or more"]
    styles = {"4 or 5": "share", "2 or more": "share"}
    note = "4 or 5: of the judgements that are not 3. 2 or more: of all."
    plot = intervals(
        [(variant, each.symmetric) for variant, each in found.items()],
        row="variant", value="4 or 5, of answers that are not 3", style="share", scale=(0, 1), against=0.5,
    )  # fmt: skip
    return Table("splits", "The scale cut in two", columns, rows, note, styles=styles, plot=plot)


def _deviation_counts(report: DeviationReport) -> Table:
    sums = report.sums
    rows = [[row.variant, *(row.counts.get(value, 0) for value in sums), row.n, row.mean] for row in report.variants]
    rows.append(["all", *(report.counts.get(value, 0) for value in sums), report.overall.n, report.overall])
    columns = ["variant", *(f"C·δ = {value:g}" for value in sums), "items", "δ"]
    return Table("deviation", "Deviation from the median: items by C·δ", columns, rows)
