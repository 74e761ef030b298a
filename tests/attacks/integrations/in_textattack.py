"""Run by TextAttack's own environment: its DeepWordBug without the suspicion constraint, with one that only observes,
and with tau at the originals' highest suspicion. Prints the texts found.

Arguments: the model's folder, the interpreter that has Passable, a folder with nltk's stop words.
"""

from __future__ import annotations

import json
import random
import sys

import nltk
import numpy as np

model, python, words = sys.argv[1:]
nltk.data.path.insert(0, words)

import textattack  # noqa: E402 - it looks for the stop words when it is imported
from textattack.attack_recipes import DeepWordBugGao2018  # noqa: E402

from attacks.integrations.textattack import SuspicionConstraint  # noqa: E402

TEXTS = ["the council opened the bridge on a cold morning", "doctors warned of letters in the harbour at night"]


class Vowels(textattack.models.wrappers.ModelWrapper):
    """Answers by the share of vowels, which every edit changes a little."""

    model = None

    def __call__(self, texts: list[str]) -> np.ndarray:
        shares = np.array([sum(letter in "aeiou" for letter in text) / len(text) for text in texts])
        positive = 1 / (1 + np.exp(-200 * (shares - 0.28)))
        return np.column_stack([1 - positive, positive])


def attacked(tau: float | None) -> list[str | None]:
    # TextAttack draws from the generators that a whole process shares.
    random.seed(0)
    np.random.seed(0)
    attack = DeepWordBugGao2018.build(Vowels())
    if tau is not None:
        attack.constraints.append(SuspicionConstraint(model, tau, python=python))
    found = []
    for text in TEXTS:
        label = int(Vowels()([text])[0].argmax())
        result = attack.attack(text, label)
        succeeded = isinstance(result, textattack.attack_results.SuccessfulAttackResult)
        found.append(result.perturbed_text() if succeeded else None)
    return found


highest = float(SuspicionConstraint(model, python=python).limit.model.predict(TEXTS).max())
print(json.dumps({"texts": TEXTS, "free": attacked(None), "observed": attacked(np.inf), "bound": attacked(highest)}))
