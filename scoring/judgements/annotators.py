"""One annotator among the others: how their answers lean, and whether people are right where they are sure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.result import Estimate, Reason, ScoringError

from .bootstrap import Floats, bootstrap_interval
from .items import Item, named
from .pools import Rater, Units, counted, undeclared_label
from .shares import ratio, share

Clusters = Sequence[Hashable] | None


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
    sums = np.column_stack([lean @ numbers, np.ones(len(lean))])
    interval, missing = bootstrap_interval(sums, ratio, clusters=clusters, seed=seed)
    value = Estimate(float((lean @ numbers).mean()), None, len(lean), method, left_out, interval, no_interval=missing)
    return Bias(len(lean), value, dict(zip(labels, map(float, lean.mean(axis=0)), strict=True)))


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
    judged: list[tuple[Hashable, int, bool]] = []
    left_out: Counter[str] = Counter()
    for item, answers in answers_by_item.items():
        cluster = item if cluster_of is None else named(cluster_of, item, "cluster")
        for number, (label, confidence) in enumerate(answers):
            right = _most_others(answers, number) if truth is None else truth.get(item)
            if confidence is None:
                left_out["without confidence"] += 1
            elif right is None:
                left_out["no answer to compare with"] += 1
            else:
                judged.append((cluster, confidence, label == right))
    levels = sorted({confidence for _, confidence, _ in judged})
    by_level = {level: [(cluster, right) for cluster, at, right in judged if at == level] for level in levels}
    shares = {
        level: share([right for _, right in own], clusters=[cluster for cluster, _ in own], seed=seed)
        for level, own in by_level.items()
    }
    return ConfidenceReport(shares, _discrimination(judged, levels, dict(left_out), seed))


def _most_others(answers: Sequence[Answer], number: int) -> str | None:
    others = Counter(label for place, (label, _) in enumerate(answers) if place != number).most_common(2)
    if not others or (len(others) == 2 and others[0][1] == others[1][1]):
        return None
    return others[0][0]


def _discrimination(
    judged: Sequence[tuple[Hashable, int, bool]], levels: Sequence[int], left_out: Mapping[str, int], seed: int
) -> Estimate:
    method = "chance that a right answer is surer than a wrong one (area under the ROC curve)"
    right = sum(is_right for *_, is_right in judged)
    if right in (0, len(judged)):
        what = "There is no answer with confidence to be compared." if not judged else "All answers are right, or none is."
        return Estimate(None, Reason("empty" if not judged else "one_kind", what), len(judged), method, left_out)
    place = {level: index for index, level in enumerate(levels)}
    counts = np.zeros((len(judged), 2 * len(levels)))
    for row, (_, confidence, is_right) in enumerate(judged):
        counts[row, place[confidence] + len(levels) * (not is_right)] = 1.0
    interval, missing = bootstrap_interval(counts, _area, clusters=[cluster for cluster, *_ in judged], seed=seed)
    value = float(_area(counts.sum(axis=0, keepdims=True))[0])
    return Estimate(value, None, len(judged), method, left_out, interval, no_interval=missing)


def _area(sums: Floats) -> Floats:
    """Area under the ROC curve from counts [d, 2k]: right answers by degree of confidence, then wrong ones."""
    right, wrong = np.split(sums, 2, axis=1)
    surer_than = np.cumsum(wrong, axis=1) - wrong / 2
    result: Floats = (right * surer_than).sum(axis=1) / (right.sum(axis=1) * wrong.sum(axis=1))
    return result
