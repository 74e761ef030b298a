"""What people said of texts, as models learn it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Targets:
    """One entry per text. `labels` and `counts` (judgements behind the label) are float64 [n]; `groups` int64 [n], the same for
    variants of one original, for choices that are made while fitting. `judgements` are the single scores of each text, and
    `annotators` who gave them, where that is known."""

    labels: Array
    counts: Array
    groups: NDArray[np.int64]
    judgements: Sequence[tuple[float, ...]]
    annotators: Sequence[tuple[str, ...]] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: NDArray[Any]) -> Targets:
        """Those of the rows (indices or a mask of them), in their order."""
        places = (np.flatnonzero(rows) if rows.dtype == bool else rows).tolist()
        return Targets(
            self.labels[places],
            self.counts[places],
            self.groups[places],
            [self.judgements[place] for place in places],
            None if self.annotators is None else [self.annotators[place] for place in places],
        )


def targets_of(y: ArrayLike, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None) -> Targets:
    """Targets from what scikit-learn's `fit` is given: each label counts as one judgement that weighs `sample_weight`."""
    labels = np.asarray(y, dtype=np.float64)
    return Targets(
        labels,
        np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64),
        np.arange(len(labels)) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1],
        [(label,) for label in labels.tolist()],
    )
