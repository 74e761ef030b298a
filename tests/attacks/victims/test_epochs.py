"""Trainings that are stopped, and go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attacks.tasks import Task
from attacks.victims import train_victim
from scoring.model_folder import read_model_folder

Small = dict[str, tuple[str, dict[str, Any]]]


class Killed(Exception):
    pass


def killed_after(epochs: int) -> Callable[[int, int, str], None]:
    def progress(done: int, total: int, message: str) -> None:
        if done == epochs:
            raise Killed

    return progress


@pytest.mark.parametrize("name", ["bilstm", "bert", "gemma"])
def test_a_training_that_was_stopped_ends_as_in_one_go(
    name: str, folder_of: Callable[[str], Path], small: Small, weather: Task, tmp_path: Path
) -> None:
    kind, parameters = small[name]
    with pytest.raises(Killed):
        train_victim(weather, kind, tmp_path / "v", seed=3, progress=killed_after(2), **parameters)
    assert [path.name for path in tmp_path.iterdir()] == [".v.unfinished"]
    seen: list[int] = []
    train_victim(weather, kind, tmp_path / "v", seed=3, progress=lambda done, total, message: seen.append(done), **parameters)
    assert seen == list(range(3, parameters["epochs"] + 1))
    assert read_model_folder(tmp_path / "v").files == read_model_folder(folder_of(name)).files
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_what_is_kept_is_of_these_settings_only(small: Small, weather: Task, tmp_path: Path) -> None:
    kind, parameters = small["bilstm"]
    with pytest.raises(Killed):
        train_victim(weather, kind, tmp_path / "v", progress=killed_after(2), **parameters)
    for changed in ({"seed": 1}, {"rate": 0.01}):
        seen: list[int] = []
        with pytest.raises(Killed):
            train_victim(
                weather, kind, tmp_path / "v",
                progress=lambda done, total, message, seen=seen: (seen.append(done), killed_after(1)(done, total, message)),
                **parameters | changed,
            )  # fmt: skip
        assert seen == [1]


def test_a_damaged_file_is_begun_anew(small: Small, weather: Task, tmp_path: Path) -> None:
    kind, parameters = small["bilstm"]
    with pytest.raises(Killed):
        train_victim(weather, kind, tmp_path / "v", progress=killed_after(1), **parameters)
    (kept,) = (tmp_path / ".v.unfinished").iterdir()
    kept.write_bytes(kept.read_bytes()[:-100])
    seen: list[int] = []
    train_victim(weather, kind, tmp_path / "v", progress=lambda done, total, message: seen.append(done), **parameters)
    assert seen == [1, 2, 3, 4]
