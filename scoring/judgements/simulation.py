"""Simulated annotators: a latent model of people's answers whose agreement and noise ceiling are known.

The model is an invention for demonstrations and tests. It says nothing about people, and no figure made from it is
evidence. An item has a latent value (damage to the meaning, or severity of what looks odd); each annotator perceives it
with normal noise and answers by fixed cuts (Thurstone, "A law of comparative judgment", 1927). In comparisons the less
severe text wins with a chance that is logistic in the difference (Bradley and Terry, "Rank analysis of incomplete block
designs", 1952).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from typing import Final, Literal

import numpy as np
from scipy.special import expit, ndtr

from scoring.result import Estimate, Reason, ScoringError

from .agreement import kappa_of
from .bootstrap import Floats
from .decisions import Vote
from .label_distribution import Label, check_label, label_moments

MEANING_LABELS: Final = ("preserve", "change", "no_sense")
SUSPICION_POINTS: Final = (1, 2, 3, 4, 5)

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class ReaderModel:
    """The parameters of all simulated annotators.

    `change_from`, `no_sense_from`: damage as perceived from which the answer is "change", "no sense".
    `meaning_noise`: standard deviation of perceived damage. `confidence_scale`: distance from the nearest of these cuts
    at which confidence has made about two thirds of its way from 1 to 5.
    `suspicion_cuts`: perceived severity from which the answer is 2, 3, 4, 5.
    `suspicion_bias`: standard deviation between annotators; `suspicion_noise`: of one annotator from text to text.
    `preference_slope`: log odds per unit of difference in severity; `side_bias`: log odds in favour of the left side.
    """

    change_from: float = 0.8
    no_sense_from: float = 1.6
    meaning_noise: float = 0.35
    confidence_scale: float = 0.3
    suspicion_cuts: tuple[float, float, float, float] = (1.5, 2.5, 3.5, 4.5)
    suspicion_bias: float = 0.4
    suspicion_noise: float = 0.8
    preference_slope: float = 1.2
    side_bias: float = 0.15

    def __post_init__(self) -> None:
        if min(self.meaning_noise, self.confidence_scale, self.suspicion_noise) <= 0 or self.suspicion_bias < 0:
            raise ScoringError("The noise and the confidence scale of simulated annotators must be above 0.")
        cuts = self.suspicion_cuts
        if self.change_from >= self.no_sense_from or any(a >= b for a, b in pairwise(cuts)):
            raise ScoringError("The cuts of simulated annotators must rise.")


DEFAULT: Final = ReaderModel()


class SimulatedReader:
    """One simulated annotator. An answer depends on `seed`, the item's name and its latent values only, so it is the
    same in whatever order the items come, and after a restart."""

    def __init__(self, seed: int, model: ReaderModel = DEFAULT) -> None:
        self.seed = seed
        self.model = model
        self.bias = float(self._generator("bias", "").normal(0.0, 1.0)) * model.suspicion_bias

    def meaning(self, item: str, damage: float) -> Vote:
        """One of `MEANING_LABELS`, with a confidence of 1 to 5 that falls near a cut."""
        model = self.model
        perceived = damage + self._generator("meaning", item).normal(0.0, model.meaning_noise)
        cuts = (model.change_from, model.no_sense_from)
        label = MEANING_LABELS[sum(perceived >= cut for cut in cuts)]
        distance = min(abs(perceived - cut) for cut in cuts)
        return Vote(label, 1 + round(4 * (1 - exp(-distance / model.confidence_scale))))

    def suspicion(self, item: str, severity: float) -> int:
        """A score of 1 (surely written by a person) to 5 (surely altered by a computer)."""
        noise = self._generator("suspicion", item).normal(0.0, self.model.suspicion_noise)
        perceived = severity + self.bias + noise
        return SUSPICION_POINTS[sum(perceived >= cut for cut in self.model.suspicion_cuts)]

    def preference(self, item: str, left_severity: float, right_severity: float) -> Side:
        """The side that is taken for a person's."""
        chance = left_preferred(left_severity, right_severity, self.model)
        return "left" if self._generator("preference", item).random() < chance else "right"

    def _generator(self, question: str, item: str) -> np.random.Generator:
        digest = hashlib.sha256(f"{question}\n{item}".encode("utf-8", "surrogatepass")).digest()
        return np.random.default_rng([self.seed, *np.frombuffer(digest, dtype="<u4").tolist()])


def left_preferred(left_severity: float, right_severity: float, model: ReaderModel = DEFAULT) -> float:
    """The chance that the left text is taken for a person's."""
    return float(expit(model.preference_slope * (right_severity - left_severity) + model.side_bias))


def expected_kappa(damages: Sequence[float], model: ReaderModel = DEFAULT) -> Estimate:
    """Cohen's kappa of two of these annotators over items of the given damages, computed from the label
    probabilities: the value to which kappa tends as these items are judged by ever more pairs of annotators."""
    method = "Cohen's kappa of the simulation's model, by enumeration"
    if len(damages) == 0:
        return Estimate(None, Reason("empty", "There is no item."), 0, method)
    cuts = np.array([model.change_from, model.no_sense_from])
    labels = _cut_probabilities(np.asarray(damages, dtype=float), cuts, model.meaning_noise)
    joint = labels.T @ labels / len(labels)
    margins = np.concatenate([joint.sum(axis=1), joint.sum(axis=0), [1 - np.trace(joint)]])
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(kappa_of(margins[None])[0])
    if not np.isfinite(value):
        reason = Reason("one_label", "All items get one label for certain, so kappa is undefined.")
        return Estimate(None, reason, len(labels), method, labels_declared=MEANING_LABELS)
    return Estimate(value, None, len(labels), method, labels_declared=MEANING_LABELS)


def noise_ceiling(severities: Sequence[float], *, judgements: int, label: Label, model: ReaderModel = DEFAULT) -> Estimate:
    """The highest correlation that any score of the texts can have with labels from `judgements` different annotators
    each, over items of the given severities, computed from the score probabilities: the square root of the share of the
    labels' variance that is due to severity. It supposes that every item gets annotators of its own."""
    check_label(label)
    method = f"noise ceiling of the simulation's model for the {label} of {judgements}, by enumeration"
    first, second = _suspicion_moments(severities, judgements, label, model)
    if len(severities) == 0 or np.ptp(first) < 1e-12:
        return Estimate(None, _no_spread(severities), len(severities), method)
    return Estimate(float(np.sqrt(np.var(first) / _variance(first, second))), None, len(severities), method)


def severity_correlation(severities: Sequence[float], *, judgements: int, label: Label, model: ReaderModel = DEFAULT) -> Estimate:
    """As `noise_ceiling`, but the correlation of the labels with the true severity itself: a little lower, since answers
    are not linear in severity."""
    check_label(label)
    method = f"correlation of severity with the {label} of {judgements} in the simulation's model, by enumeration"
    first, second = _suspicion_moments(severities, judgements, label, model)
    if len(severities) == 0 or np.ptp(first) < 1e-12:
        return Estimate(None, _no_spread(severities), len(severities), method)
    true = np.asarray(severities, dtype=float)
    covariance = np.mean(true * first) - true.mean() * first.mean()
    return Estimate(float(covariance / np.sqrt(np.var(true) * _variance(first, second))), None, len(true), method)


def _suspicion_moments(severities: Sequence[float], judgements: int, label: Label, model: ReaderModel) -> tuple[Floats, Floats]:
    spread = float(np.hypot(model.suspicion_bias, model.suspicion_noise))
    scores = _cut_probabilities(np.asarray(severities, dtype=float), np.array(model.suspicion_cuts), spread)
    return label_moments(scores, np.array(SUSPICION_POINTS, dtype=float), judgements, label)


def _cut_probabilities(latent: Floats, cuts: Floats, noise: float) -> Floats:
    """The chance [n, k + 1] of each answer when a value plus normal noise is cut at k places."""
    below = ndtr((cuts[None, :] - latent[:, None]) / noise)
    result: Floats = np.diff(below, axis=1, prepend=0.0, append=1.0)
    return result


def _variance(first: Floats, second: Floats) -> float:
    return float(second.mean() - first.mean() ** 2)


def _no_spread(severities: Sequence[float]) -> Reason:
    if len(severities) == 0:
        return Reason("empty", "There is no item.")
    return Reason("all_equal", "All items are equally severe, so nothing can correlate with their labels.")


def damage_of(character_score: float, semantic_score: float, words_changed: int) -> float:
    """A damage for a real pair of texts: 0 for an unchanged one, rising with what was changed.

    Scores are 0 to 1 as in `scoring.texts`. Invented for demonstrations: nobody's answers were used to choose it.
    """
    _check_shares(character_score, semantic_score)
    return 1.5 * (1 - semantic_score) + 2.0 * (1 - character_score) + 0.12 * max(0, words_changed)


def severity_of(character_score: float, words_changed: int, words: int) -> float:
    """A severity for a real variant of a text of `words` words: 1.7 for the original itself, rising to at most 4.7.

    Invented for demonstrations: nobody's answers were used to choose it.
    """
    _check_shares(character_score)
    changed = min(1.0, max(0, words_changed) / max(1, words))
    return 1.7 + 3.0 * (1 - exp(-4.0 * changed - 3.0 * (1 - character_score)))


def _check_shares(*scores: float) -> None:
    for score in scores:
        if not 0 <= score <= 1:
            raise ScoringError(f"A score of {score} lies outside 0 to 1.")
