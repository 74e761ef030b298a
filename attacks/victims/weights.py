"""The file of a victim's weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from attacks.errors import AttackError
from scoring.model_folder import load_tensors

WEIGHTS: Final = "weights.safetensors"


def read_weights(files: Mapping[str, bytes]) -> dict[str, np.ndarray]:
    """The weights by name. Raises `AttackError` for weights that are no numbers, whose answers would be none either."""
    weights = load_tensors(files[WEIGHTS])
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise AttackError("the victim's weights are not all finite numbers; train it again")
    return weights
