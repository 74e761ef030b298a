"""Binary: a person's own text, or altered by a computer? Many votes on one text; the score is the share of "altered"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotation.models import Campaign, LearnedModel, Slot, Variant
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.suspected import item_score, suspected, suspected_by_variant
from scoring.result import Estimate

from .analysis import Analysis, Figure, Table
from .base import Exposition, Outcome, Preset, Protocol, ShownText, judged_text, plain
from .labels import Change, LabelSpec
from .plots import intervals
from .pools import pool_figures, pool_tables

HUMAN, ALTERED = "human", "altered"


class Binary(Protocol):
    key = "binary"
    title = "Binary"
    asks = "A person's text, or altered by a computer?"
    exclusive = True
    learns = LearnedModel.Kind.SUSPICION
    learned_label = "mean"
    human = ("answers that call it altered", "share")
    settings = frozenset({"threshold"})
    labels = Change.WORDING
    presets = {
        "ten-votes": Preset(
            title="Ten votes",
            about="One text, nothing marked; half of the texts are originals. Ten people each; the share of “altered” counts.",
            labels=(
                LabelSpec(0, HUMAN, "written by a person", "As a person wrote it, mistakes included."),
                LabelSpec(1, ALTERED, "altered by a computer", "A program changed words or letters in it."),
            ),
            settings={
                "question": "Is this text as a person wrote it, or was it altered by a computer?",
                "prevalence": "About half of the texts are as a person wrote them; the others were altered.",
                "slots": 10,
                "guidelines": (
                    "Read the text once at your usual pace and decide by your impression. What it claims may be false; that is "
                    "not the question. If you cannot tell, guess: there is no third answer."
                ),
            },
        )
    }

    def exposition(self, slot: Slot) -> Exposition:
        return Exposition([ShownText("Text", plain(judged_text(slot.item)))])

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        if not votes:
            return Outcome("open")
        score = sum(vote.label == ALTERED for vote in votes) / len(votes)
        return Outcome("share", ALTERED if score >= campaign.settings["threshold"] else HUMAN, score)

    def human_scores(self, campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, float]:
        shares = {item.item_id: item_score([vote.label == ALTERED for vote in item.votes]) for item in items}
        return {pk: share for pk, share in shares.items() if share is not None}

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        originals = [item for item in items if item.variant == Variant.UNCHANGED]
        altered = [item for item in items if item.variant != Variant.UNCHANGED]
        threshold = campaign.settings["threshold"]
        figures = [
            Figure("noticed", "Altered texts called altered", _called_altered(altered), style="share", scale=(0, 1),
                   detail="share of the answers; half is what guessing gives"),
            Figure("false_alarms", "Originals called altered", _called_altered(originals), style="share", scale=(0, 1),
                   detail="share of the answers"),
            Figure("right", "Right answers", _right(items), style="share", scale=(0, 1), detail="over all texts"),
            *pool_figures(items, self.labels_of(campaign), level="nominal"),
        ]  # fmt: skip
        return Analysis(
            "An item's score is the share of its answers that call it altered; from "
            f"{threshold:g} on it counts as noticed, once no answer that is still wanted can change it. Shares are over "
            "answers. Intervals: over originals, since answers "
            "to variants of one original are not independent. Against 50 %, which is what guessing gives: a t-test with errors "
            "clustered by original, corrected for all variants by Holm's method.",
            figures,
            [
                _by_variant(items, threshold),
                *pool_tables(campaign, items, self.labels_of(campaign), level="nominal"),
            ],
        )


def _called_altered(items: Sequence[ItemVotes]) -> Estimate:
    return suspected(_votes(items), cluster_of=_originals(items))


def _right(items: Sequence[ItemVotes]) -> Estimate:
    right = {
        item.item_id: [(vote.label == ALTERED) == (item.variant != Variant.UNCHANGED) for vote in item.votes] for item in items
    }
    return suspected(right, cluster_of=_originals(items))


def _by_variant(items: Sequence[ItemVotes], threshold: float) -> Table:
    votes = _votes(items)
    noticed: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    for item in items:
        called = sum(votes[item.item_id])
        everybody = len(item.votes) + item.missing
        surely = bool(item.votes) and called / everybody >= threshold
        noticed[item.variant] += surely
        waiting[item.variant] += not surely and (not item.votes or (called + item.missing) / everybody >= threshold)
    found = suspected_by_variant(votes, {item.item_id: item.variant for item in items}, cluster_of=_originals(items))
    rows = [
        [row.variant, row.items, noticed[row.variant], waiting[row.variant], row.share.n, row.share, row.verdict, row.p_corrected]
        for row in found
    ]
    columns = ["variant", "items", "noticed", "open", "answers", "called altered", "against 50 %", "p, corrected"]
    styles = {"called altered": "share", "p, corrected": "p"}
    shares = [(row.variant, row.share) for row in found]
    plot = intervals(shares, row="variant", value="called altered", style="share", scale=(0, 1), against=0.5)
    return Table("by_variant", "Called altered, by variant", columns, rows, styles=styles, plot=plot)


def _votes(items: Sequence[ItemVotes]) -> dict[int, list[bool]]:
    return {item.item_id: [vote.label == ALTERED for vote in item.votes] for item in items}


def _originals(items: Sequence[ItemVotes]) -> dict[int, int]:
    return {item.item_id: item.original_id for item in items}
