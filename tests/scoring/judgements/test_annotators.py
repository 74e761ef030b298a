from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from scoring.judgements.annotators import Answer, bias_by_annotator, confidence_and_correctness
from scoring.result import ScoringError

LABELS = ["low", "mid", "high"]


def test_bias_is_against_the_others_on_the_same_item() -> None:
    units = [{"x": "high", "y": "low", "z": "mid"}, {"x": "high", "y": "high"}, {"x": "low"}, {"w": "mid"}]
    found = bias_by_annotator(units, LABELS)
    assert list(found) == ["x", "y", "z", "w"]
    x = found["x"]
    assert (x.n, x.value.value, x.value.left_out) == (2, pytest.approx((1.5 + 0) / 2), {"judged by nobody else": 1})
    assert x.labels == pytest.approx({"low": -0.25, "mid": -0.25, "high": 0.5})
    assert found["y"].value.value == pytest.approx((-1.5 + 0) / 2)
    assert (found["w"].value.reason and found["w"].value.reason.code, found["w"].n) == ("no_common_item", 0)


def test_bias_uses_the_labels_values_and_resamples_clusters() -> None:
    units = [{"x": LABELS[i % 3], "y": LABELS[(i + i // 3) % 3]} for i in range(12)]
    found = bias_by_annotator(units, LABELS, values=[1, 2, 10], clusters=[i // 2 for i in range(12)])
    assert found["x"].value.value == pytest.approx(-(found["y"].value.value or 0.0))
    assert found["x"].value.interval
    assert "6 clusters" in found["x"].value.interval.method
    with pytest.raises(ScoringError, match="'huh' is not one of"):
        bias_by_annotator([{"x": "huh"}], LABELS)


def test_leans_that_cancel_out_are_nothing_at_all() -> None:
    """Seven judge three items, so that the means of the others are sevenths and sixths."""
    rows = ("1321231", "2133123", "3212312")
    units = [{person: LABELS[int(label) - 1] for person, label in zip("abcdefg", row, strict=True)} for row in rows]
    found = bias_by_annotator(units, LABELS, values=[1, 2, 3])
    assert found["a"].value.value == 0.0
    leans = [lean for bias in found.values() for lean in (bias.value.value or 0.0, *bias.labels.values())]
    assert [lean for lean in leans if 0 < abs(lean) < 1e-9] == []


def test_right_is_what_the_known_answer_says_or_most_others() -> None:
    answers: dict[str, list[Answer]] = {
        "a": [("p", 5), ("p", 4), ("c", 1)],
        "b": [("p", 3), ("c", 3)],
        "c": [("p", None), ("p", 2)],
        "d": [("p", 5)],
    }
    by_others = confidence_and_correctness(answers)
    # In "a" the third faces two who agree; the first two face a tie. In "b" each is contradicted by the other.
    assert {level: (found.value, found.n) for level, found in by_others.levels.items()} == {1: (0, 1), 2: (1, 1), 3: (0, 2)}
    assert by_others.discrimination.left_out == {"no answer to compare with": 3, "without confidence": 1}
    known = confidence_and_correctness(answers, {"a": "p", "b": "c"})
    assert {level: found.value for level, found in known.levels.items()} == {1: 0.0, 3: 0.5, 4: 1.0, 5: 1.0}


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([1, 2, 3, 4, 5]), st.booleans()), min_size=2, max_size=30))
def test_discrimination_is_the_area_under_the_curve(judged: list[tuple[int, bool]]) -> None:
    assume(len({right for _, right in judged}) == 2)
    answers: dict[int, list[Answer]] = {i: [("p" if right else "c", sure)] for i, (sure, right) in enumerate(judged)}
    found = confidence_and_correctness(answers, dict.fromkeys(answers, "p")).discrimination
    assert found.value == pytest.approx(roc_auc_score([right for _, right in judged], [sure for sure, _ in judged]))


def test_confidence_that_tells_nothing_apart_has_a_reason() -> None:
    for answers, code in (({}, "empty"), ({1: [("p", 2)], 2: [("p", 3)]}, "one_kind")):
        found = confidence_and_correctness(answers, {1: "p", 2: "p"}).discrimination  # type: ignore[arg-type]
        assert found.reason and found.reason.code == code


def test_the_interval_of_discrimination_is_over_clusters() -> None:
    rng = np.random.default_rng(0)
    answers: dict[int, list[Answer]] = {i: [("p" if rng.random() < 0.6 else "c", int(rng.integers(1, 6)))] for i in range(40)}
    found = confidence_and_correctness(answers, dict.fromkeys(answers, "p"), cluster_of={i: i // 4 for i in answers})
    assert found.discrimination.interval
    assert "10 clusters" in found.discrimination.interval.method


def test_bias_does_not_hang_on_the_unit_of_the_values() -> None:
    units = [{"x": LABELS[i % 3], "y": LABELS[(i + i // 3) % 3]} for i in range(12)]
    small, large = (bias_by_annotator(units, LABELS, values=[unit, 2 * unit, 9 * unit])["x"].value for unit in (1e-20, 1e20))
    assert small.interval and large.interval
    assert (1e40 * small.interval.low, 1e40 * small.interval.high) == pytest.approx((large.interval.low, large.interval.high))
