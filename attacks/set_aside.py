"""Successes that look too good to be true: a text altered by an attack that a model takes for much less altered than the
original was. They are a sign that the model is being fooled, so they are counted apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from attacks.constraints.suspicion import SuspicionAtMost, SuspicionModel, predicted
from attacks.engine.outcome import Outcome

MARGIN = 0.2
Suspicion = Mapping[int, tuple[float, float]]
"""The predicted suspicion of successes by id: the original's, the adversarial text's."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """Successes kept and set aside, and their predicted suspicion."""

    kept: list[Outcome]
    set_aside: list[Outcome]
    suspicion: Suspicion


def set_aside(outcomes: Iterable[Outcome], suspicion: Suspicion, margin: float = MARGIN) -> SetAside:
    """Set aside the successes whose predicted suspicion is more than ``margin`` below their original's own."""
    successes = [outcome for outcome in outcomes if outcome.succeeded]
    fooled = {id for id, (before, after) in suspicion.items() if before - after > margin + 1e-9}
    return SetAside(
        kept=[success for success in successes if success.id not in fooled],
        set_aside=[success for success in successes if success.id in fooled],
        suspicion=suspicion,
    )


def suspicion_of(outcomes: Iterable[Outcome], model: SuspicionModel, header: Mapping[str, Any]) -> Suspicion:
    """The predicted suspicion of the successes of a run; asks the model only where the run did not."""
    successes = [outcome for outcome in outcomes if outcome.succeeded]
    known = suspicion_known(successes) if model.sha256 == model_sha256(header) else {}
    new = [success for success in successes if success.id not in known]
    before = predicted(model, [success.original for success in new]).tolist()
    after = predicted(model, [success.adversarial or "" for success in new]).tolist()
    found = known | {success.id: (b, a) for success, b, a in zip(new, before, after, strict=True)}
    return {success.id: found[success.id] for success in successes}


def suspicion_known(outcomes: Iterable[Outcome]) -> dict[int, tuple[float, float]]:
    """The predicted suspicion of those successes that carry it, because the run had a suspicion constraint."""
    paths = ((outcome.id, outcome.constraint_scores.get(SuspicionAtMost.name, [None])) for outcome in outcomes)
    ends = ((id, path[0], path[-1]) for id, path in paths)
    return {id: (before, after) for id, before, after in ends if before is not None and after is not None}


def model_sha256(header: Mapping[str, Any]) -> str | None:
    """The hash of the model of a run's suspicion constraint; None if it had none."""
    constraints = header.get("constraints", ())
    return next((each["model_sha256"] for each in constraints if each["name"] == SuspicionAtMost.name), None)
