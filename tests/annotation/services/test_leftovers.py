"""What nobody went on with in the data folder is dropped in its time, and nothing else is."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from annotation.services.leftovers import KEPT_FOR, drop_leftovers


@pytest.fixture
def data(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.mark.parametrize(("place", "days"), [("models/.incoming", 1), ("training", 30), ("attacking", 30)])
def test_files_and_folders_that_were_left_are_dropped_in_their_time(place: str, days: int, data: Path) -> None:
    """A folder in which a worker unpacked a model until it was killed is as large as the model."""
    for name in ("old", "young"):
        (data / place / name / "model").mkdir(parents=True)
        (data / place / f"{name}.zip").write_bytes(b"x")
        age = days * 86_400 + (60 if name == "old" else -60)
        for path in (data / place).glob(f"{name}*"):
            os.utime(path, (time.time() - age,) * 2)
    (data / "models" / "kept").mkdir(parents=True, exist_ok=True)
    os.utime(data / "models" / "kept", (0, 0))
    drop_leftovers()
    assert sorted(path.name for path in (data / place).iterdir()) == ["young", "young.zip"]
    assert (data / "models" / "kept").exists()


def test_what_became_a_model_meanwhile_is_no_error(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: iter([folder / "gone.part"]))
    drop_leftovers()
    assert [place.as_posix() for place in KEPT_FOR] == ["models/.incoming", "training", "attacking"]
