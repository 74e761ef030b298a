"""Running an attack on many examples in lock step.

A window of examples is under way at any time. In every step each of them asks one question; all questions to the victim
are answered in one call, all questions to the constraints and to each source likewise. An example has its own random
generator, cache, counts and budget, so the outcome is the same for any window, order and restart.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from attacks.constraints.base import Constraint
from attacks.engine.admission import answer_admissions
from attacks.engine.asks import Admit, Attacker, Consult, Query, Verify
from attacks.engine.checkpoint import Checkpoint
from attacks.engine.consulting import answer_consultations
from attacks.engine.ledger import Ledger
from attacks.engine.life import live
from attacks.engine.outcome import Example, Outcome
from attacks.engine.queries import Calls, answer_queries
from attacks.engine.walk import Walk
from attacks.errors import AttackError
from attacks.victims.victim import Victim

Progress = Callable[[int, int, str], None]


def run_attack(
    examples: Iterable[Example],
    victim: Victim,
    attacker: Attacker,
    *,
    constraints: Sequence[Constraint] = (),
    targeted: bool = False,
    budget: int | None = None,
    seed: int = 0,
    window: int = 128,
    progress: Progress | None = None,
    checkpoint: Checkpoint | None = None,
) -> list[Outcome]:
    """Attack the examples; returns their outcomes, ordered by id.

    ``targeted``: only non-credible texts that the victim recognises are attacked, the others skipped; otherwise every
    text is, misclassified ones too, and the goal is to leave the victim's own answer. ``budget``: texts that may be
    asked per example, first prediction and verification included. ``constraints`` add to the attacker's own, and replace
    those of the same name. ``progress`` is called after every step; an exception from it ends the run, and what was
    finished stays in the ``checkpoint``, whose examples are not attacked again unless they ended in an error.
    """
    waiting = deque(sorted(examples, key=lambda example: example.id))
    wanted = [example.id for example in waiting]
    check_options(wanted, budget, window)
    ordered = in_order_of_cost(attacker, constraints)
    names = tuple(constraint.name for constraint in ordered)
    outcomes = _already_finished(checkpoint, waiting)
    waiting = deque(example for example in waiting if example.id not in outcomes)
    walks: list[Walk] = []
    calls = Calls(victim)
    try:
        while waiting or walks:
            while waiting and len(walks) < window:
                example = waiting.popleft()
                ledger = Ledger(example.text, budget, names)
                rng = generator_of(seed, example.id)
                walks.append(Walk(live(example, attacker, ledger, rng, targeted=targeted), ledger))
            _step(walks, calls, ordered)
            for outcome in (walk.outcome for walk in walks if walk.outcome is not None):
                outcomes[outcome.id] = outcome
                if checkpoint is not None:
                    checkpoint.append(outcome)
            walks = [walk for walk in walks if walk.outcome is None]
            if progress is not None:
                progress(len(outcomes), len(wanted), _message(attacker, outcomes))
    finally:
        for walk in walks:
            walk.life.close()
    return [outcomes[id] for id in wanted]


def in_order_of_cost(attacker: Attacker, constraints: Sequence[Constraint]) -> list[Constraint]:
    """The attacker's own constraints and the run's, which win where names are equal; cheap ones first."""
    for constraint in (*attacker.constraints, *constraints):
        if not isinstance(constraint, Constraint):
            raise AttackError(f"{constraint!r:.60} is no constraint; attacks.constraints.Constraint says what one has")
    names = [constraint.name for constraint in constraints]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise AttackError(f"constraint {repeated[0]} was given twice")
    own = [constraint for constraint in attacker.constraints if constraint.name not in names]
    return sorted([*own, *constraints], key=lambda constraint: (constraint.cost, constraint.name))


def generator_of(seed: int, id: int) -> np.random.Generator:
    """An example's own random generator. SHA-256, unlike Python's hash, is the same in every process."""
    return np.random.default_rng(int.from_bytes(hashlib.sha256(f"{seed} {id}".encode()).digest()[:16]))


def _step(walks: Sequence[Walk], calls: Calls, constraints: Sequence[Constraint]) -> None:
    # The victim last: a walk whose substitutes and candidates were just answered mostly asks it next, and one that waits for
    # company makes the calls larger.
    answer_consultations([walk for walk in walks if isinstance(walk.ask, Consult)])
    answer_admissions([walk for walk in walks if isinstance(walk.ask, Admit)], constraints)
    answer_queries([walk for walk in walks if isinstance(walk.ask, Query | Verify)], calls)


def check_options(ids: Sequence[int], budget: int | None, window: int) -> None:
    """Raises `AttackError` for what cannot be run."""
    if len(set(ids)) != len(ids):
        raise AttackError("two examples have the same id")
    if budget is not None and budget < 2:
        raise AttackError(f"a budget of {budget} leaves no room for first prediction and verification; give at least 2")
    if window < 1:
        raise AttackError(f"the window must hold at least one example, not {window}")


def _already_finished(checkpoint: Checkpoint | None, examples: Iterable[Example]) -> dict[int, Outcome]:
    if checkpoint is None:
        return {}
    texts = {example.id: example.text for example in examples}
    for id, outcome in checkpoint.finished.items():
        if texts.get(id) != outcome.original:
            raise AttackError(f"{checkpoint.path}: example {id} is of other texts; remove the file to start again")
    return {id: outcome for id, outcome in checkpoint.finished.items() if outcome.status != "error"}


def _message(attacker: Attacker, outcomes: dict[int, Outcome]) -> str:
    successes = sum(outcome.succeeded for outcome in outcomes.values())
    return f"{attacker.name}: {successes} of {len(outcomes)} attacked texts changed the victim's answer"
