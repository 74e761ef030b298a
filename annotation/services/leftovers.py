"""What lies in the data folder though nobody goes on with it: files that became no model, trainings and
attacks that were stopped."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings

INCOMING = Path("models", ".incoming")
"""Where uploaded files lie until they are models, and are unpacked."""
TRAINING = Path("training")
"""Where trainings keep what they have done, until there is a model."""
ATTACKING = Path("attacking")
"""Where attacks keep theirs, until the run is recorded, and victims that are being trained."""
KEPT_FOR: Mapping[Path, timedelta] = {
    INCOMING: timedelta(days=1),
    TRAINING: timedelta(days=30),
    ATTACKING: timedelta(days=30),
}
"""How long nobody has to touch what lies there until nobody is expected to."""


def drop_leftovers() -> None:
    """Delete what has lain there for too long, also what a process left that was killed."""
    for place, kept_for in KEPT_FOR.items():
        for left in (settings.DATA_DIR / place).glob("*"):
            # Somebody may have been faster: what has become a model is gone from there.
            with suppress(FileNotFoundError):
                if left.stat().st_mtime < time.time() - kept_for.total_seconds():
                    shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink()
