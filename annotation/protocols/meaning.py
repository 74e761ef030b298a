"""Meaning: does the modified text still say the same? Two annotators, and a third, blind person or an adjudicator on conflict.

The default's labels and rule are those of the CLEF 2024 CheckThat! shared task 6, InCrediblAE (Przybyła et al. 2024,
sections 3.2 and 4.3); the definitions and worked examples are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from annotation.models import Campaign, LearnedModel, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.agreement import cohen_kappa, gwet_ac1, raw_agreement
from scoring.judgements.decisions import Tie, Vote, decide_third_annotator
from scoring.judgements.shares import share
from scoring.result import Estimate, Reason
from scoring.texts.diff import word_diff
from scoring.wording import counted

from .analysis import Analysis, Figure, Table
from .base import Exposition, Outcome, Protocol, ShownText, plain
from .comparison_tables import confidence_table
from .label_tables import confusion_table, decisions_table, how_table
from .meaning_presets import PRESETS
from .pools import level_of, pool_figures, pool_tables, pooled, several_pairs
from .ranking_tables import ranking_tables


class Meaning(Protocol):
    key = "meaning"
    title = "Meaning"
    asks = "Does the meaning survive?"
    exclusive = False
    pair = True
    third = True
    learns = LearnedModel.Kind.MEANING
    human = ("answers that keep the meaning", "share")
    settings = frozenset(
        {"confidence", "confidence_levels", "differences", "conflicts", "third_from", "conflict_distance", "tie", "weights",
         "kept", "long_only", "long_from"}
    )  # fmt: skip
    presets = PRESETS

    def _do_not_fit(self, settings: Mapping[str, Any], labels: Sequence[Any]) -> dict[str, str]:
        problems = super()._do_not_fit(settings, labels)
        if settings["slots"] < 2:
            problems["slots"] = "At least 2: the decision needs two people who agree."
        return problems

    def exposition(self, slot: Slot) -> Exposition:
        item = slot.item
        assert item.second is not None
        original, modified = item.first.text, item.second.text
        if not item.campaign.settings["differences"]:
            return Exposition([ShownText("Original", plain(original)), ShownText("Modified", plain(modified))])
        diff = word_diff(original, modified)
        texts = [ShownText("Original", diff.original), ShownText("Modified", diff.adversarial)]
        return Exposition(texts, note=diff.summary, marked=True)

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        rule = campaign.settings
        if len(votes) >= 2 and 0 < (distance := abs(votes[0].value - votes[1].value)):
            if distance < rule["conflict_distance"]:
                lower = min(votes[:2], key=lambda vote: vote.value)
                return Outcome("close", lower.label, value=(votes[0].value + votes[1].value) / 2)
            if rule["conflicts"] == "adjudicate":
                return Outcome("conflict")
        # Without confidence nothing tells three different answers apart: the first one is no surer than the others.
        tie: Tie = rule["tie"] if rule["confidence"] else "unresolved"
        outcome = decide_third_annotator([Vote(vote.label, vote.confidence) for vote in votes], tie=tie)
        waits_for_third = outcome.how == "open" and len(votes) >= 2
        return Outcome(outcome.how, outcome.label, open=waits_for_third)

    def human_scores(self, campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, float]:
        kept = campaign.settings["kept"]
        return {item.item_id: fmean(vote.label in kept for vote in item.votes) for item in items if kept and item.votes}

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        known = self.labels_of(campaign)
        labels = [label.key for label in known]
        names = {label.key: label.name for label in known}
        slots = campaign.settings["slots"]
        first, second = ([item.label_at(place, slots) for item in items] for place in (1, 2))
        originals = [item.original_id for item in items]
        both = (first, second, labels)
        scale = (0, 1)
        weights = campaign.settings["weights"]
        kept = campaign.settings["kept"]
        figures = [
            Figure(
                "kappa",
                pooled("Cohen's kappa" if weights == "none" else f"Cohen's kappa, {weights} weights", campaign, items),
                cohen_kappa(*both, clusters=originals, weights=None if weights == "none" else weights),
                scale=scale,
            ),
            Figure(
                "raw_agreement",
                "Raw agreement",
                raw_agreement(*both, clusters=originals),
                style="share",
                detail=_conflicts(first, second),
                scale=scale,
            ),
            Figure("ac1", "Gwet's AC1", gwet_ac1(*both, clusters=originals), detail="less moved by uneven labels", scale=scale),
            *pool_figures(items, known, level=level_of(weights), first=slots),
            Figure("kept", "Meaning kept", _kept(items, kept), style="share", detail=_decided(kept, names), scale=scale),
        ]
        tables = [
            confusion_table(first, second, labels, names),
            decisions_table(items, labels, names),
            how_table(items),
            _third_judgements(items, slots),
            *ranking_tables(items, kept),
            *confidence_table(items),
            *pool_tables(campaign, items, known, level=level_of(weights), first=slots),
        ]
        return Analysis(self._method(campaign, items), figures, tables)

    def _method(self, campaign: Campaign, items: Sequence[ItemVotes]) -> str:
        who = "pooled over several pairs of annotators, " if several_pairs(campaign, items) else ""
        return (
            f"Agreement is that of the first two judgements of each item ({who}first against second), "
            f"whatever a third person said. Decision: {_rule(campaign.settings)} "
            "Intervals: over originals, since variants of one original are not independent."
        )


LEFT = "left unresolved until somebody more is asked, and then decided by the most frequent answer"


def _rule(rule: Mapping[str, Any]) -> str:
    distance = rule["conflict_distance"]
    agree = "both agree" if distance == 1 else f"both agree, or are less than {distance} apart and the lower one counts"
    if rule["conflicts"] == "adjudicate":
        return f"{agree}; else an adjudicator who sees both answers."
    if not rule["confidence"]:
        return f"{agree}; else a third, blind person and the majority; if all three differ, the item is {LEFT}."
    tie = "won by the first" if rule["tie"] == "first" else LEFT
    return f"{agree}; else a third, blind person and the majority; if all three differ, the highest confidence; a tie is {tie}."


def _conflicts(first: Sequence[str | None], second: Sequence[str | None]) -> str:
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    conflicts = sum(a != b for a, b in both)
    return f"{counted(conflicts, 'conflict')} in {counted(len(both), 'item')}"


def _decided(kept: Sequence[str], names: Mapping[str, str]) -> str:
    return "decided " + " or ".join(f"“{names[key]}”" for key in kept if key in names) if len(kept) <= 2 else "decided harmless"


def _kept(items: Sequence[ItemVotes], kept: Sequence[str]) -> Estimate:
    if not kept:
        return Estimate(None, Reason("not_declared", "The settings name no label that keeps the meaning."), 0, "share")
    decided = [item for item in items if item.decided_label is not None]
    return share(
        [item.decided_label in kept for item in decided],
        clusters=[item.original_id for item in decided],
        left_out={"not decided": len(items) - len(decided)},
    )


def _third_judgements(items: Sequence[ItemVotes], slots: int) -> Table:
    thirds = [item for item in items if len(item.votes) > len(item.first_answers(slots))]
    settling = sum(item.label_at(1, slots) != item.label_at(2, slots) for item in thirds)
    rows = [
        ["on a conflict, where they decide", settling],
        ["on an agreed item, where they change nothing", len(thirds) - settling],
    ]
    return Table("thirds", "Third judgements", ["", "judgements"], rows)
