"""Measurements of constraints as jobs leave them, without a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from annotation.models import LearnedModel, RobustnessMeasurement, User
from annotation.services.attacking import AttackWanted
from annotation.services.robustness import RobustnessWanted, record_measurement
from attacks.robustness.curve import accs_of_examples
from attacks.robustness.damage import Salad, Typo, describe
from attacks.robustness.measure import Robustness
from attacks.robustness.search import Spoiled

PLACES = ("harbour", "market", "bridge", "garden", "library", "council", "station", "museum")
TEXTS = [f"The {place} opens in the morning." for place in PLACES]
SCORES = (1.2, 1.7, 2.1, 2.4, 2.6, 3.5, 4.4)
"""What the constraint says of the spoiled texts; the last text is too short."""
THRESHOLDS = [1.5, 2.5, 5.0]


def wanted(
    *, constraints: Sequence[tuple[str, str]] = (("character", ""),), damages: int = 1, texts: int = 3
) -> RobustnessWanted:
    attack = AttackWanted(name="", task="ferries", victim="small", attacker="deepwordbug", parameters={}, texts=texts)
    return RobustnessWanted(name="first", attack=asdict(attack), constraints=constraints, damages=damages)


def suspicion() -> Robustness:
    """Of eight texts two, four and six are attacked with success at the thresholds; one, four and seven spoiled ones pass."""
    spoiled = [
        Spoiled(place, text, text.replace("opens", "opnes"), -score, ("typo",))
        for place, (text, score) in enumerate(zip(TEXTS, SCORES, strict=False))
    ]
    first = np.array([[place < 2, place < 4, place < 6] for place in range(8)])
    second = np.array([[place < len(SCORES) and SCORES[place] <= at for at in THRESHOLDS] for place in range(8)])
    return Robustness(
        name="suspicion",
        constraint={"name": "suspicion", "tau": 5.0, "model_sha256": "e" * 64},
        damages=describe([Salad(), Typo()]),
        thresholds=THRESHOLDS,
        first=first.mean(axis=0),
        second=second.mean(axis=0),
        accs=accs_of_examples(first, second),
        spoiled=[*spoiled, Spoiled(7, TEXTS[7])],
    )


def keep_measurement(
    name: str = "measured", *, by: User | None = None, learned: Sequence[LearnedModel] = ()
) -> RobustnessMeasurement:
    asked = {**wanted().attack, "damages": 1}
    constraints = [("suspicion", learned[0].name if learned else "readers")]
    return record_measurement(
        name=name,
        asked=asked,
        constraints=constraints,
        folder=Path("nowhere"),
        found=[suspicion()],
        learned=learned,
        by=by,
    )
