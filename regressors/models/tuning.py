"""Fine-tuning: how a pretrained network learns scores, and for how many epochs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupShuffleSplit
from sklearn.preprocessing import QuantileTransformer

from regressors.models.network import Rows, batch_of, network_of, outputs, predicted, training_batches
from regressors.models.pretrained import Pretrained, Reader
from regressors.models.smart import Smart, SmartPenalty, passes, random_states
from regressors.targets import Targets

Array = NDArray[np.float64]
Progress = Callable[[int, int, str], None]

UNCHOSEN_EPOCHS: Final = 3
"""Where nothing can be set apart to choose by: the middle of what Devlin et al. (NAACL 2019, appendix A.3) recommend."""
_DEVELOPMENT: Final = 0.2
_PATIENCE: Final = 3
_DECAY: Final = 0.01
_HEAD_RATE: Final = 1e-3
"""The head starts from nothing, so it may learn faster than what was pretrained."""
_STEEPEST: Final = 1.0
_MOST_QUANTILES: Final = 100


@dataclass(frozen=True, slots=True)
class Recipe:
    """`rate` is the highest learning rate of the pretrained weights, `batch` the texts per step, `device` torch's name of one.
    `progress(done, total, message)` is called before each step; an exception from it stops the training."""

    most_epochs: int
    rate: float
    batch: int
    smart: Smart
    seed: int
    device: str
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Tuned:
    """A network with what its inputs and outputs are measured in: `quantiles` of the numbers (None without any), `mean` and
    `spread` of the scores."""

    base: Reader
    network: Any
    quantiles: Any
    mean: float
    spread: float

    def predict(self, tokens: Array, numbers: Array, device: str) -> Array:
        """Scores on no scale, float64 [n]."""
        rows = rows_of(tokens, numbers, self.quantiles)
        return self.mean + self.spread * predicted(self.network, rows, self.base.padding, device)


def rows_of(tokens: Array, numbers: Array, quantiles: Any) -> Rows:
    normal = numbers if quantiles is None else quantiles.transform(numbers)
    return Rows(tokens.astype(np.int64), normal.astype(np.float32))


def choose_epochs(base: Pretrained, tokens: Array, numbers: Array, told: Targets, recipe: Recipe) -> tuple[int, list[float]]:
    """The number of epochs after which texts set apart, with all of their groups, correlate best (Pearson r), and the r after
    each; no more are tried when _PATIENCE in a row did no better. Without two groups, or with scores set apart that are all the
    same, UNCHOSEN_EPOCHS and no r."""
    unchosen: tuple[int, list[float]] = min(UNCHOSEN_EPOCHS, recipe.most_epochs), []
    if recipe.most_epochs == 1 or len(np.unique(told.groups)) < 2:
        return unchosen
    split = GroupShuffleSplit(1, test_size=_DEVELOPMENT, random_state=recipe.seed)
    train, apart = next(split.split(tokens, groups=told.groups))
    if np.ptp(told.labels[apart]) == 0:
        return unchosen
    message = "Choosing the number of epochs"
    found: list[float] = []
    for tuned in tune(base, tokens[train], numbers[train], told.take(train), recipe, recipe.most_epochs, message):
        found.append(_pearson(tuned.predict(tokens[apart], numbers[apart], recipe.device), told.labels[apart]))
        if len(found) - int(np.argmax(found)) > _PATIENCE:
            break
    return 1 + int(np.argmax(found)), found


def tune(
    base: Pretrained, tokens: Array, numbers: Array, told: Targets, recipe: Recipe, epochs: int, message: str
) -> Iterator[Tuned]:
    """The same network after each epoch; the next ones may depend on torch's random numbers, so within `own_random_numbers`."""
    training = _Training(base, tokens, numbers, told, recipe)
    for _ in range(epochs):
        for done, places in training.steps():
            if recipe.progress is not None:
                recipe.progress(done, epochs * training.steps_per_epoch, message)
            training.step(places)
        yield training.tuned


@contextmanager
def own_random_numbers(device: str) -> Iterator[None]:
    """Within, torch may be seeded; afterwards its random numbers go on as if nothing had been drawn."""
    import torch

    with torch.random.fork_rng(devices=None if device.startswith("cuda") else []):
        yield


class _Training:
    """AdamW (Loshchilov and Hutter 2019) on squared errors, weighted by the judgements behind each label.

    The rate rises over the first epoch and then stays: were it to fall towards an end, the first epochs of a long training would
    not be those of a short one, and no number of epochs could be chosen by them.
    """

    def __init__(self, base: Pretrained, tokens: Array, numbers: Array, told: Targets, recipe: Recipe) -> None:
        import torch

        torch.manual_seed(recipe.seed)
        network = network_of(base.encoder(), numbers.shape[1]).to(recipe.device)
        self.tuned = Tuned(base, network, _quantiles(numbers), *_mean_and_spread(told))
        self._recipe = recipe
        self._rows = rows_of(tokens, numbers, self.tuned.quantiles)
        self._target = torch.tensor((told.labels - self.tuned.mean) / self.tuned.spread, dtype=torch.float32).to(recipe.device)
        self._weight = torch.tensor(told.counts / told.counts.mean(), dtype=torch.float32).to(recipe.device)
        self._optimizer = _optimizer(network, recipe.rate)
        self._penalty = SmartPenalty(recipe.smart, network, recipe.seed) if recipe.smart else None
        self._rng = np.random.default_rng(recipe.seed)
        self._done = 0
        self.steps_per_epoch = -(-len(self._rows) // recipe.batch)

    def steps(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """For each step of an epoch, how many were done before, and the places of its texts."""
        self.tuned.network.train()
        for places in training_batches(self._rows, self._recipe.batch, self._rng):
            yield self._done, places

    def step(self, places: NDArray[np.int64]) -> None:
        import torch

        network = self.tuned.network
        batch = batch_of(self._rows, places, self.tuned.base.padding, self._recipe.device)
        states = random_states(self._recipe.device)
        out = outputs(network, batch)
        loss = (self._weight[places] * (out - self._target[places]) ** 2).mean()
        if self._penalty is not None:
            loss = loss + self._penalty(network, batch, out, passes(batch, states))
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), _STEEPEST)
        for group in self._optimizer.param_groups:
            group["lr"] = group["highest"] * min(1.0, (self._done + 1) / self.steps_per_epoch)
        self._optimizer.step()
        self._done += 1
        if self._penalty is not None:
            self._penalty.follow(network, early=self._done <= self.steps_per_epoch)


def _optimizer(network: Any, rate: float) -> Any:
    """Biases and the gains of layer normalisation are not pulled to 0."""
    from torch.optim import AdamW

    def part(name: str, rate: float) -> list[dict[str, Any]]:
        named = list(network[name].named_parameters())
        pulled = [parameter for of, parameter in named if parameter.ndim > 1 and "bias" not in of]
        free = [parameter for of, parameter in named if parameter.ndim <= 1 or "bias" in of]
        return [
            {"params": pulled, "weight_decay": _DECAY, "highest": rate},
            {"params": free, "weight_decay": 0.0, "highest": rate},
        ]

    # One pass over the weights instead of several: most of them are word vectors that a step hardly touches.
    return AdamW(part("encoder", rate) + part("head", _HEAD_RATE), fused=True)


def _quantiles(numbers: Array) -> QuantileTransformer | None:
    if not numbers.shape[1]:
        return None
    most = min(_MOST_QUANTILES, len(numbers))
    return QuantileTransformer(n_quantiles=most, output_distribution="normal", subsample=None).fit(numbers)


def _mean_and_spread(told: Targets) -> tuple[float, float]:
    mean = float(np.average(told.labels, weights=told.counts))
    return mean, float(np.sqrt(np.average((told.labels - mean) ** 2, weights=told.counts))) or 1.0


def _pearson(predictions: Array, labels: Array) -> float:
    """-1 for predictions that are all the same, which are of no use."""
    return float(np.corrcoef(predictions, labels)[0, 1]) if np.ptp(predictions) > 0 else -1.0
