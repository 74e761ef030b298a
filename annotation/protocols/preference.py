"""Preference: which of two variants was written by a person? Sides drawn at random and stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotation.models import Campaign, Label, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.judgements.preference import preference_test

from .analysis import Analysis, Figure, Table
from .base import Exposition, LabelSpec, Option, Outcome, Preset, Protocol, ShownText, plain


class Preference(Protocol):
    key = "preference"
    title = "Preference"
    asks = "Which one was written by a person?"
    exclusive = True
    pair = True
    preset = Preset(
        labels=(
            LabelSpec(1, "first", "the first variant"),
            LabelSpec(2, "second", "the second variant"),
        ),
        settings={
            "question": "Which of the two was written by a person?",
            "slots": 5,
            "confidence": False,
            "differences": False,
        },
        guidelines="Both texts say nearly the same. Choose the one that looks more as if a person wrote it; guess if you must.",
    )

    def exposition(self, slot: Slot) -> Exposition:
        first, second = slot.item.first, slot.item.second
        assert second is not None
        sides = (second, first) if slot.swapped else (first, second)
        return Exposition([ShownText(name, plain(variant.text)) for name, variant in zip(("Left", "Right"), sides, strict=True)])

    def options(self, slot: Slot) -> list[Option]:
        labels: list[Label] = self.labels_of(slot.item.campaign)
        sides = reversed(labels) if slot.swapped else labels
        named = zip("12", ("the left one", "the right one"), sides, strict=True)
        return [Option(key, label, name, "") for key, name, label in named]

    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        counts = Counter(vote.label for vote in votes).most_common()
        if not counts:
            return Outcome("open")
        if len(counts) > 1 and counts[0][1] == counts[1][1]:
            return Outcome("unresolved")
        return Outcome("majority", counts[0][0])

    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        report = preference_test(
            {item.item_id: [vote.label for vote in item.votes] for item in items},
            first="first",
            second="second",
            left={item.item_id: [(vote.label == "first") != vote.swapped for vote in item.votes] for item in items},
            cluster_of={item.item_id: item.original_id for item in items},
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
                detail="half is no side bias",
                scale=(0, 1),
            ),
        ]
        counts = Counter(sum(vote.label == "first" for vote in item.votes) for item in items if item.votes)
        rows = [[f"{votes} for the first", counts[votes]] for votes in sorted(counts, reverse=True)]
        return Analysis(
            "Each item counts once, by the majority of its votes; ties and unanswered items are left out. Votes on one item "
            "are not independent, so they are never tested vote by vote.",
            figures,
            [Table("votes", "Items by votes", ["votes", "items"], rows)],
        )
