from __future__ import annotations

import numpy as np
import pytest

from attacks.constraints.wanted import WANTED
from attacks.errors import AttackError
from attacks.robustness.kinds import KINDS, Examined, Kind


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_kind_has_thresholds_that_loosen_and_ways_to_spoil(kind: Kind) -> None:
    tested = Examined(kind, "m" if kind.model else None)
    thresholds = tested.thresholds()
    assert sorted(thresholds) == sorted(kind.thresholds)
    passing = [bool(tested.passes(np.array(threshold), thresholds[-1])) for threshold in thresholds]
    assert passing == [True] * len(thresholds)
    assert [bool(tested.passes(np.array(threshold), thresholds[0])) for threshold in thresholds] == [
        True, *[False] * (len(thresholds) - 1),
    ]  # fmt: skip
    assert kind.damages(["One text."])
    assert {kind.limit, kind.model} - {None} <= WANTED.keys()
    readiness = tested.readiness(np.array(thresholds))
    assert readiness.tolist() == sorted(readiness.tolist(), reverse=True)


def test_a_constraint_at_a_threshold_is_what_a_run_takes() -> None:
    assert Examined.of("suspicion:models/m").options(2.5) == {"suspicion": "models/m", "tau": 2.5}
    assert Examined.of("character").options(0.9) == {"character": 0.9}
    assert Examined.of("encoder").thresholds([0.5, 0.9, 0.5]) == [0.9, 0.5]
    assert Examined.of("character").at_its_loosest().check("a", ["b"])[0].tolist() == [0.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("none", "unknown kind of constraint 'none'; there are suspicion, meaning, encoder, bertscore, character"),
        ("suspicion", "suspicion:PATH"),
        ("meaning:", "meaning:PATH"),
        ("encoder:model", "takes no model"),
    ],
)
def test_what_is_no_constraint_is_refused(given: str, message: str) -> None:
    with pytest.raises(AttackError, match=message):
        Examined.of(given)
