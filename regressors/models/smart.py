"""SMART (Jiang, He, Chen, Liu, Gao and Zhao, "SMART: Robust and Efficient Fine-Tuning for Pre-trained Natural Language Models
through Principled Regularized Optimization", ACL 2020), for regression: outputs differ by their squared difference.

Every additional pass through the network drops what the plain pass dropped, so that outputs differ by the text or by the weights
alone, and leaves the random numbers as they were: with weights near 0, training goes as if there were no SMART.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from regressors.models.network import Batch, outputs

MOMENTUM: Final = (0.99, 0.999)
"""Of the teacher, as in the paper's experiments: for the first tenth of the steps, which is the first epoch of ten, and for the
rest."""
_START: Final = 0.1
"""Of the radius: the spread of the noise from which the worst change is looked for."""

Pass = Callable[[Any, Any], Any]
"""A network and what to add to its embeddings (or None), to outputs with what the plain pass dropped."""


@dataclass(frozen=True, slots=True)
class Smart:
    """How much SMART weighs: `smoothness` is the paper's lambda, `proximity` its mu, `radius` its epsilon."""

    smoothness: float
    proximity: float
    radius: float

    def __bool__(self) -> bool:
        return self.smoothness > 0 or self.proximity > 0


class SmartPenalty:
    """The two regularisers of a network in training, with its teacher: the mean of its own weights over past steps."""

    def __init__(self, smart: Smart, network: Any, seed: int) -> None:
        import torch

        self._smart = smart
        self._teacher = deepcopy(network).requires_grad_(False) if smart.proximity else None
        self._noise = torch.Generator().manual_seed(seed)

    def __call__(self, network: Any, batch: Batch, out: Any, again: Pass) -> Any:
        """What is added to the loss. `out` are the outputs of the plain pass."""
        import torch

        penalty = torch.zeros((), device=out.device)
        if self._smart.smoothness:
            shift = self._worst_shift(network, batch, out.detach(), again)
            penalty = penalty + self._smart.smoothness * ((again(network, shift) - out) ** 2).mean()
        if self._teacher is not None:
            with torch.no_grad():
                before = again(self._teacher, None)
            penalty = penalty + self._smart.proximity * ((out - before) ** 2).mean()
        return penalty

    def follow(self, network: Any, *, early: bool) -> None:
        """The teacher follows the network by one step (Bregman proximal point optimisation with momentum)."""
        import torch

        if self._teacher is None:
            return
        momentum = MOMENTUM[0 if early else 1]
        with torch.no_grad():
            for taught, own in zip(self._teacher.parameters(), network.parameters(), strict=True):
                taught.lerp_(own, 1 - momentum)

    def _worst_shift(self, network: Any, batch: Batch, out: Any, again: Pass) -> Any:
        """The change of embeddings, at most `radius` in each number, that one step up the gradient finds to move the outputs most
        (Algorithm 1 of the paper). The paper's radius is 1e-5: squared differences so small weigh nothing beside the loss, and
        its authors' published code takes far wider steps, so the radius is a setting here."""
        import torch

        radius = self._smart.radius
        shape = (*batch.tokens.shape, network["encoder"].get_input_embeddings().embedding_dim)
        start = (_START * radius * torch.randn(shape, generator=self._noise)).to(out.device).requires_grad_()
        (gradient,) = torch.autograd.grad(((again(network, start) - out) ** 2).sum(), start)
        steepest = gradient.abs().amax(dim=(1, 2), keepdim=True).clamp_min(torch.finfo(gradient.dtype).tiny)
        return (start.detach() + radius * gradient / steepest).clamp(-radius, radius)


@contextmanager
def random_numbers_of(states: tuple[Any, Any]) -> Iterator[None]:
    """Within, the random numbers of the `states` come again; afterwards it is as if none had been drawn."""
    import torch

    cpu, gpu = states
    with torch.random.fork_rng(devices=[] if gpu is None else None):
        torch.set_rng_state(cpu)
        if gpu is not None:
            torch.cuda.set_rng_state(gpu)
        yield


def random_states(device: str) -> tuple[Any, Any]:
    """The states of the random numbers of processor and GPU (None where none is used)."""
    import torch

    return torch.get_rng_state(), torch.cuda.get_rng_state() if device.startswith("cuda") else None


def passes(batch: Batch, states: tuple[Any, Any]) -> Pass:
    """Passes of a batch that drop what was dropped when the random numbers were in these states."""

    def again(network: Any, shift: Any) -> Any:
        with random_numbers_of(states):
            return outputs(network, batch, shift)

    return again
