"""Agreement of a pool: any number of annotators, of whom each judged some of the items.

Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011: the coincidence matrix, and the differences of nominal, ordinal
and interval values. Fleiss, "Measuring nominal scale agreement among many raters", 1971. Gwet, "Computing inter-rater reliability
and its variance in the presence of high agreement", 2008, with answers missing as in his "Handbook of Inter-Rater Reliability".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.result import Estimate, Reason, ScoringError

from .agreement import Clusters, Weights, check_labels, kappa_of, paired_answers
from .bootstrap import DRAWS, Floats, bootstrap_interval

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
Rater = TypeVar("Rater", bound=Hashable)
_MEETINGS_AT_MOST: Final = 50_000_000
Units = Sequence[Mapping[Rater, str]]
"""For each item who called it what."""


def krippendorff_alpha(
    units: Units[Rater],
    labels: Sequence[str],
    *,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    clusters: Clusters = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Estimate:
    """Agreement beyond chance of however many annotators, each pair of answers to an item counting; at most 1, 0 at chance.

    `labels` are declared in their order; `values` are their numbers where `level` is "interval". Items with fewer than two
    answers are left out and counted. The interval resamples clusters (the originals), or items without them.
    """
    check_level(level, labels, values)
    pool = _Pool.of(units, labels, clusters, f"Krippendorff's alpha, {level}")
    alpha = Alpha.of(pool.counts, level, values)
    return pool.estimate(alpha.contributions, alpha.of_sums, seed, draws)


def fleiss_kappa(
    units: Units[Rater], labels: Sequence[str], *, clusters: Clusters = None, seed: int = 0, draws: int = DRAWS
) -> Estimate:
    """Agreement beyond chance where every item has equally many answers, by whomever; chance is that of all answers together.

    Items without answers are left out and counted. Unequal numbers of answers have no Fleiss' kappa, and the reason says so.
    """
    pool = _Pool.of(units, labels, clusters, "Fleiss' kappa", least=1)
    numbers = sorted(set(pool.counts.sum(axis=1).astype(int).tolist()))
    if pool.reason is None and (len(numbers) > 1 or numbers == [1]):
        message = "Every item was judged once." if len(numbers) == 1 else f"Items have {numbers[0]} to {numbers[-1]} answers."
        pool.reason = Reason("unequal_raters", f"{message} Fleiss' kappa needs equally many, at least two; alpha does not.")
    return pool.estimate(_equal_and_frequency, _fleiss, seed, draws)


def pool_ac1(
    units: Units[Rater], labels: Sequence[str], *, clusters: Clusters = None, seed: int = 0, draws: int = DRAWS
) -> Estimate:
    """Gwet's AC1 of any number of annotators: agreement over items judged twice or more, label frequencies over all judged.

    `n` counts the former. Those judged once are told among the items left out, with what they are used for all the same."""
    pool = _Pool.of(units, labels, clusters, "Gwet's AC1, label frequencies over all judged items", least=1)
    if pool.reason is None and len(labels) < 2:
        pool.reason = Reason("one_label_declared", "Only one label was declared, so nobody could disagree.")
    found = pool.estimate(_equal_and_frequency, _pool_ac1, seed, draws)
    once = int((pool.counts.sum(axis=1) == 1).sum())
    if not once:
        return found
    return replace(found, n=found.n - once, left_out={**found.left_out, "judged once, which tell label frequencies only": once})


def pool_agreement(
    units: Units[Rater], labels: Sequence[str], *, clusters: Clusters = None, seed: int = 0, draws: int = DRAWS
) -> Estimate:
    """The share of equal answers among the pairs of answers to an item, averaged over the items judged twice or more."""
    pool = _Pool.of(units, labels, clusters, "equal pairs of answers, mean over items", one_item_will_do=True)
    return pool.estimate(_equal_and_frequency, lambda sums: sums[:, 0] / sums[:, 1], seed, draws)


def pool_confusion(units: Units[Rater], labels: Sequence[str]) -> list[list[int]]:
    """How often each two labels were given to one item by two people: every pair of answers counted in both orders, since none
    of a pool's annotators is the first. ScoringError for an undeclared label."""
    counts, _, undeclared = counted(units, labels)
    if undeclared:
        raise ScoringError(undeclared_label(undeclared[0], labels))
    table: list[list[int]] = (counts.T @ counts - np.diag(counts.sum(axis=0))).astype(int).tolist()
    return table


@dataclass(slots=True)
class _Pool:
    """How often each used item was given each label, and why others were left out."""

    counts: Floats
    clusters: list[Hashable] | None
    method: str
    left_out: dict[str, int]
    declared: tuple[str, ...]
    seen: tuple[str, ...]
    reason: Reason | None

    @classmethod
    def of(
        cls,
        units: Units[Rater],
        labels: Sequence[str],
        clusters: Clusters,
        method: str,
        *,
        least: int = 2,
        one_item_will_do: bool = False,
    ) -> _Pool:
        """The items with at least so many answers."""
        counts, seen, undeclared = counted(units, labels)
        answers = counts.sum(axis=1)
        used = answers >= least
        causes = {1: "not judged", 2: "judged fewer than twice"}
        left_out = {} if used.all() else {causes[least]: int((~used).sum())}
        common = int((answers >= 2).sum())
        reason = None
        if clusters is not None and len(clusters) != len(units):
            reason = Reason("unequal_lengths", f"There are {len(units)} items, but {len(clusters)} clusters.")
        elif undeclared:
            reason = Reason("undeclared_label", undeclared_label(undeclared[0], labels))
        elif common == 0:
            reason = Reason("no_common_item", "There is no item that two annotators judged.")
        elif common == 1 and not one_item_will_do:
            reason = Reason("one_item", "One item cannot tell agreement from chance.")
        groups = [c for c, kept in zip(clusters, used, strict=True) if kept] if clusters is not None and not reason else None
        return cls(counts[used], groups, method, left_out, tuple(labels), seen, reason)

    def estimate(
        self, contributions: Callable[[Floats], Floats], statistic: Callable[[Floats], Floats], seed: int, draws: int
    ) -> Estimate:
        """The statistic of what all items add up to."""
        n = len(self.counts)
        value = float("nan")
        if self.reason is None:
            rows = contributions(self.counts)
            with np.errstate(divide="ignore", invalid="ignore"):
                value = float(statistic(rows.sum(axis=0, keepdims=True))[0])
            if not np.isfinite(value):
                self.reason = Reason("one_label", f"Everybody used one label, so {self.method} is undefined.")
        if self.reason is not None:
            return Estimate(None, self.reason, n, self.method, self.left_out, None, self.declared, self.seen)
        interval, missing = bootstrap_interval(rows, statistic, clusters=self.clusters, seed=seed, draws=draws)
        return Estimate(value, None, n, self.method, self.left_out, interval, self.declared, self.seen, missing)


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How two annotators agree on the items that both judged."""

    n: int
    raw: float
    kappa: Estimate


def pairwise(units: Units[Rater], labels: Sequence[str], *, weights: Weights = None) -> dict[tuple[Rater, Rater], PairAgreement]:
    """Every two annotators who have an item in common, in the order in which they first appear. ScoringError for an undeclared
    label. Intervals are those of the whole pool: most pairs have few items."""
    number = {label: index for index, label in enumerate(labels)}
    order: dict[Rater, int] = {}
    answers: dict[tuple[Rater, Rater], list[tuple[int, int]]] = defaultdict(list)
    for unit in units:
        for rater, label in unit.items():
            order.setdefault(rater, len(order))
            if label not in number:
                raise ScoringError(undeclared_label(label, labels))
        for one, other in combinations(sorted(unit, key=order.__getitem__), 2):
            answers[one, other].append((number[unit[one]], number[unit[other]]))
    pairs = sorted(answers, key=lambda pair: (order[pair[0]], order[pair[1]]))
    if not pairs:
        return {}
    given = {pair: np.array(answers[pair]).T for pair in pairs}
    sums = np.array([paired_answers(one, other, len(labels), weights).sum(axis=0) for one, other in given.values()])
    with np.errstate(divide="ignore", invalid="ignore"):
        kappas = kappa_of(sums, weights)
    raw = [np.mean(one == other) for one, other in given.values()]
    return {
        pair: PairAgreement(len(answers[pair]), float(share), _kappa(float(kappa), len(answers[pair])))
        for pair, share, kappa in zip(pairs, raw, kappas, strict=True)
    }


def _kappa(value: float, n: int) -> Estimate:
    if n == 1:
        return Estimate(None, Reason("one_item", "One item cannot tell agreement from chance."), n, "Cohen's kappa")
    if not np.isfinite(value):
        return Estimate(None, Reason("one_label", "Both used one label only, so kappa is undefined."), n, "Cohen's kappa")
    return Estimate(value, None, n, "Cohen's kappa")


def counted(units: Units[Rater], labels: Sequence[str]) -> tuple[Floats, tuple[str, ...], list[str]]:
    """How often each item (row) was given each label, which labels were seen, and which of them were not declared."""
    check_labels(labels, len(units))
    number = {label: index for index, label in enumerate(labels)}
    given = {label for unit in units for label in unit.values()}
    undeclared = sorted(given - set(labels))
    seen = tuple(label for label in labels if label in given) + tuple(undeclared)
    counts = np.zeros((len(units), len(labels)))
    if not undeclared:
        pairs = [(row, number[label]) for row, unit in enumerate(units) for label in unit.values()]
        if pairs:
            np.add.at(counts, tuple(np.array(pairs).T), 1.0)
    return counts, seen, undeclared


def undeclared_label(label: str, labels: Sequence[str]) -> str:
    return f"{label!r} is not one of the declared labels {', '.join(labels)}."


def _equal_and_frequency(counts: Floats) -> Floats:
    """What each item adds: its share of equal pairs, whether it has pairs, whether it is judged, and the share of each label."""
    answers = counts.sum(axis=1)
    paired = answers >= 2
    pairs = np.where(paired, answers * (answers - 1), 1.0)
    equal = (counts * (counts - 1)).sum(axis=1) / pairs
    return np.column_stack([equal, paired, np.ones(len(counts)), counts / answers[:, None]])


def _fleiss(sums: Floats) -> Floats:
    chance = ((sums[:, 3:] / sums[:, 2:3]) ** 2).sum(axis=1)
    return _beyond(sums[:, 0] / sums[:, 1], chance)


def _pool_ac1(sums: Floats) -> Floats:
    frequency = sums[:, 3:] / sums[:, 2:3]
    return _beyond(sums[:, 0] / sums[:, 1], (frequency * (1 - frequency)).sum(axis=1) / (frequency.shape[1] - 1))


def _beyond(observed: Floats, chance: Floats) -> Floats:
    """NaN where chance alone would agree always."""
    result: Floats = np.where(chance < 1 - 1e-12, (observed - chance) / (1 - chance), np.nan)
    return result


def check_level(level: str, labels: Sequence[str], values: Sequence[float] | None) -> None:
    """ScoringError for an unknown level, or one that needs values where there are none."""
    if level not in LEVELS:
        raise ScoringError(f"Unknown level {level!r}: it is one of {', '.join(LEVELS)}.")
    if level == "interval" and (values is None or len(values) != len(labels)):
        raise ScoringError("At the interval level every label needs a value.")


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha as a function of sums over items, without the matrix of every two labels.

    An item adds how often each label was given, and its unequal pairs of answers, each by 1 / (answers - 1): all in one number
    where differences are known beforehand; of each two labels that meet (`met`) where they hang on the sums (ordinal).
    """

    level: Level
    values: Floats
    met: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(cls, counts: Floats, level: Level, values: Sequence[float] | None) -> Alpha:
        """For items (rows) so often given each label. ScoringError where more labels meet than can be computed with."""
        numbers = np.asarray(values if values is not None else range(counts.shape[1]), dtype=float)
        # Alpha does not depend on the unit; squares of very large or small numbers would leave what a number holds.
        scaled = numbers / (np.abs(numbers).max(initial=0.0) or 1.0)
        given = (counts > 0).astype(np.float32)
        one, other = np.nonzero(np.triu(given.T @ given, k=1))
        if level == "ordinal" and len(counts) * len(one) > _MEETINGS_AT_MOST:
            raise ScoringError(
                f"In {len(counts):,} items {len(one):,} pairs of labels meet, too many for alpha at the ordinal level (at most "
                f"{_MEETINGS_AT_MOST:,} items times pairs); take another level, or fewer labels."
            )
        return cls(level, scaled, (one, other))

    def contributions(self, counts: Floats) -> Floats:
        """What each item adds [n, labels and pairs]; an item with one answer has no pairs."""
        answers = counts.sum(axis=1, keepdims=True)
        others = np.maximum(answers - 1, 1)
        if self.level == "nominal":
            pairs = answers**2 - (counts**2).sum(axis=1, keepdims=True)
        elif self.level == "interval":
            pairs = _squared_distances(counts, self.values[None])[:, None]
        else:
            one, other = self.met
            pairs = 2 * counts[:, one] * counts[:, other]
        return np.hstack([counts, pairs / others])

    def of_sums(self, sums: Floats) -> Floats:
        """Alpha of each row of sums; NaN where everybody used one label."""
        size = len(self.values)
        frequency, pairs = sums[:, :size], sums[:, size:]
        total = frequency.sum(axis=1, keepdims=True)
        if self.level == "nominal":
            observed, expected = pairs[:, 0], total[:, 0] ** 2 - (frequency**2).sum(axis=1)
        elif self.level == "interval":
            observed, expected = pairs[:, 0], _squared_distances(frequency, self.values[None])
        else:
            # The distance between two labels is the number of answers between them, half of either label counted.
            place = np.cumsum(frequency, axis=1) - frequency / 2
            one, other = self.met
            observed = (pairs * (place[:, one] - place[:, other]) ** 2).sum(axis=1)
            expected = _squared_distances(frequency, place)
        differ = ((frequency > 0).sum(axis=1) > 1) & (expected > 0)
        result: Floats = np.where(differ, 1 - observed * (total[:, 0] - 1) / expected, np.nan)
        return result


def _squared_distances(times: Floats, place: Floats) -> Floats:
    """Between all two of so many answers at each place, in both orders, added up [d]."""
    total = times.sum(axis=1, keepdims=True)
    mean = (times * place).sum(axis=1, keepdims=True) / np.maximum(total, 1)
    result: Floats = 2 * total[:, 0] * (times * (place - mean) ** 2).sum(axis=1)
    return result
