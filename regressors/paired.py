"""How much better one model is than another on the same texts. Both meet the same easy and hard ones, so that their difference is
known better than either r: each draw of the bootstrap resamples originals for both at once."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.correlation import Array, estimate_of_sums, no_correlation, parts_of_r, r_from_sums
from scoring.result import Estimate

_PARTS: Final = 6


def difference_of_r(labels: Array, first: Array, second: Array, groups: NDArray[np.int64], *, seed: int) -> Estimate:
    """Pearson's r of `first` less that of `second`, predictions [repeats, n] from the same folds, with labels [n]; the mean over
    the repetitions. The first is better for sure where the whole interval lies above 0."""
    method = "paired difference of Pearson r"
    if reason := no_correlation(labels, first) or no_correlation(labels, second):
        return Estimate(value=None, reason=reason, n=len(labels), method=method)
    parts = np.concatenate([parts_of_r(labels, first), parts_of_r(labels, second)])
    return estimate_of_sums(lambda sums: r_from_sums(sums[:_PARTS]) - r_from_sums(sums[_PARTS:]), parts, groups, seed, method)
