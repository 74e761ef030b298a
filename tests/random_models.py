"""Random Transformers saved to disk, as the real ones come."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch


def saved(folder: Path, make: Callable[[], Any], seed: int = 1) -> Path:
    """The folder, into which the model goes whose weights `make` draws. Other tests' random numbers stay as they are."""
    drawn(make, seed).save_pretrained(folder)
    return folder


def drawn(make: Callable[[], Any], seed: int = 1) -> Any:
    """What `make` draws from the seed. Other tests' random numbers stay as they are."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return make()
