"""Where a model's files lie: in a folder, or on the model hub, from which they are fetched once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from attacks.errors import AttackError

_HUB_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
_DESCRIPTION: Final = ("*.json", "*.txt", "*.model")
_WEIGHTS: Final = ("*.safetensors", "pytorch_model*.bin")
"""The second only for models that have none of the first: many have both, and others besides."""


def folder_of(model: str) -> Path:
    """The folder of a model that is given by folder or by its name on the hub (``owner/name``).

    Raises `AttackError` if there is neither.
    """
    if Path(model).is_dir() or not _HUB_NAME.fullmatch(model):
        return Path(model)  # whoever reads it tells what is missing there
    from huggingface_hub import snapshot_download

    try:
        for weights in _WEIGHTS:
            folder = Path(snapshot_download(model, allow_patterns=[*_DESCRIPTION, weights]))
            if any(folder.glob(weights)):
                break
    except Exception as error:  # of the hub's own, of the network's, of the disk's
        problem = " ".join(str(error).split())[:200]
        raise AttackError(
            f"{model}: there is no such folder, and the model hub gives no model of that name ({problem}); give the folder that "
            "holds config.json, the tokeniser and the weights"
        ) from None
    return folder
