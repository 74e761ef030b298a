"""One annotator among the others: how their answers lean, and whether people are right where they are sure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from scoring.result import Estimate, Reason, ScoringError

from .bootstrap import Floats, bootstrap_interval
from .items import Item, clusters_of
from .pools import Rater, Units, counted, undeclared_label
from .shares import ratio, share

Clusters = Sequence[Hashable] | None
_NOTHING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Bias:
    """How one annotator leans against the others on the items they share: in their labels' values, and for each label how much
    more often (share of items, -1 to 1) they give it. `n` counts these items."""

    n: int
    value: Estimate
    labels: Mapping[str, float]

    def as_dict(self) -> dict[str, Any]:
        return {"n": self.n, "value": self.value.as_dict(), "labels": dict(self.labels)}


def bias_by_annotator(
    units: Units[Rater],
    labels: Sequence[str],
    *,
    values: Sequence[float] | None = None,
    clusters: Clusters = None,
    seed: int = 0,
) -> dict[Rater, Bias]:
    """Every annotator against the mean of the others on the same item, in the order in which they first appear.

    `values` are the labels' numbers in their order, 0, 1, 2 … unless given. An annotator who shares no item has a reason.
    ScoringError for an undeclared label.
    """
    counts, _, undeclared = counted(units, labels)
    if undeclared:
        raise ScoringError(undeclared_label(undeclared[0], labels))
    if clusters is not None and len(clusters) != len(units):
        raise ScoringError(f"There are {len(units)} items, but {len(clusters)} clusters.")
    place = {label: index for index, label in enumerate(labels)}
    numbers = np.asarray(values if values is not None else range(len(labels)), dtype=float)
    answers: dict[Rater, list[tuple[int, int]]] = defaultdict(list)
    for item, unit in enumerate(units):
        for rater, label in unit.items():
            answers[rater].append((item, place[label]))
    found = {}
    for rater, given in answers.items():
        items, own = np.array(given).T
        shared = counts[items].sum(axis=1) > 1
        items, own = items[shared], np.eye(len(labels))[own[shared]]
        lean = own - (counts[items] - own) / (counts[items].sum(axis=1, keepdims=True) - 1)
        groups = items.tolist() if clusters is None else [clusters[item] for item in items]
        found[rater] = _bias(lean, labels, numbers, groups, len(given) - len(items), seed)
    return found


def _bias(lean: Floats, labels: Sequence[str], numbers: Floats, clusters: Sequence[Hashable], alone: int, seed: int) -> Bias:
    method = "mean difference from the mean of the others on the same item"
    left_out = {"judged by nobody else": alone} if alone else {}
    if not len(lean):
        reason = Reason("no_common_item", "Nobody else has judged the same items.")
        return Bias(0, Estimate(None, reason, 0, method, left_out), {})
    unit = float(np.abs(numbers).max()) or 1.0  # so that what is next to nothing does not hang on the unit
    sums = np.column_stack([lean @ (numbers / unit), np.ones(len(lean))])
    interval, missing = bootstrap_interval(sums, ratio, clusters=clusters, seed=seed)
    interval = interval and replace(interval, low=unit * _zeroed(interval.low), high=unit * _zeroed(interval.high))
    mean = unit * _zeroed((lean @ (numbers / unit)).mean())
    value = Estimate(mean, None, len(lean), method, left_out, interval, no_interval=missing)
    return Bias(len(lean), value, dict(zip(labels, map(_zeroed, lean.mean(axis=0)), strict=True)))


def _zeroed(lean: float) -> float:
    """Fractions that cancel out leave next to nothing, which is 0."""
    return 0.0 if abs(lean) < _NOTHING else float(lean)


@dataclass(frozen=True, slots=True)
class ConfidenceReport:
    """The share of right answers for each degree of confidence, and `discrimination`: how often, of a right and a wrong answer,
    the right one was given with more confidence (ties count half; 0.5 where confidence tells nothing)."""

    levels: Mapping[int, Estimate]
    discrimination: Estimate

    def as_dict(self) -> dict[str, Any]:
        levels = [{"confidence": level, "right": found.as_dict()} for level, found in self.levels.items()]
        return {"levels": levels, "discrimination": self.discrimination.as_dict()}


Answer = tuple[str, int | None]
"""A label and how sure the person was, None where that was not said."""


def confidence_and_correctness(
    answers_by_item: Mapping[Item, Sequence[Answer]],
    truth: Mapping[Item, str] | None = None,
    *,
    cluster_of: Mapping[Item, Hashable] | None = None,
    seed: int = 0,
) -> ConfidenceReport:
    """Right is what the known answer says, or without one the label that most *other* people gave the item. Answers without
    confidence, and those on items where nothing says what is right, are left out and counted."""
    given = [(item, label, confidence) for item, answers in answers_by_item.items() for label, confidence in answers]
    items = list(answers_by_item)
    clusters = clusters_of(items, cluster_of)
    right = _as_most_others(answers_by_item) if truth is None else [_as_known(truth, item, label) for item, label, _ in given]
    cluster_at = dict(zip(items, clusters, strict=True))
    judged = [
        (cluster_at[item], confidence, is_right)
        for (item, _, confidence), is_right in zip(given, right, strict=True)
        if confidence is not None and is_right is not None
    ]
    unsaid = sum(confidence is None for *_, confidence in given)
    missing = {"without confidence": unsaid, "no answer to compare with": len(given) - unsaid - len(judged)}
    left_out = {cause: count for cause, count in missing.items() if count}
    levels = sorted({confidence for _, confidence, _ in judged})
    by_level: dict[int, list[tuple[Hashable, bool]]] = {level: [] for level in levels}
    for cluster, confidence, is_right in judged:
        by_level[confidence].append((cluster, is_right))
    shares = {
        level: share([is_right for _, is_right in own], clusters=[cluster for cluster, _ in own], seed=seed)
        for level, own in by_level.items()
    }
    return ConfidenceReport(shares, _discrimination(judged, levels, left_out, seed))


def _as_known(truth: Mapping[Item, str], item: Item, label: str) -> bool | None:
    return truth[item] == label if item in truth else None


def _as_most_others(answers_by_item: Mapping[Item, Sequence[Answer]]) -> list[bool | None]:
    """Of each answer, in order, whether it is the label that most others gave the item; None where they gave none, or tie."""
    place: dict[str, int] = {}
    told = [
        (row, place.setdefault(label, len(place))) for row, answers in enumerate(answers_by_item.values()) for label, _ in answers
    ]
    if not told:
        return []
    items, labels = np.array(told).T
    counts = np.zeros((len(answers_by_item), len(place)), dtype=np.int64)
    np.add.at(counts, (items, labels), 1)
    others = counts[items]
    others[np.arange(len(told)), labels] -= 1
    most = others.max(axis=1)
    decided = (most > 0) & ((others == most[:, None]).sum(axis=1) == 1)
    same = others.argmax(axis=1) == labels
    return [bool(is_same) if is_decided else None for is_same, is_decided in zip(same.tolist(), decided.tolist(), strict=True)]


def _discrimination(
    judged: Sequence[tuple[Hashable, int, bool]], levels: Sequence[int], left_out: Mapping[str, int], seed: int
) -> Estimate:
    method = "chance that a right answer is surer than a wrong one (area under the ROC curve)"
    right = sum(is_right for *_, is_right in judged)
    if right in (0, len(judged)):
        what = "There is no answer with confidence to be compared." if not judged else "All answers are right, or none is."
        return Estimate(None, Reason("empty" if not judged else "one_kind", what), len(judged), method, left_out)
    place = {level: index for index, level in enumerate(levels)}
    kinds = np.array([place[confidence] + len(levels) * (not is_right) for _, confidence, is_right in judged])
    counts = np.eye(2 * len(levels))[kinds]
    interval, missing = bootstrap_interval(counts, _area, clusters=[cluster for cluster, *_ in judged], seed=seed)
    value = float(_area(counts.sum(axis=0, keepdims=True))[0])
    return Estimate(value, None, len(judged), method, left_out, interval, no_interval=missing)


def _area(sums: Floats) -> Floats:
    """Area under the ROC curve from counts [d, 2k]: right answers by degree of confidence, then wrong ones."""
    right, wrong = np.split(sums, 2, axis=1)
    surer_than = np.cumsum(wrong, axis=1) - wrong / 2
    result: Floats = (right * surer_than).sum(axis=1) / (right.sum(axis=1) * wrong.sum(axis=1))
    return result
