"""Preference: which of two variants was written by a person? Sides drawn at random and stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from annotation.models import Campaign, Judgement, Label, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.preference import preference_test

from .analysis import Analysis, Figure, Table
from .base import Exposition, Option, Outcome, Preset, Protocol, ShownText, plain
from .labels import Change, LabelSpec
from .plots import bars
from .votes import majority

SIDES = ("the left one", "the right one")


class Preference(Protocol):
    key = "preference"
    title = "Preference"
    asks = "Which one was written by a person?"
    exclusive = True
    pair = True
    sides = True
    human = ("votes for the first variant", "share")
    settings = frozenset({"tie"})
    labels = Change.NOTHING
    presets = {
        "five-votes": Preset(
            title="Five votes",
            about="An original and its altered text, or two altered ones, side by side; five people each.",
            labels=(
                LabelSpec(1, "first", "the first variant"),
                LabelSpec(2, "second", "the second variant"),
            ),
            settings={
                "question": "Which of the two was written by a person?",
                "slots": 5,
                "guidelines": (
                    "Both texts say nearly the same. Choose the one that looks more as if a person wrote it; guess if you must."
                ),
            },
        )
    }

    def _do_not_fit(self, settings: Mapping[str, Any], labels: Sequence[LabelSpec]) -> dict[str, str]:
        problems = super()._do_not_fit(settings, labels)
        if settings["slots"] % 2 == 0:
            problems["slots"] = "An odd number, so that there is always a majority."
        return problems

    def exposition(self, slot: Slot) -> Exposition:
        first, second = slot.item.first, slot.item.second
        assert second is not None
        sides = (second, first) if slot.swapped else (first, second)
        return Exposition([ShownText(name, plain(variant.text)) for name, variant in zip(("Left", "Right"), sides, strict=True)])

    def options(self, slot: Slot) -> list[Option]:
        labels: list[Label] = self.labels_of(slot.item.campaign)
        sides = reversed(labels) if slot.swapped else labels
        return [Option(key, label, name, "") for key, name, label in zip("12", SIDES, sides, strict=True)]

    def said(self, slot: Slot, judgement: Judgement) -> str:
        assert judgement.label is not None
        return SIDES[(judgement.label.key == "second") != slot.swapped]

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        how, label = majority(votes, tie=campaign.settings["tie"])
        return Outcome(how, label)

    def human_scores(self, campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, float]:
        return {item.item_id: fmean(vote.label == "first" for vote in item.votes) for item in items if item.votes}

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        closed = [item for item in items if item.decided_how not in (None, "open")]
        report = preference_test(
            {item.item_id: [vote.label for vote in item.votes] for item in closed},
            first="first",
            second="second",
            left={item.item_id: [(vote.label == "first") != vote.swapped for vote in item.votes] for item in items},
            cluster_of={item.item_id: item.original_id for item in items},
            still_open=len(items) - len(closed),
        )
        figures = [
            Figure("preferred", "First variant preferred", report.share, style="share", detail=report.summary, scale=(0, 1)),
            Figure(
                "p",
                "Exact binomial, two-sided",
                report.p_value,
                style="p",
                detail="over items, by majority of their votes",
            ),
            Figure(
                "left",
                "Left side chosen",
                report.left_share,
                style="share",
                detail="of all answers; half is no side bias",
                scale=(0, 1),
            ),
            Figure(
                "left_p", "Side bias, two-sided", report.left_p, style="p", detail="that the left side is chosen half of the time"
            ),
            Figure(
                "dependence",
                "Votes on one item alike",
                report.dependence,
                detail="0: independent, 1: all equal; why votes are not counted singly",
                scale=(0, 1),
            ),
        ]
        counts = Counter(sum(vote.label == "first" for vote in item.votes) for item in closed if item.votes)
        rows = [(f"{votes} for the first", counts[votes]) for votes in sorted(counts, reverse=True)]
        return Analysis(
            "Each item counts once, by the majority of its votes, once all answers that are wanted of it are in; open items and "
            "ties are left out, also ties that the first answer wins. Sides are of all answers. Votes on one item are not "
            "independent, so they are never tested vote by vote.",
            figures,
            [Table("votes", "Decided items by votes", ["votes", "items"], rows, plot=bars(rows, row="votes", value="items"))],
        )
