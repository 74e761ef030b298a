"""Answering the victim questions of many examples in batched calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

import numpy as np

from attacks.engine.asks import Query, Verify
from attacks.engine.ledger import BudgetSpent, Key, key_of
from attacks.engine.walk import Walk
from attacks.errors import AttackError
from attacks.text import Text
from attacks.victims.victim import Victim

_CHARACTERS_PER_CALL = 2_000_000  # bounds what a call holds in memory when texts are very long

Sent = tuple["_Question", Key, str]


class _Question:
    """One walk's question: the texts' keys in order, and the answers that are not from the cache."""

    __slots__ = ("fresh", "keys", "walk")

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.keys: list[Key] = []
        self.fresh: dict[Key, list[float]] = {}

    def new_texts(self) -> Iterator[Sent]:
        """Charge the question and go through the texts that must be sent."""
        ask, ledger = self.walk.ask, self.walk.ledger
        verifying = isinstance(ask, Verify)
        texts: Sequence[Text] = [ask.text] if isinstance(ask, Verify) else ask.texts if isinstance(ask, Query) else []
        try:
            ledger.charge(len(texts), verifying=verifying)
        except BudgetSpent as spent:
            self.walk.failure = spent
            return
        awaited: set[Key] = set()
        for text in texts:
            key = key_of(text.text)
            self.keys.append(key)
            if key not in awaited and (verifying or key not in ledger.answers):
                awaited.add(key)
                yield self, key, text.text

    def answer(self) -> None:
        self.walk.resume(None if self.walk.failure is not None else self._probabilities())

    def _probabilities(self) -> np.ndarray:
        known = self.walk.ledger.answers
        if isinstance(self.walk.ask, Verify):
            key = self.keys[0]
            known.setdefault(key, self.fresh[key])
            return np.array(self.fresh[key])
        known.update(self.fresh)
        return np.array([known[key] for key in self.keys], dtype=np.float64).reshape(-1, 2)


def answer_queries(walks: Sequence[Walk], victim: Victim) -> None:
    """Answer every walk that asks the victim. New texts go out in as few calls as their length allows.

    A failed call is made again for one example at a time, so that it costs only the examples whose texts fail.
    """
    questions = [_Question(walk) for walk in walks]
    for batch in _batches(questions):
        try:
            _send(batch, victim)
        except Exception:
            for question in dict.fromkeys(question for question, _, _ in batch):
                try:
                    _send([sent for sent in batch if sent[0] is question], victim)
                except Exception as failure:
                    question.walk.failure = failure
    for question in questions:
        question.answer()


def _batches(questions: Sequence[_Question]) -> Iterator[list[Sent]]:
    batch: list[Sent] = []
    size = 0
    for question in questions:
        for sent in question.new_texts():
            batch.append(sent)
            size += len(sent[2])
            if size >= _CHARACTERS_PER_CALL:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _send(batch: Sequence[Sent], victim: Victim) -> None:
    probabilities = np.asarray(victim.predict_proba([text for _, _, text in batch]), dtype=np.float64)
    if probabilities.shape != (len(batch), 2):
        raise AttackError(f"the victim answered {len(batch)} texts with an array of shape {probabilities.shape}")
    for (question, key, text), row in zip(batch, probabilities.tolist(), strict=True):
        if all(map(isfinite, row)):
            question.fresh[key] = row
            question.walk.ledger.sent += 1
        else:
            question.walk.failure = AttackError(f"the victim's answer to {text[:60]!r} is not a number")
