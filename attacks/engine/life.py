"""The life of one example: first prediction, search, check of what was found. Itself a generator of asks."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np

from attacks.engine.asks import Admit, Ask, Attacker, Goal, Query, Verify
from attacks.engine.ledger import BudgetSpent, Ledger, key_of
from attacks.engine.outcome import Example, Outcome
from attacks.text import Text

Life = Generator[Ask, Any, Outcome]


def live(example: Example, attacker: Attacker, ledger: Ledger, rng: np.random.Generator, *, targeted: bool) -> Life:
    """Attack one example. Whatever goes wrong with it ends in its status and message, never in the run."""
    outcome = Outcome(example.id, example.text, example.label, "failed")
    try:
        initial = (yield Query([Text(example.text)]))[0]
        goal = Goal.away_from(initial)
        outcome = replace(outcome, predicted_before=goal.leave, scores_before=initial.tolist())
        if targeted and (example.label, goal.leave) != (1, 1):
            outcome = replace(outcome, status="skipped", message="targeted: not a non-credible text that is recognised")
        else:
            outcome = yield from _attack(outcome, attacker, goal, ledger, rng)
    except BudgetSpent:
        outcome = replace(outcome, status="budget", message=f"the budget of {ledger.budget} queries is spent")
    except Exception as error:
        outcome = replace(outcome, status="error", message=_one_line(error))
    return replace(outcome, queries=ledger.queries, constraint_checks=ledger.constraint_checks)


def _attack(outcome: Outcome, attacker: Attacker, goal: Goal, ledger: Ledger, rng: np.random.Generator) -> Life:
    original = Text(outcome.original)
    if not original.words:
        return replace(outcome, message="the text has no words")
    found = yield from attacker.search(original, goal, rng)
    if found is None:
        return outcome
    if not ledger.admitted(found.text):
        admitted = yield Admit([found])
        if not admitted:
            return replace(outcome, message="what the search found breaks a constraint")
    after = yield Verify(found)
    if not goal.reached(after[None])[0]:
        claimed = ledger.answers.get(key_of(found.text))
        if claimed is not None and goal.reached(np.array([claimed]))[0]:
            return replace(outcome, status="inconsistent", message="the victim changed its answer when asked again")
        return replace(outcome, message="what the search found does not change the victim's answer")
    yield Admit([original])  # so that the path's scores begin with the original's own
    return replace(
        outcome,
        status="success",
        adversarial=found.text,
        predicted_after=int(after.argmax()),
        scores_after=after.tolist(),
        constraint_scores=ledger.scores_along(_path(original, found)),
    )


def _path(original: Text, found: Text) -> list[str]:
    """The texts from the original to the one found, also where the search made that one from nothing."""
    path = [step.text for step in found.path()]
    return path if path[0] == original.text else [original.text, *path]


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
