"""Feature groups: each one kind of numbers about a text, with a name and a version."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class FeatureGroup(ABC):
    """Texts to finite numbers. A text's numbers depend on that text alone: they can be computed once and kept, in any batches.

    `version` changes with the meaning of any value. `names` are those of the columns. `sha256` is that of the files that the
    values depend on, such as a model's weights; None where the code decides alone. `path` says where such files were given.
    """

    name: ClassVar[str]
    version: ClassVar[str]

    sha256: str | None = None
    path: str | None = None

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]: ...

    @abstractmethod
    def compute(self, texts: Sequence[str]) -> Array:
        """float64 [n, number of `names`]."""

    @property
    def spec(self) -> str:
        """What `group_of` makes this group of: "name" or "name:path"."""
        return self.name if self.path is None else f"{self.name}:{self.path}"

    def described(self) -> dict[str, Any]:
        """What a model's card says of the group; a model is refused where this differs."""
        hashed = {} if self.sha256 is None else {"sha256": self.sha256}
        return {"group": self.name, "version": self.version, "columns": len(self.names)} | hashed

    def __deepcopy__(self, memo: object) -> Self:
        """Itself: nothing in it is learned, so scikit-learn's clones of an estimator share it."""
        return self


def stacked(groups: Sequence[FeatureGroup], texts: Sequence[str]) -> Array:
    """The groups' numbers side by side, float64 [n, sum of their columns]."""
    return np.hstack([group.compute(texts) for group in groups]) if groups else np.empty((len(texts), 0))
