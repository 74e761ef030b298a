"""Scores are computed anew in each test: what an earlier run remembered would hide a fault."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def score_file(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("PASSABLE_CACHE", str(folder))
    return folder / "scores.sqlite3"
