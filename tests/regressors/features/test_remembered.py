"""Feature groups that keep their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from regressors.features import remembered
from regressors.features.group import Array, FeatureGroup
from regressors.features.remembered import Remembered
from regressors.models import FeatureModel
from scoring.result import ScoringError
from scoring.texts.score_cache import ScoreCache

TEXTS = ["a bridge", "", "сат", "\ud800", "a bridge", "a", "\ufffd"]


class Lengths(FeatureGroup):
    """Counts characters, and notes what it was asked for."""

    name = "lengths"
    version = "1"

    def __init__(self, sha256: str | None = None, path: str | None = None) -> None:
        self.sha256 = sha256
        self.path = path
        self.asked: list[list[str]] = []

    @property
    def names(self) -> tuple[str, ...]:
        return ("characters", "third")

    def compute(self, texts: Sequence[str]) -> Array:
        self.asked.append(list(texts))
        return np.array([[len(text), len(text) / 3 + (text == "\ud800")] for text in texts])


class Newer(Lengths):
    version = "2"


class Wider(Lengths):
    """Of the same version and number of columns by mistake, as an unfinished one may be."""

    def compute(self, texts: Sequence[str]) -> Array:
        return np.hstack([super().compute(texts), np.ones((len(texts), 1))])


@pytest.fixture
def cache(tmp_path: Path) -> ScoreCache:
    return ScoreCache(tmp_path / "features.sqlite3")


def test_the_cache_changes_nothing(cache: ScoreCache) -> None:
    group = Lengths("0" * 64, "some/file")
    expected = group.compute(TEXTS)
    kept = Remembered(group, cache)

    for _ in range(2):
        assert np.array_equal(kept.compute(TEXTS), expected)
    assert np.array_equal(kept.compute(TEXTS[::-1]), expected[::-1])
    assert kept.compute([]).shape == (0, 2)
    assert (kept.name, kept.version, kept.sha256, kept.path, kept.spec, kept.names, kept.described()) == (
        group.name, group.version, group.sha256, group.path, group.spec, group.names, group.described()
    )  # fmt: skip
    assert clone(FeatureModel((kept,))).groups == (kept,)


def test_only_new_texts_are_computed_each_once(cache: ScoreCache) -> None:
    group = Lengths()
    Remembered(group, cache).compute(TEXTS[:3])
    Remembered(group, cache).compute(TEXTS)
    Remembered(group, cache).compute(TEXTS)

    assert group.asked == [["", "сат", "a bridge"], ["\ud800", "a", "\ufffd"]]


@pytest.mark.parametrize("other", [Newer(), Lengths("1" * 64)])
def test_another_version_or_file_finds_nothing(cache: ScoreCache, other: Lengths) -> None:
    Remembered(Lengths("0" * 64), cache).compute(["a"])
    Remembered(other, cache).compute(["a"])

    assert other.asked == [["a"]]


def test_what_was_computed_before_a_failure_is_kept(cache: ScoreCache, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Lengths):
        def compute(self, texts: Sequence[str]) -> Array:
            if "cccc" in texts:
                raise ScoringError("no more")
            return super().compute(texts)

    monkeypatch.setattr(remembered, "_KEPT_AT_ONCE", 2)
    with pytest.raises(ScoringError, match="no more"):
        Remembered(Failing(), cache).compute(["cccc", "a", "bb", "ccc"])
    group = Lengths()
    Remembered(group, cache).compute(["ccc", "cccc", "bb", "a"])

    assert group.asked == [["ccc", "cccc"]]


def test_rows_of_another_width_are_computed_again(cache: ScoreCache, monkeypatch: pytest.MonkeyPatch) -> None:
    Remembered(Wider(), cache).compute(["a"])

    assert Remembered(Lengths(), cache).compute(["a"]).shape == (1, 2)


def test_it_keeps_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSABLE_CACHE", str(tmp_path))
    Remembered(Lengths()).compute(["a"])

    assert (tmp_path / "features.sqlite3").is_file()
    assert not (tmp_path / "scores.sqlite3").exists()
