from __future__ import annotations

import numpy as np
import pytest

from scoring.judgements import ceiling
from scoring.judgements.agreement import cohen_kappa
from scoring.judgements.label_distribution import Label
from scoring.judgements.simulation import (
    MEANING_LABELS,
    ReaderModel,
    SimulatedReader,
    damage_of,
    expected_kappa,
    left_preferred,
    noise_ceiling,
    severity_correlation,
    severity_of,
)
from scoring.result import ScoringError

DAMAGES = np.random.default_rng(0).gamma(2.0, 0.5, size=3000).tolist()
SEVERITIES = np.random.default_rng(1).normal(2.6, 0.8, size=3000).tolist()
"""3,000 items: four standard errors of a kappa of 0.5 are then about 0.05, those of a correlation of 0.7 0.04."""


def test_kappa_of_the_model_is_recovered_from_answers() -> None:
    readers = SimulatedReader(1), SimulatedReader(2)
    first, second = ([reader.meaning(str(i), d).label for i, d in enumerate(DAMAGES)] for reader in readers)
    known = expected_kappa(DAMAGES).value
    assert known
    assert 0.3 < known < 0.8
    assert cohen_kappa(first, second, MEANING_LABELS, draws=10).value == pytest.approx(known, abs=0.05)


def suspicions(judgements: int) -> dict[int, list[int]]:
    """Every item has annotators of its own, as the model's ceiling supposes."""
    return {
        i: [SimulatedReader(judgements * i + j).suspicion(str(i), severity) for j in range(judgements)]
        for i, severity in enumerate(SEVERITIES)
    }


@pytest.mark.parametrize("label", ["median", "mean"])
def test_the_ceiling_of_the_model_is_recovered_from_answers(label: Label) -> None:
    scores = suspicions(3)
    known = noise_ceiling(SEVERITIES, judgements=3, label=label).value
    assert known
    assert 0.6 < known < 0.9
    assert ceiling.noise_ceiling(scores, label=label, seed=0, draws=10).value == pytest.approx(known, abs=0.04)
    labels = [np.median(s) if label == "median" else np.mean(s) for s in scores.values()]
    true = severity_correlation(SEVERITIES, judgements=3, label=label).value
    assert true
    assert true <= known
    assert np.corrcoef(SEVERITIES, labels)[0, 1] == pytest.approx(true, abs=0.04)


def test_preferences_follow_severity_and_side() -> None:
    chosen = [SimulatedReader(3).preference(str(i), 2.0, 2.5) for i in range(2000)]
    assert chosen.count("left") / 2000 == pytest.approx(left_preferred(2.0, 2.5), abs=0.045)
    fair = ReaderModel(side_bias=0.0)
    assert left_preferred(2.0, 2.0, fair) == 0.5
    assert left_preferred(2.0, 3.0, fair) == pytest.approx(1 - left_preferred(3.0, 2.0, fair))
    assert left_preferred(2.0, 2.0) > 0.5


def test_answers_do_not_depend_on_their_order_or_on_a_restart() -> None:
    items = [(str(i), d) for i, d in enumerate(DAMAGES[:30])]
    reader = SimulatedReader(7)
    forward = {item: (reader.meaning(item, d), reader.suspicion(item, d)) for item, d in items}
    again = SimulatedReader(7)
    assert {item: (again.meaning(item, d), again.suspicion(item, d)) for item, d in reversed(items)} == forward
    assert [SimulatedReader(8).suspicion(item, d) for item, d in items] != [v[1] for v in forward.values()]


def test_confidence_is_lower_near_a_cut() -> None:
    reader = SimulatedReader(4, ReaderModel(meaning_noise=1e-9))
    near, far = reader.meaning("a", 0.8001), reader.meaning("a", -2.0)
    assert ((near.label, near.confidence), (far.label, far.confidence)) == (("change", 1), ("preserve", 5))


def test_annotators_differ_by_a_bias_of_their_own() -> None:
    biases = np.array([SimulatedReader(seed).bias for seed in range(1500)])
    assert biases.mean() == pytest.approx(0, abs=0.05)
    assert biases.std() == pytest.approx(ReaderModel().suspicion_bias, abs=0.04)
    readers = [SimulatedReader(seed, ReaderModel(suspicion_bias=2.0)) for seed in range(40)]
    means = [np.mean([reader.suspicion(str(i), 3.0) for i in range(40)]) for reader in readers]
    assert np.corrcoef(means, [reader.bias for reader in readers])[0, 1] > 0.9


def test_what_the_model_cannot_tell_has_a_reason() -> None:
    codes = [
        estimate.reason and estimate.reason.code
        for estimate in (
            expected_kappa([]),
            expected_kappa([-100.0]),
            noise_ceiling([], judgements=3, label="mean"),
            noise_ceiling([2.0, 2.0], judgements=3, label="median"),
            severity_correlation([2.0, 2.0], judgements=3, label="median"),
        )
    ]
    assert codes == ["empty", "one_label", "empty", "all_equal", "all_equal"]


@pytest.mark.parametrize(
    "wrong",
    [{"meaning_noise": 0.0}, {"suspicion_bias": -1.0}, {"change_from": 2.0}, {"suspicion_cuts": (1.0, 3.0, 2.0, 4.0)}],
)
def test_impossible_parameters_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ScoringError):
        ReaderModel(**wrong)  # type: ignore[arg-type]


def test_damage_and_severity_rise_with_every_edit() -> None:
    assert damage_of(1.0, 1.0, 0) == 0.0
    assert damage_of(0.9, 0.9, 1) < min(damage_of(0.8, 0.9, 1), damage_of(0.9, 0.8, 1), damage_of(0.9, 0.9, 2))
    assert severity_of(1.0, 0, 10) == pytest.approx(1.7)
    assert severity_of(0.9, 1, 10) < min(severity_of(0.8, 1, 10), severity_of(0.9, 2, 10)) < 4.7
    for wrong in (1.1, -0.1):
        with pytest.raises(ScoringError):
            severity_of(wrong, 1, 10)
