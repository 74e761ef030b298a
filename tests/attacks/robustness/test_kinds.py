from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from attacks.constraints.wanted import WANTED
from attacks.errors import AttackError
from attacks.robustness.kinds import KINDS, Examined, Kind
from attacks.robustness.search import Spoiled, spoil


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
    loosest = Examined.of("character").at_its_loosest()
    assert (loosest.check("a", ["b"])[0].tolist(), loosest.describe()["threshold"]) == ([0.0], 0.0)


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


def test_an_antonym_and_a_negation_do_not_undo_each_other() -> None:
    """ "was not so bad" says what "was so good" said."""
    damages = KINDS["meaning"].damages(["One text."])
    by_name = {damage.name: damage for damage in damages}
    ways = [by_name["negation"], by_name["antonym"]]

    def all_accepted(originals: Sequence[str], candidates: Sequence[str]) -> np.ndarray:
        return np.ones(len(candidates))

    (found,) = spoil([(0, "It was so good.")], all_accepted, ways, wanted=1, beam=20)
    assert found.text is not None
    (twice,) = spoil([(0, "It was so good.")], all_accepted, ways, wanted=2, beam=20)
    assert twice.text is None


def test_a_score_is_what_its_constraint_gave() -> None:
    for given, score in (("suspicion:m", -2.5), ("character", 0.9)):
        assert Examined.of(given).score(Spoiled(0, "a", "b", score)) == abs(score)
    assert Examined.of("character").score(Spoiled(0, "a")) is None


def test_what_is_spoiled_by_antonyms_alone_can_be_asked_to_read_well() -> None:
    assert {name for name, kind in KINDS.items() if kind.fluent} == {"encoder", "bertscore", "character"}
    assert {name for name, kind in KINDS.items() if [each.name for each in kind.damages([])] == ["antonym"]} == {
        "encoder", "bertscore", "character",
    }  # fmt: skip
