"""Training a network in epochs, each of which can be the one after which a training was stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from attacks.victims.victim import Progress

if TYPE_CHECKING:
    import torch


class KeptEpochs:
    """Keeps what a training has learned so far below ``folder``, apart for each data and settings.

    One that was stopped goes on after the last epoch that it finished, and ends with the same weights as in one go.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.path = folder / f"{digest_of(settings)}.safetensors"

    def keep(self, epochs: int, network: torch.nn.Module, optimiser: torch.optim.Optimizer) -> None:
        """Keeps weights and the optimiser's moments after so many epochs."""
        from safetensors.torch import save_file

        tensors = {f"{name}/weight": weight.detach() for name, weight in _learned(network)}
        for name, weight in _learned(network):
            tensors |= {f"{name}/{of}": value for of, value in optimiser.state[weight].items()}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Under another name until it is whole: a killed process leaves no half of it behind.
        part = self.path.with_suffix(f".{os.getpid()}")
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, part, {"epochs": str(epochs)})
        os.replace(part, self.path)

    def restore(self, network: torch.nn.Module, optimiser: torch.optim.Optimizer) -> int:
        """Takes them back. Returns how many epochs they are of: 0 if there are none, or the file was damaged."""
        import torch
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(self.path, "pt") as file:
                kept = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
                epochs = int(file.metadata()["epochs"])
        except (OSError, SafetensorError):
            return 0
        with torch.no_grad():
            for name, weight in _learned(network):
                weight.copy_(kept[f"{name}/weight"])
                moments = {of: kept[f"{name}/{of}"] for of in ("exp_avg", "exp_avg_sq")}
                optimiser.state[weight] = {of: value.to(weight.device) for of, value in moments.items()}
                optimiser.state[weight]["step"] = kept[f"{name}/step"]
        return epochs


def digest_of(settings: Mapping[str, Any]) -> str:
    """What names the files of these settings."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode("ascii")).hexdigest()


def train_in_epochs(
    network: torch.nn.Module,
    loss_of: Callable[[np.ndarray], torch.Tensor],
    *,
    n: int,
    epochs: int,
    batch: int,
    rate: float,
    seed: int,
    decay: bool = False,
    device: str = "cpu",
    progress: Progress | None = None,
    kept: KeptEpochs | None = None,
) -> None:
    """Train the weights that are free, with Adam (Kingma and Ba 2015), on batches of ``n`` rows in random order.

    ``loss_of`` gives the loss of the rows of some indices. With ``decay`` the rate falls linearly to 0 over the training.
    What an epoch draws (the order of the rows, dropout) follows from the seed and its number alone, so a training that goes
    on after any epoch is the same as one in one go. torch's own random numbers go on as if nothing had been drawn.
    """
    import torch

    optimiser = torch.optim.Adam([weight for _, weight in _learned(network)], lr=rate)
    done = kept.restore(network, optimiser) if kept else 0
    steps = -(-n // batch)
    network.train()
    with torch.random.fork_rng(devices=None if device.startswith("cuda") else []):
        for epoch in range(done, epochs):
            rng = np.random.default_rng([seed, epoch])
            torch.manual_seed(int(rng.integers(2**63)))
            order, losses = rng.permutation(n), []
            for step in range(steps):
                if decay:
                    optimiser.param_groups[0]["lr"] = rate * (1 - (epoch * steps + step) / (epochs * steps))
                loss = loss_of(order[step * batch : (step + 1) * batch])
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                losses.append(loss.item())
            if kept:
                kept.keep(epoch + 1, network, optimiser)
            if progress:
                progress(epoch + 1, epochs, f"epoch {epoch + 1}, loss {np.mean(losses):.3f}")
    network.eval()


def _learned(network: torch.nn.Module) -> list[tuple[str, torch.nn.Parameter]]:
    return [(name, weight) for name, weight in network.named_parameters() if weight.requires_grad]
