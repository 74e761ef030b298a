"""From judgements to one label: two annotators, and a third person where they differ.

The rule of the InCrediblAE shared task (Przybyła et al., "Overview of the CLEF-2024 CheckThat! Lab Task 6 on Robustness
of Credibility Assessment with Adversarial Examples", 2024, section on manual evaluation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.result import ScoringError

How = Literal["agreed", "majority", "confidence", "first", "unresolved", "open"]
Tie = Literal["unresolved", "first"]


@dataclass(frozen=True, slots=True)
class Vote:
    """One judgement: a label, and how sure the person was (higher is surer), or None if that was not asked or said."""

    label: str
    confidence: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The label, None while `how` is "open" (a vote is missing) or "unresolved" (the votes decide nothing)."""

    label: str | None
    how: How


def decide_third_annotator(judgements: Sequence[Vote], tie: Tie) -> Outcome:
    """The decision from the votes in their order, first, second, third; further ones count only where these three are tied.

    The first two agree: their label, whatever a third says. Else the third makes a majority. All three differ: the
    surest wins. If two are equally sure, or somebody's confidence is missing, the `tie` rule holds: the first of those that
    are tied (of all three, where confidence is missing), or unresolved until further votes make one label the most frequent.
    """
    if tie not in ("unresolved", "first"):
        raise ScoringError(f"Unknown tie rule {tie!r}: it is 'unresolved' or 'first'.")
    labels = [vote.label for vote in judgements[:3]]
    if len(labels) < 2:
        return Outcome(None, "open")
    if labels[0] == labels[1]:
        return Outcome(labels[0], "agreed")
    if len(labels) == 2:
        return Outcome(None, "open")
    if labels[2] in labels[:2]:
        return Outcome(labels[2], "majority")
    surest = _surest(judgements[:3])
    if len(surest) == 1:
        return Outcome(surest[0].label, "confidence")
    return Outcome(surest[0].label, "first") if tie == "first" else _most_frequent(judgements)


def _most_frequent(votes: Sequence[Vote]) -> Outcome:
    (label, most), (_, next_most) = Counter(vote.label for vote in votes).most_common(2)
    return Outcome(label, "majority") if most > next_most else Outcome(None, "unresolved")


def _surest(votes: Sequence[Vote]) -> list[Vote]:
    """The votes of highest confidence; all of them where one has none, since it might be the highest."""
    confidences = [vote.confidence for vote in votes if vote.confidence is not None]
    if len(confidences) < len(votes):
        return list(votes)
    return [vote for vote in votes if vote.confidence == max(confidences)]
