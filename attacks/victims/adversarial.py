"""Adversarial training: a victim is attacked on its own training set, and trained anew on that and on what misled it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attacks.engine.asks import Attacker
from attacks.engine.checkpoint import Checkpoint
from attacks.engine.lockstep import run_attack
from attacks.engine.outcome import Example
from attacks.errors import AttackError
from attacks.tasks.layout import Row
from attacks.victims.training import Hardening
from attacks.victims.victim import Progress, Victim

SOURCE = (
    "Jin et al. 2020 (TextFooler), adversarial training: examples that mislead on the training set are added, then trained anew"
)


@dataclass(frozen=True)
class TrainingSetAttack:
    """The adversary of adversarial training, as Jin et al. (AAAI 2020) have it in their section of that name.

    ``texts`` of the training set are drawn, those that the victim gets right are attacked by ``attacker``, and each success
    becomes a further row with the label of its original. ``budget`` is the most texts that may be asked for one of them.
    BODEGA's "surprise" victims are RoBERTa made robust by adversarial training; how theirs were made is not published.
    """

    attacker: Attacker
    texts: int = 1_000
    budget: int | None = None

    def describe(self) -> dict[str, Any]:
        return {"source": SOURCE, "attacker": self.attacker.describe(), "texts": self.texts, "budget": self.budget}

    def __call__(self, victim: Victim, rows: Sequence[Row], *, seed: int, kept: Path, progress: Progress | None) -> Hardening:
        """Raises `AttackError` if nothing misleads the victim. An attack that was stopped goes on where it was."""
        drawn = np.random.default_rng(seed).permutation(len(rows))[: self.texts]
        predicted = victim.predict_proba([rows[i].text for i in drawn]).argmax(axis=1)
        right = [int(i) for i, label in zip(drawn, predicted, strict=True) if label == rows[i].label]
        examples = [Example(i, rows[i].text, rows[i].label) for i in right]
        kept.parent.mkdir(parents=True, exist_ok=True)
        with Checkpoint(kept) as checkpoint:
            outcomes = run_attack(
                examples, victim, self.attacker, budget=self.budget, seed=seed, progress=progress, checkpoint=checkpoint
            )
        added = [
            Row(outcome.label, f"{self.attacker.name} against training text {outcome.id}", outcome.adversarial)
            for outcome in outcomes
            if outcome.adversarial is not None
        ]
        if not added:
            told = next((f" ({outcome.message})" for outcome in outcomes if outcome.message), "")
            raise AttackError(
                f"{self.attacker.name} misled the victim on none of {len(examples)} training texts, so there is nothing to add"
                f"{told}"
            )
        statuses = Counter(outcome.status for outcome in outcomes)
        return Hardening(added, {**self.describe(), "attacked": len(examples), "statuses": dict(sorted(statuses.items()))})
