"""What the constraint makes of TextAttack's calls, with a stand-in for TextAttack's own class; the real one is tried nightly."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.attacks.toys import SuspicionByLength


class Constraint:
    """What `textattack.constraints.Constraint` of 0.3.11 has of what is used here."""

    def __init__(self, compare_against_original: bool) -> None:
        self.compare_against_original = compare_against_original

    def extra_repr_keys(self) -> list[str]:
        return ["compare_against_original"]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    package, constraints = ModuleType("textattack"), ModuleType("textattack.constraints")
    constraints.Constraint = Constraint  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "textattack", package)
    monkeypatch.setitem(sys.modules, "textattack.constraints", constraints)
    monkeypatch.delitem(sys.modules, "attacks.integrations.textattack", raising=False)
    yield importlib.import_module("attacks.integrations.textattack")
    sys.modules.pop("attacks.integrations.textattack", None)


def texts(*written: str) -> list[SimpleNamespace]:
    return [SimpleNamespace(text=text) for text in written]


def test_candidates_within_the_limit_are_kept_in_their_order(module: Any) -> None:
    short, long, middle = candidates = texts("a" * 10, "a" * 30, "a" * 20)  # predicted 2, 4 and 3
    (original,) = texts("a" * 5)
    by_tau = module.SuspicionConstraint(SuspicionByLength(), 3.0)
    assert by_tau._check_constraint_many(candidates, original) == [short, middle]
    assert [by_tau._check_constraint(each, original) for each in candidates] == [True, False, True]
    assert by_tau._check_constraint_many(candidates, long) == candidates  # the original's own suspicion is the limit then
    by_margin = module.SuspicionConstraint(SuspicionByLength(), margin=2.5)
    assert by_margin._check_constraint_many(candidates, original) == candidates
    assert by_tau.compare_against_original is True
    assert by_tau.extra_repr_keys() == ["rule", "model_sha256", "compare_against_original"]
    assert (by_tau.rule, by_tau.model_sha256) == ("candidate <= max(tau, original)", "by-length")


def test_a_folder_is_loaded_here_or_by_another_interpreter(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regressors.storage.load", lambda folder: SuspicionByLength(f"here {folder}"))
    monkeypatch.setattr(module, "ModelProcess", lambda folder, python: SuspicionByLength(f"{python} {folder}"))
    assert module.SuspicionConstraint("model").model_sha256 == "here model"
    assert module.SuspicionConstraint(Path("model")).model_sha256 == "here model"
    assert module.SuspicionConstraint("model", python="other/python").model_sha256 == "other/python model"
