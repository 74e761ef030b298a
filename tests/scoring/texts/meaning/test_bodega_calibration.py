from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from scoring.texts.meaning.bodega_calibration import calibrate, fit, sorted_components
from scoring.texts.meaning.model import DecidedPairs, Floats


def drawn(size: int = 300, seed: int = 0) -> tuple[list[tuple[str, str]], np.ndarray, Floats]:
    """People look at the semantic score alone, and accept it from about 0.6; the character score is noise."""
    rng = np.random.default_rng(seed)
    components = np.column_stack([np.ones(size), rng.uniform(0.2, 1, size), rng.uniform(0.2, 1, size)])
    preserved = components[:, 1] + rng.normal(0, 0.05, size) > 0.6
    return [(f"original {number // 3}", f"text {number}") for number in range(size)], preserved, components


def test_the_component_that_people_go_by_gets_the_weight_and_the_threshold() -> None:
    _, preserved, components = drawn()
    fitted = fit(components, preserved)
    confusion, semantic, character = fitted.weights
    assert (confusion, semantic > 10 * character) == (0, True)
    assert fitted.thresholds[0] == 0
    assert fitted.thresholds[1] == pytest.approx(0.6, abs=0.05)
    assert fitted.thresholds[2] < 0.3
    np.testing.assert_array_equal(fitted.accepts(components), (components >= fitted.thresholds).all(axis=1))
    assert spearmanr(fitted.score(components), components[:, 1]).statistic > 0.98


def test_stands_beside_the_plain_score_and_keeps_originals_apart() -> None:
    pairs, preserved, components = drawn()
    found = calibrate(*sorted_components(pairs, preserved.tolist(), components))
    assert (found["pairs"], found["originals"], found["weights"]["confusion"]) == (300, 100, None)
    assert found["auc_calibrated"]["value"] > 0.97 > 0.9 > found["auc_plain"]["value"]
    better = found["accepted_rightly_calibrated"]["value"] - found["accepted_rightly_plain"]["value"]
    assert better > 0.1


def test_nothing_is_found_where_decisions_are_by_chance() -> None:
    pairs, _, components = drawn()
    chance = np.random.default_rng(5).random(300) < 0.5
    found = calibrate(*sorted_components(pairs, chance.tolist(), components))
    for name in ("auc_calibrated", "accepted_rightly_calibrated"):
        assert found[name]["value"] == pytest.approx(0.5, abs=0.1)


def test_the_order_of_the_rows_does_not_matter() -> None:
    pairs, preserved, components = drawn(120)
    turned = sorted_components(pairs[::-1], preserved[::-1].tolist(), components[::-1])
    assert calibrate(*turned) == calibrate(*sorted_components(pairs, preserved.tolist(), components))


@pytest.mark.parametrize(
    ("preserved", "originals", "code"),
    [
        ([True] * 40, 40, "one_class"),
        ([True] * 30 + [False] * 10, 40, "too_few_decisions"),
        ([True, False] * 20, 4, "too_few_originals"),
    ],
)
def test_why_a_task_is_not_calibrated(preserved: list[bool], originals: int, code: str) -> None:
    data = DecidedPairs.of([(f"original {number % originals}", f"text {number}") for number in range(40)], preserved)
    found = calibrate(data, np.full((40, 3), 0.5))
    assert (found["weights"], found["auc_calibrated"]["reason"]["code"]) == (None, code)
    assert found["accepted_rightly_plain"]["value"] is None
