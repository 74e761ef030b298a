"""Answering the constraint questions of many examples in batched calls, cheap constraints first."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from attacks.constraints.base import Constraint
from attacks.engine.asks import Admit, Admitted
from attacks.engine.ledger import Key, key_of
from attacks.engine.walk import Walk
from attacks.errors import AttackError
from attacks.text import Text

Candidate = tuple[Walk, Key, Text]


def answer_admissions(walks: Sequence[Walk], constraints: Sequence[Constraint]) -> None:
    """Answer every walk that asks the constraints, which are given in order of cost.

    A costly constraint only sees what the cheaper ones let through, and no candidate of an example twice.
    """
    alive: list[Candidate] = []
    for walk in walks:
        if isinstance(walk.ask, Admit):
            asked: list[Candidate] = [(walk, key_of(text.text), text) for text in walk.ask.candidates]
            waived = frozenset(each.name for each in constraints if any(each is other for other in walk.ask.waived))
            # As asked last: another part of an ensemble may come to the same text.
            walk.ledger.waived.update({key: waived for _, key, _ in asked if waived or key in walk.ledger.waived})
            alive += asked
    for constraint in constraints:
        name = constraint.name
        _check(constraint, alive)
        alive = [each for each in alive if each[0].failure is None and each[0].ledger.lets_through(name, each[1])]
    admitted: dict[Walk, list[Admitted]] = {walk: [] for walk in walks}
    for walk, key, text in alive:
        admitted[walk].append(Admitted(text, _scores(walk, key)))
    for walk, answer in admitted.items():
        walk.resume(None if walk.failure is not None else answer)


def _scores(walk: Walk, key: Key) -> dict[str, float]:
    return {name: known[key][0] for name, known in walk.ledger.checks.items() if not walk.ledger.is_waived(name, key)}


def _check(constraint: Constraint, candidates: Sequence[Candidate]) -> None:
    name = constraint.name
    new = {
        (walk, key): text.text
        for walk, key, text in candidates
        if key not in walk.ledger.checks[name] and not walk.ledger.is_waived(name, key)
    }
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


def _score(constraint: Constraint, pending: Sequence[tuple[Walk, Key, str]]) -> None:
    originals = [walk.ledger.original for walk, _, _ in pending]
    scores, verdicts = constraint.check_pairs(originals, [text for _, _, text in pending])
    if len(scores) != len(pending) or len(verdicts) != len(pending):
        raise AttackError(f"constraint {constraint.name} answered {len(pending)} candidates with {len(scores)} scores")
    found = zip(np.asarray(scores, dtype=np.float64).tolist(), np.asarray(verdicts, dtype=bool).tolist(), strict=True)
    for (walk, key, text), (score, verdict) in zip(pending, found, strict=True):
        if isfinite(score):
            walk.ledger.checks[constraint.name][key] = (score, verdict)
        else:
            walk.failure = AttackError(f"constraint {constraint.name}: its score of {text[:60]!r} is not a number")
