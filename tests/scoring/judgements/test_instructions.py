from __future__ import annotations

import numpy as np
import pytest

from scoring.judgements.instructions import InstructionReport, compare_instructions
from scoring.result import ScoringError

LEVEL = {"orig": 2, "pruthi": 3, "bae": 4}


def study(moved: dict[str, int], originals: int = 40) -> InstructionReport:
    """Each original in three variants under two instructions; under the second, scores move by variant."""
    rng = np.random.default_rng(0)
    first: dict[tuple[str, int], list[int]] = {}
    second: dict[tuple[str, int], list[int]] = {}
    for variant, level in LEVEL.items():
        for i in range(originals):
            first[variant, i] = [level + int(rng.integers(-1, 2)) for _ in range(2)]
            second[variant, i] = [level + moved[variant] + int(rng.integers(-1, 2))]
    variant_of, cluster_of = {item: item[0] for item in first}, {item: item[1] for item in first}
    return compare_instructions(first, second, variant_of=variant_of, cluster_of=cluster_of)


def test_a_shift_of_all_is_no_interaction() -> None:
    found = study({"orig": 1, "pruthi": 1, "bae": 1})
    assert found.shift.value == pytest.approx(1, abs=0.2)
    assert found.shift_p.value is not None and found.shift_p.value < 1e-6
    assert found.interaction_p.value is not None and found.interaction_p.value > 0.05
    assert found.order.value == 1.0
    assert list(found.variants) == ["bae", "orig", "pruthi"]


def test_an_interaction_is_told_apart_from_the_shift() -> None:
    found = study({"orig": 2, "pruthi": 0, "bae": -2})
    assert found.shift.interval and found.shift.interval.low < 0 < found.shift.interval.high
    assert found.interaction_p.value is not None and found.interaction_p.value < 1e-6
    assert found.order.value == pytest.approx(-1.0)
    assert [round(shift.value or 0) for shift in found.variants.values()] == [-2, 2, 0]


def test_each_variant_counts_alike_in_the_shift() -> None:
    first = {("x", i): [1] for i in range(9)} | {("y", 0): [5]}
    second = {("x", 0): [1], **{("y", i): [5] for i in range(9)}}
    found = compare_instructions(first, second, variant_of={item: item[0] for item in [*first, *second]})
    assert found.shift.value == 0.0
    assert found.shift_p.reason and found.interaction_p.reason


def test_nothing_in_common_is_refused_and_one_variant_cannot_interact() -> None:
    with pytest.raises(ScoringError, match="No variant was judged under both"):
        compare_instructions({"a": [1]}, {"b": [1]}, variant_of={"a": "x", "b": "y"})
    one = compare_instructions({"a": [1], "b": [2]}, {"a": [2], "b": [4]}, variant_of={"a": "x", "b": "x"})
    assert one.interaction_p.reason and one.interaction_p.reason.code == "one_variant"
    assert one.order.reason and one.order.reason.code == "too_few"
