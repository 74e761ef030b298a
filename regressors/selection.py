"""Which texts people should judge next: those that models know least about, or any; always with a known probability.

Uncertainty sampling and query by committee are those of Settles, "Active Learning Literature Survey" (2009, sections 3.1, 3.2).
Taking the most uncertain texts outright would leave nothing to say of all the others. Here every text has a chance, which is
recorded: weights of one over it estimate means of all texts from the selected ones (Horvitz and Thompson, "A generalization of
sampling without replacement from a finite universe", JASA 1952). The draw is systematic with probabilities in proportion to size
(Madow, "On the theory of systematic sampling, II", 1949), on an order of lots.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from regressors.errors import RegressorError
from regressors.trained import TrainedModel

Array = NDArray[np.float64]
Strategy = Literal["uncertain", "disagreeing", "random"]
STRATEGIES: Final[dict[Strategy, str]] = {
    "uncertain": "the more uncertain the newest model, the likelier",
    "disagreeing": "the more the models disagree, the likelier",
    "random": "all alike",
}
FLOOR: Final = 0.2
"""The part of the selection that is drawn as if all texts were alike: a model that is sure of a text may still be wrong, and a
text with next to no chance would weigh more than all others together once it is drawn."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Each in the order of the texts: what the strategy measured (`sizes`; all 1 at random), the chance of being selected, in
    (0, 1], and whether it was."""

    sizes: Array
    probabilities: Array
    chosen: NDArray[np.bool_]


def select(texts: Sequence[str], size: int, *, strategy: Strategy, models: Sequence[TrainedModel] = (), seed: int) -> Selection:
    """Selects `size` of the texts, which are different. `uncertain` asks the last of the models, `disagreeing` at least two.

    The same texts, models and seed give the same selection in whatever order the texts come. RegressorError where so many cannot
    be selected, or the models do not say what the strategy asks.
    """
    if strategy not in STRATEGIES:
        raise RegressorError(f"There is no strategy {strategy!r}: choose among {', '.join(STRATEGIES)}.")
    if len(set(texts)) < len(texts):
        raise RegressorError("Some of the texts are the same: give each once.")
    if not 1 <= size <= len(texts):
        raise RegressorError(f"From {len(texts)} texts, 1 to {len(texts)} can be selected, not {size}.")
    sizes = measured(texts, strategy, models)
    probabilities = inclusion_probabilities(sizes, size)
    return Selection(sizes, probabilities, systematic(texts, probabilities, seed))


def measured(texts: Sequence[str], strategy: Strategy, models: Sequence[TrainedModel]) -> Array:
    """What the strategy goes by, float64 [n], from 0 on: standard deviations in points of the models' scale."""
    if strategy == "random":
        return np.ones(len(texts))
    if strategy == "uncertain":
        if not models:
            raise RegressorError("Selecting what a model is uncertain of takes a model.")
        return models[-1].uncertainty(texts)
    if len(models) < 2:
        raise RegressorError(f"It takes two models to disagree; there {'is 1' if models else 'are 0'}.")
    if len(scales := {tuple(model.card["data"]["scale"]) for model in models}) > 1:
        raise RegressorError(f"The models predict on different scales, so they always disagree: {sorted(scales)}.")
    spread: Array = np.std([model.predict(texts) for model in models], axis=0)
    return spread


def inclusion_probabilities(sizes: Array, size: int, *, floor: float = FLOOR) -> Array:
    """Probabilities [n] in (0, 1] that add up to `size`: the part `floor` of each alike, the rest in proportion to the sizes.
    What would get more than 1 is certain, and the others share what is left."""
    n = len(sizes)
    total = float(sizes.sum())
    wanted = floor / n + (1 - floor) * sizes / total if total > 0 else np.full(n, 1 / n)
    certain = np.zeros(n, dtype=bool)
    while True:
        left = size - certain.sum()
        shares = np.where(certain, 0.0, wanted)
        probabilities = np.where(certain, 1.0, left * shares / (shares.sum() or 1.0))
        over = ~certain & (probabilities >= 1 - 1e-12)
        if not over.any():
            return probabilities
        certain |= over


def systematic(names: Sequence[str], probabilities: Array, seed: int) -> NDArray[np.bool_]:
    """Which are selected, bool [n]: names lie one after another, in the order of lots of their own, each as long as its
    probability; those on which a tooth falls of a comb with teeth 1 apart and a start drawn by lot. As many as the probabilities
    add up to, a whole number."""
    chosen: NDArray[np.bool_] = probabilities >= 1
    others = np.flatnonzero(~chosen).tolist()
    if others:
        order = sorted(others, key=lambda place: _lot(seed, "order", names[place]))
        ends = np.cumsum(probabilities[order])
        ends[-1] = round(float(ends[-1]))  # the last digits cost no tooth
        start = int.from_bytes(_lot(seed, "start")[:6]) / 2**48
        chosen[order] = np.diff(np.ceil(ends - start), prepend=0.0) > 0
    return chosen


def _lot(seed: int, *names: str) -> bytes:
    """A random number of the names' own."""
    return hashlib.sha256("\0".join([str(seed), *names]).encode("utf-8", "surrogatepass")).digest()
