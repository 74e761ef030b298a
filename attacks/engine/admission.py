"""Answering the constraint questions of many examples in batched calls, cheap constraints first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attacks.constraints.base import Constraint
from attacks.engine.asks import Admit, Admitted
from attacks.engine.ledger import Key, key_of
from attacks.engine.walk import Walk
from attacks.errors import AttackError

Candidate = tuple[Walk, Key, str]


def answer_admissions(walks: Sequence[Walk], constraints: Sequence[Constraint]) -> None:
    """Answer every walk that asks the constraints, which are given in order of cost.

    A costly constraint only sees what the cheaper ones let through, and no candidate of an example twice.
    """
    alive: list[Candidate] = []
    for walk in walks:
        if isinstance(walk.ask, Admit):
            alive += [(walk, key_of(text.text), text.text) for text in walk.ask.candidates]
    for constraint in constraints:
        _check(constraint, alive)
        alive = [
            (walk, key, text) for walk, key, text in alive if walk.failure is None and walk.ledger.checks[constraint.name][key][1]
        ]
    for walk in walks:
        walk.resume(None if walk.failure is not None else _admitted(walk))


def _admitted(walk: Walk) -> list[Admitted]:
    checks = walk.ledger.checks
    if not isinstance(walk.ask, Admit):
        raise TypeError(walk.ask)
    admitted = []
    for text in walk.ask.candidates:
        if walk.ledger.admitted(text.text):
            key = key_of(text.text)
            admitted.append(Admitted(text, {name: known[key][0] for name, known in checks.items()}))
    return admitted


def _check(constraint: Constraint, candidates: Sequence[Candidate]) -> None:
    new = {(walk, key): text for walk, key, text in candidates if key not in walk.ledger.checks[constraint.name]}
    pending = [(walk, key, text) for (walk, key), text in new.items()]
    if not pending:
        return
    try:
        _score(constraint, pending)
    except Exception:
        for walk in dict.fromkeys(walk for walk, _, _ in pending):
            try:
                _score(constraint, [candidate for candidate in pending if candidate[0] is walk])
            except Exception as failure:
                walk.failure = failure


def _score(constraint: Constraint, pending: Sequence[Candidate]) -> None:
    originals = [walk.ledger.original for walk, _, _ in pending]
    scores, verdicts = constraint.check_pairs(originals, [text for _, _, text in pending])
    if len(scores) != len(pending) or len(verdicts) != len(pending):
        raise AttackError(f"constraint {constraint.name} answered {len(pending)} candidates with {len(scores)} scores")
    for (walk, key, text), score, verdict in zip(pending, scores, verdicts, strict=True):
        if np.isfinite(score):
            walk.ledger.checks[constraint.name][key] = (float(score), bool(verdict))
        else:
            walk.failure = AttackError(f"constraint {constraint.name}: its score of {text[:60]!r} is not a number")
