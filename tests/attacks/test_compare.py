from __future__ import annotations

from typing import Any

import pytest

from attacks import AttackError
from attacks.compare import compare
from attacks.engine import Outcome, Queries
from attacks.results import Run, score_run
from tests.attacks.toys import SuspicionByLength

MODEL = SuspicionByLength()  # 1 + length / 10
HEADER: dict[str, Any] = {"seed": 0, "constraints": []}
UNDER_TAU: dict[str, Any] = {"seed": 0, "constraints": [{"name": "suspicion", "tau": 2.0, "model_sha256": MODEL.sha256}]}
UNDER_MARGIN: dict[str, Any] = {"seed": 0, "constraints": [{"name": "suspicion", "margin": 0.1, "model_sha256": "other"}]}


def outcome(id: int, original: int, adversarial: int | None, asked: int = 10, status: Any = "failed") -> Outcome:
    """An outcome whose texts are so many letters long."""
    new = None if adversarial is None else f"{id}" + "x" * (adversarial - 1)
    return Outcome(id, f"{id}" + "a" * (original - 1), 1, "success" if new else status, adversarial=new, queries=Queries(asked))


FIRST = [
    outcome(0, 10, 13),
    outcome(1, 10, 12),
    outcome(2, 10, 7),
    outcome(3, 10, 11),
    outcome(4, 10, None),
    outcome(5, 10, None, status="skipped"),
]
SECOND = [
    outcome(0, 10, 10, 20),
    outcome(1, 10, None, 20),
    outcome(2, 10, 8, 20),
    outcome(3, 10, 11, 20),
    outcome(4, 10, 10, 20),
    outcome(5, 10, None, status="skipped"),
]


def run(outcomes: list[Outcome], header: dict[str, Any]) -> Run:
    return score_run(header, outcomes, scorer=None, segmentation="HN")


def test_comparison_by_hand() -> None:
    found = compare(run(FIRST, HEADER), run(SECOND, UNDER_TAU), MODEL)
    assert (found.first.success.value, found.second.success.value) == (0.8, 0.8)
    assert (found.first.set_aside, found.second.set_aside) == (1, 0)
    assert (found.first.success_kept.value, found.second.success_kept.value) == (0.6, 0.8)
    assert (found.first.queries.value, found.second.queries.value) == (10, 20)
    assert found.first.suspicion.value == pytest.approx((2.3 + 2.2 + 1.7 + 2.1) / 4)
    # both succeed on 0, 2 and 3
    assert found.paired_first.n == 3
    assert found.paired_first.value == pytest.approx((2.3 + 1.7 + 2.1) / 3)
    assert found.paired_second.value == pytest.approx((2.0 + 1.8 + 2.1) / 3)
    assert found.paired_difference.value == pytest.approx((-0.3 + 0.1 + 0) / 3)
    assert (found.lowered, found.equal, found.raised) == (1, 1, 1)
    # above 2.0 in the first: 0, 1, 3; of these at most 2.0 in the second: 0
    assert (found.tau, found.to_lower, found.brought_under) == (2.0, 3, 1)


def test_without_a_tau_nothing_is_said_about_one() -> None:
    for header in (HEADER, UNDER_MARGIN):
        found = compare(run(FIRST, HEADER), run(SECOND, header), MODEL)
        assert (found.tau, found.to_lower, found.brought_under) == (None, None, None)


def test_without_a_scorer_there_is_no_bodega_score() -> None:
    found = compare(run(FIRST, HEADER), run(SECOND, HEADER), MODEL)
    assert (found.first.bodega.value, found.first.bodega.reason and found.first.bodega.reason.code) == (
        None,
        "no_semantic_scorer",
    )


def test_nothing_in_common() -> None:
    found = compare(run(FIRST, HEADER), run([outcome(i, 10, None) for i in range(6)], HEADER), MODEL)
    assert (found.paired_difference.value, found.lowered, found.second.suspicion.value) == (None, 0, None)
    assert found.as_dict()["paired"]["difference"]["reason"]["code"] == "nothing_to_average"


def test_other_texts_cannot_be_compared() -> None:
    with pytest.raises(AttackError, match="attacked different texts"):
        compare(run(FIRST, HEADER), run(SECOND[:3], HEADER), MODEL)
