"""Rounds of judging one after another: what each says of all the texts it was drawn from, and whether that changed.

What was drawn with unequal probabilities counts with one over its own (Horvitz and Thompson 1952; Hájek 1971). Texts that every
round repeats, the anchors, tell whether the people changed rather than the texts.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from scoring.result import Estimate, Reason

from .clustered import cell_means, cut_off, holm

MEAN = "mean over texts, weighted by one over their probability"
ANCHORS = "paired difference of anchors’ means"


@dataclass(frozen=True, slots=True)
class Observation:
    """What people said of one text: its original, a number such as the mean of its judgements, and the probability, in (0, 1],
    with which the text was drawn."""

    original: Hashable
    value: float
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class RoundMean:
    """The mean of one round; against the round before it: the `change`, p of the t-test that there is none, and p by Holm's
    method over all rounds. None for the first."""

    round: str
    mean: Estimate
    change: Estimate | None = None
    p_value: Estimate | None = None
    p_corrected: Estimate | None = None

    def as_dict(self) -> dict[str, Any]:
        estimates = {name: getattr(self, name) for name in ("mean", "change", "p_value", "p_corrected")}
        return {"round": self.round} | {name: found and found.as_dict() for name, found in estimates.items()}


Scale = tuple[float, float]


def from_round_to_round(rounds: Mapping[str, Sequence[Observation]], *, scale: Scale) -> list[RoundMean]:
    """The rounds in their order, of values on the scale. Errors are clustered by original, which several rounds may share."""
    judged = {name: texts for name, texts in rounds.items() if texts}
    found = {name: RoundMean(name, _nothing(MEAN)) for name in rounds}
    if judged:
        cells = cell_means(
            {name: [(text.original, text.value) for text in texts] for name, texts in judged.items()},
            {name: [1 / text.probability for text in texts] for name, texts in judged.items()},
        )
    for place, name in enumerate(judged):
        mean, _ = cells.contrast([float(other == place) for other in range(len(judged))])
        found[name] = RoundMean(name, replace(mean, method=MEAN))
    for before, name in pairwise(judged):
        change, p_value = cells.contrast([float(other == name) - float(other == before) for other in judged])
        found[name] = replace(found[name], change=change, p_value=p_value)
    return _corrected([_on(scale, each) for each in found.values()])


def drift(rounds: Mapping[str, Mapping[Hashable, float]], *, scale: Scale) -> list[RoundMean]:
    """What people say of the anchors, by original, in each round; the change is against the first round, over the anchors that
    both have judged."""
    first = next(iter(rounds), "")
    found = []
    for name, anchors in rounds.items():
        mean = _nothing(MEAN)
        if anchors:
            mean = replace(cell_means({name: list(anchors.items())}).contrast([1.0])[0], method="mean over anchors")
        common = [anchor for anchor in anchors if anchor in rounds[first]]
        if name == first:
            found.append(RoundMean(name, mean))
        elif not common:
            found.append(RoundMean(name, mean, _nothing(ANCHORS), _nothing("p of the paired t-test")))
        else:
            both = {of: [(anchor, rounds[of][anchor]) for anchor in common] for of in (name, first)}
            change, p_value = cell_means(both).contrast([1.0, -1.0])
            n = len(common)
            found.append(RoundMean(name, mean, replace(change, n=n, method=ANCHORS), replace(p_value, n=n)))
    return _corrected([_on(scale, each) for each in found])


def _on(scale: Scale, found: RoundMean) -> RoundMean:
    """With intervals that end where the scale does."""
    low, high = scale
    change = found.change and cut_off(found.change, low - high, high - low)
    return replace(found, mean=cut_off(found.mean, low, high), change=change)


def _corrected(rounds: list[RoundMean]) -> list[RoundMean]:
    tested = [(place, each.p_value) for place, each in enumerate(rounds) if each.p_value is not None]
    for (place, _), corrected in zip(tested, holm([p_value for _, p_value in tested]), strict=True):
        rounds[place] = replace(rounds[place], p_corrected=corrected)
    return rounds


def _nothing(method: str) -> Estimate:
    return Estimate(None, Reason("empty", "There is no judgement yet."), 0, method)
