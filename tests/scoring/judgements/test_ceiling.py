from __future__ import annotations

import numpy as np
import pytest

from scoring.judgements.ceiling import LATENT_GRID, icc, latent_probabilities, noise_ceiling, spearman_brown
from scoring.judgements.label_distribution import Label
from scoring.result import ScoringError


def test_the_published_reliability_gives_the_published_ceiling() -> None:
    """Tonni, Faustini and Dras 2024, their full data: r = 0.135 between two people, so 0.32 for three, ceiling 0.56."""
    assert spearman_brown(0.135, 3) == pytest.approx(0.319, abs=5e-4)
    assert np.sqrt(spearman_brown(0.135, 3)) == pytest.approx(0.565, abs=5e-4)


def test_icc_of_shrout_and_fleiss() -> None:
    """Shrout and Fleiss 1979, Table 2: six targets, four judges, ICC(1,1) = 0.17."""
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = noise_ceiling(dict(enumerate(table)), label="mean", seed=0)
    within = [float(np.var(row) * 4) for row in table]
    sums = np.sum([[1, 4, 16, sum(r), sum(r) ** 2 / 4, w] for r, w in zip(table, within, strict=True)], axis=0)
    assert icc(sums[None])[0] == pytest.approx(0.166, abs=5e-4)
    assert found.value == pytest.approx(np.sqrt(0.4428), abs=5e-4)
    assert (found.n, found.left_out) == (6, {})


def cut(values: np.ndarray) -> np.ndarray:
    return np.digitize(values, [1.5, 2.5, 3.5, 4.5]) + 1


def drawn(items: int, judgements: int, rng: np.random.Generator) -> tuple[dict[int, list[int]], np.ndarray]:
    """Judgements of items with a known latent value, and the mean score of each value (by a long average)."""
    latent = rng.normal(2.6, 0.8, size=items)
    scores = cut(latent[:, None] + rng.normal(0, 1.1, size=(items, judgements)))
    return {i: row.tolist() for i, row in enumerate(scores)}, latent


@pytest.mark.parametrize(("label", "judgements"), [("mean", 3), ("median", 3), ("median", 4), ("mean", 1)])
def test_it_is_the_best_correlation_that_a_model_could_reach(label: Label, judgements: int) -> None:
    """The best possible model knows the item's latent value, and so the label that is to be expected."""
    rng = np.random.default_rng(3)
    scores, latent = drawn(4000, judgements, rng)
    labels = [np.median(s) if label == "median" else np.mean(s) for s in scores.values()]
    grid = np.linspace(-1, 6, 60)
    long = cut(grid[:, None, None] + rng.normal(0, 1.1, size=(60, 800, judgements)))
    expected = (np.median if label == "median" else np.mean)(long, axis=2).mean(axis=1)
    best = np.corrcoef(labels, np.interp(latent, grid, expected))[0, 1]
    repeated = drawn(4000, 3, np.random.default_rng(4))[0]
    found = noise_ceiling(repeated, label=label, seed=0, judgements=judgements, draws=200)
    assert found.value == pytest.approx(best, abs=0.03)
    assert found.interval
    assert found.interval.low < best < found.interval.high


@pytest.mark.parametrize("part", [0.005, 0.3, 0.9])
def test_the_latent_model_gives_each_score_its_frequency(part: float) -> None:
    frequency = np.array([0.5, 0.1, 0.15, 0.25])
    normal = np.exp(-(LATENT_GRID**2) / 2)
    found = normal @ latent_probabilities(frequency, part) / normal.sum()
    np.testing.assert_allclose(found, frequency, atol=1e-5)


def test_items_judged_once_lower_the_ceiling_of_their_labels() -> None:
    scores, _ = drawn(300, 3, np.random.default_rng(5))
    once = scores | {1000 + i: [1 + i % 5] for i in range(300)}
    for label in ("mean", "median"):
        three, mixed, one = (
            noise_ceiling(scores, label=label, seed=0).value,  # type: ignore[arg-type]
            noise_ceiling(once, label=label, seed=0).value,  # type: ignore[arg-type]
            noise_ceiling(once, label=label, seed=0, judgements=1).value,  # type: ignore[arg-type]
        )
        assert three
        assert mixed
        assert one
        assert three > mixed > one
    assert noise_ceiling(once, label="mean", seed=0).left_out == {"judged once": 300}


def test_an_interval_is_seeded_and_resamples_originals() -> None:
    scores, _ = drawn(60, 3, np.random.default_rng(6))
    found = noise_ceiling(scores, label="median", seed=9, cluster_of={i: i // 2 for i in scores})
    assert found.interval
    assert found.interval.method == "percentile bootstrap, 1000 draws of 30 clusters, seed 9"
    assert found == noise_ceiling(scores, label="median", seed=9, cluster_of={i: i // 2 for i in scores})


def test_no_agreement_is_a_ceiling_of_nought() -> None:
    for label in ("mean", "median"):
        found = noise_ceiling({i: [1, 5] for i in range(10)}, label=label, seed=0)  # type: ignore[arg-type]
        assert found.value == 0.0


def test_full_agreement_is_a_ceiling_of_one() -> None:
    for label in ("mean", "median"):
        found = noise_ceiling({i: [1 + i % 5] * 3 for i in range(10)}, label=label, seed=0)  # type: ignore[arg-type]
        assert found.value == pytest.approx(1.0)


@pytest.mark.parametrize("label", ["mean", "median"])
@pytest.mark.parametrize(
    ("scores", "code"),
    [
        ({}, "not_repeated"),
        ({"a": [1], "b": [2], "c": []}, "not_repeated"),
        ({"a": [1, 2], "b": [2]}, "one_item"),
        ({"a": [3, 3], "b": [3, 3]}, "all_equal"),
    ],
)
def test_what_tells_nothing_has_a_reason(scores: dict[str, list[int]], code: str, label: Label) -> None:
    found = noise_ceiling(scores, label=label, seed=0)
    assert (found.value, found.reason and found.reason.code) == (None, code)


def test_an_unknown_label_is_refused() -> None:
    with pytest.raises(ScoringError, match="'mode'"):
        noise_ceiling({}, label="mode", seed=0)  # type: ignore[arg-type]
