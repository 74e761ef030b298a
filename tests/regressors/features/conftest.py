"""Features are kept where no other test finds them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _cache_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path_factory.mktemp("cache")))
