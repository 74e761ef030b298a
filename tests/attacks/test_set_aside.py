"""Successes that look less suspicious than they can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attacks.engine import Outcome
from attacks.results import score_run
from attacks.set_aside import set_aside, suspicion_of
from tests.attacks.toys import SuspicionByLength

HEADER: dict[str, Any] = {"seed": 0, "constraints": [{"name": "suspicion", "tau": 2.5, "model_sha256": "by-length"}]}


class Counting(SuspicionByLength):
    def __init__(self, sha256: str = "by-length") -> None:
        super().__init__(sha256)
        self.seen: list[str] = []

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        self.seen += texts
        return super().predict(texts)


def outcome(id: int, *suspicion: float | None, status: Any = "success") -> Outcome:
    """An outcome with such scores along its path, whose texts are of ten and seven letters (2.0 and 1.7 by length)."""
    scores = {"suspicion": list(suspicion)} if suspicion else {}
    new = f"{id}bbbbbb" if status == "success" else None
    return Outcome(id, f"{id}aaaaaaaaa", 1, status, adversarial=new, constraint_scores=scores)


OUTCOMES = [
    outcome(0, 2.0, 3.0, 1.8),  # lower by just the margin
    outcome(1, 2.0, 1.799999),
    outcome(2, 2.0, 1.0, 2.4),  # only its last step counts
    outcome(3, status="failed"),
    outcome(4, status="skipped"),
    outcome(5, 2.0, None, 1.5),
]


def test_what_is_much_less_suspicious_than_its_original_is_set_aside() -> None:
    known = {0: (2.0, 1.8), 1: (2.0, 1.799999), 2: (2.0, 2.4), 5: (2.0, 1.5)}
    found = set_aside(OUTCOMES, known)
    assert ([o.id for o in found.kept], [o.id for o in found.set_aside]) == ([0, 2], [1, 5])
    assert found.suspicion == known
    assert [o.id for o in set_aside(OUTCOMES, known, margin=0.4).set_aside] == [5]
    assert set_aside([], {}).kept == []


def test_a_model_is_asked_only_about_what_the_run_did_not_ask_it() -> None:
    unscored = [*OUTCOMES, outcome(6), outcome(7, None, 2.0)]
    model = Counting()
    found = suspicion_of(unscored, model, HEADER)
    assert found == {0: (2.0, 1.8), 1: (2.0, 1.799999), 2: (2.0, 2.4), 5: (2.0, 1.5), 6: (2.0, 1.7), 7: (2.0, 1.7)}
    assert model.seen == ["6aaaaaaaaa", "7aaaaaaaaa", "6bbbbbb", "7bbbbbb"]
    other = Counting("another")
    assert suspicion_of(unscored, other, HEADER)[1] == (2.0, 1.7)
    assert len(other.seen) == 12


def test_a_run_under_a_suspicion_constraint_tells_what_is_set_aside() -> None:
    summary = score_run(HEADER, [*OUTCOMES, outcome(6, None, 2.0)], scorer=None, segmentation="HN").summary
    assert summary["set_aside"] == {"count": 2, "ids": [1, 5], "margin": 0.2, "unscored": 1, "model_sha256": "by-length"}
    # attacked: all but the skipped one; kept: 0, 2 and 6, which nothing speaks against
    assert (summary["success_kept"]["value"], summary["success_kept"]["n"]) == (3 / 6, 6)
    assert (summary["success"]["value"], summary["success"]["n"]) == (5 / 6, 6)
    assert (summary["suspicion"]["value"], summary["suspicion"]["n"]) == ((1.8 + 1.799999 + 2.4 + 1.5) / 4, 4)


def test_a_run_without_a_suspicion_model_has_nothing_to_set_aside() -> None:
    summary = score_run({"seed": 0, "constraints": []}, OUTCOMES, scorer=None, segmentation="HN").summary
    assert {"set_aside", "success_kept", "suspicion"}.isdisjoint(summary)
