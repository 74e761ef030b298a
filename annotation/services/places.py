"""Models that lie on the server, in the folder that the setting PASSABLE_MODELS names."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.errors import DomainError

DEEPEST = 2


def model_folders() -> list[str]:
    """The folders with a pretrained Transformer, relative to PASSABLE_MODELS: in it, or in a folder there. None without it."""
    root: Path | None = settings.MODELS_DIR
    if root is None:
        return []
    found = (path.parent for depth in range(1, DEEPEST + 1) for path in root.glob("/".join(["*"] * depth + ["config.json"])))
    return sorted(str(folder.relative_to(root)) for folder in found)


def model_folder(name: str) -> Path:
    """Where a folder of `model_folders` lies. Raises DomainError for anything else."""
    if settings.MODELS_DIR is None or name not in model_folders():
        raise DomainError(f"There is no model in a folder “{name}” of PASSABLE_MODELS any more.")
    folder: Path = settings.MODELS_DIR / name
    return folder
