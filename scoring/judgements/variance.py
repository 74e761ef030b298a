"""Do variants differ? The analysis of variance and Tukey's comparisons as papers print them, which take judgements as
independent, and a test within originals, which does not.

Tonni, Faustini and Dras, "Suspiciousness of Adversarial Texts to Human", 2024, use the first two on judgements of suspicion.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from scoring.result import Estimate, Interval, Reason

from .bootstrap import LEVEL, Floats
from .clustered import Comparison, Observed

_NOTHING: Final = 1e-12


@dataclass(frozen=True, slots=True)
class FTest:
    """F with its degrees of freedom, and p. Both have the same reason where there is none."""

    statistic: Estimate
    p_value: Estimate
    degrees: tuple[int, int]

    def as_dict(self) -> dict[str, Any]:
        return {"f": self.statistic.as_dict(), "p_value": self.p_value.as_dict(), "degrees_of_freedom": list(self.degrees)}


def anova(groups: Mapping[str, Sequence[float]]) -> FTest:
    """One-way analysis of variance over observations taken as independent. Groups of nothing are left out."""
    method = "one-way analysis of variance, observations taken as independent"
    arrays = [np.asarray(values, dtype=float) for values in groups.values() if len(values)]
    n, k = sum(map(len, arrays)), len(arrays)
    if k < 2:
        return _none("one_group", "There is one group or none, so nothing can differ.", n, method)
    grand = np.concatenate(arrays).mean()
    between = float(sum(len(values) * (values.mean() - grand) ** 2 for values in arrays))
    within = float(sum(((values - values.mean()) ** 2).sum() for values in arrays))
    return _f_test(between, within, k - 1, n - k, n, method, {})


def blocked_test(observed: Observed) -> FTest:
    """Differences between groups within blocks (originals): both as factors, no interaction (Fisher, "The Design of Experiments",
    1935). What one block has of one group counts once, as its mean; blocks of one group tell nothing and are left out."""
    method = "analysis of variance within originals, one mean of each variant of an original"
    cells: dict[Hashable, dict[str, list[float]]] = {}
    for group, values in observed.items():
        for block, value in values:
            cells.setdefault(block, {}).setdefault(group, []).append(value)
    told = [block for block in cells.values() if len(block) > 1]
    left_out = {"originals with one variant": len(cells) - len(told)} if len(told) < len(cells) else {}
    groups = [group for group in observed if any(group in block for block in told)]
    n = sum(map(len, told))
    if not told:
        return _none("no_common_block", "No original was judged in two variants.", n, method, left_out)
    rows = [
        (number, groups.index(group), np.mean(scores)) for number, block in enumerate(told) for group, scores in block.items()
    ]
    block_of, group_of = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    design = _within(np.eye(len(groups))[group_of], block_of)
    score = _within(np.array([[row[2]] for row in rows], dtype=float), block_of)
    effects, _, rank, _ = np.linalg.lstsq(design, score, rcond=None)
    if rank < len(groups) - 1:
        return _none("not_connected", "Some variants share no original with the others.", n, method, left_out)
    explained = float(((design @ effects) ** 2).sum())
    rest = float(((score - design @ effects) ** 2).sum())
    return _f_test(explained, rest, int(rank), n - len(told) - int(rank), n, method, left_out)


def tukey(groups: Mapping[str, Sequence[float]]) -> list[Comparison]:
    """Tukey's honestly significant differences of every two groups (Tukey 1949, Kramer 1956), observations taken as independent.
    The p-value is already corrected for all pairs."""
    from scipy.stats import tukey_hsd  # takes longer to load than all else that a web process loads

    arrays = {group: np.asarray(values, dtype=float) for group, values in groups.items() if len(values)}
    method = "p of Tukey's test, observations taken as independent"
    reason = _no_tukey(list(arrays.values()))
    found = None if reason else tukey_hsd(*arrays.values())
    bounds = found and found.confidence_interval(LEVEL)
    comparisons = []
    for (one, first), (other, second) in combinations(enumerate(arrays), 2):
        n = len(arrays[first]) + len(arrays[second])
        value = float(arrays[first].mean() - arrays[second].mean())
        interval = bounds and Interval(float(bounds.low[one, other]), float(bounds.high[one, other]), "Tukey-Kramer", LEVEL)
        difference = Estimate(value, None, n, "difference of means", interval=interval, no_interval=reason)
        p_value = Estimate(found and float(found.pvalue[one, other]), reason, n, method)
        comparisons.append(Comparison(first, second, difference, p_value, p_value))
    return comparisons


def _within(values: Floats, block_of: NDArray[np.int64]) -> Floats:
    """Each row less the mean of its block."""
    sums = np.zeros((int(block_of.max()) + 1, values.shape[1]))
    np.add.at(sums, block_of, values)
    result: Floats = values - (sums / np.bincount(block_of)[:, None])[block_of]
    return result


def _no_tukey(arrays: Sequence[Floats]) -> Reason | None:
    if len(arrays) < 2:
        return Reason("one_group", "There is one group or none, so nothing can differ.")
    if any(len(values) < 2 for values in arrays):
        return Reason("one_observation", "A group has one observation only, which has no spread.")
    if all(np.ptp(values) < _NOTHING for values in arrays):
        return Reason("all_equal", "All observations of each group are equal, so there is no spread to measure a difference by.")
    return None


def _f_test(between: float, within: float, above: int, below: int, n: int, method: str, left_out: Mapping[str, int]) -> FTest:
    if below < 1:
        return _none("too_few", "There are too few observations to tell chance from a difference.", n, method, left_out)
    if within < _NOTHING * max(1.0, between):
        message = "All observations of each group are equal, so there is no spread to measure a difference by."
        return _none("all_equal", message, n, method, left_out)
    f = between / above / (within / below)
    return FTest(
        Estimate(f, None, n, f"F, {method}", left_out),
        Estimate(float(fdtrc(above, below, f)), None, n, f"p, {method}", left_out),
        (above, below),
    )


def _none(code: str, message: str, n: int, method: str, left_out: Mapping[str, int] | None = None) -> FTest:
    reason = Reason(code, message)
    missing = [Estimate(None, reason, n, f"{what}, {method}", left_out or {}) for what in ("F", "p")]
    return FTest(missing[0], missing[1], (0, 0))
