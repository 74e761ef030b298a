"""Answering the victim questions of many examples in batched calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from attacks.engine.asks import Query, Verify
from attacks.engine.ledger import BudgetSpent, Key, key_of
from attacks.engine.walk import Walk
from attacks.errors import AttackError
from attacks.text import Text
from attacks.victims.victim import Victim

CHARACTERS_PER_CALL = 2_000_000  # bounds what a call holds in memory when texts are very long

Sent = tuple["_Question", Key, str]


class Calls:
    """Calls to a victim, as large as its memory allows.

    A call holds at most ``largest`` characters, counted as if all its texts were as long as the longest: networks pad them. A
    victim that raises MemoryError is asked half as much at a time from then on. The texts of a call that is cut go by length.
    """

    def __init__(self, victim: Victim, largest: int = CHARACTERS_PER_CALL) -> None:
        self.victim = victim
        self.largest = largest

    def send(self, batch: Sequence[Sent]) -> None:
        """Ask about the batch, and give every question its answers or its failure.

        A call that fails is made again for one question at a time, so that it costs only the examples whose texts fail.
        """
        for part in self._parts(batch):
            try:
                self._ask(part)
            except MemoryError as failure:
                self._halve(part, failure)
            except Exception:
                for question in dict.fromkeys(question for question, _, _ in part):
                    self._ask_again([sent for sent in part if sent[0] is question])

    def _ask_again(self, of_one_question: Sequence[Sent]) -> None:
        try:
            self._ask(of_one_question)
        except MemoryError as failure:
            self._halve(of_one_question, failure)
        except Exception as failure:
            of_one_question[0][0].walk.failure = failure

    def _halve(self, part: Sequence[Sent], failure: MemoryError) -> None:
        if len(part) == 1:
            part[0][0].walk.failure = failure
        else:
            self.largest = min(self.largest, _size(len(part), max(len(text) for _, _, text in part))) // 2
            self.send(part)

    def _parts(self, batch: Sequence[Sent]) -> Iterator[Sequence[Sent]]:
        if _size(len(batch), max(len(text) for _, _, text in batch)) <= self.largest:
            yield batch
            return
        part: list[Sent] = []
        for sent in sorted(batch, key=lambda sent: len(sent[2])):
            if part and _size(len(part) + 1, len(sent[2])) > self.largest:
                yield part
                part = []
            part.append(sent)
        yield part

    def _ask(self, part: Sequence[Sent]) -> None:
        answered = self.victim.predict_proba([text for _, _, text in part])
        probabilities = np.asarray(answered, dtype=np.float64)
        if probabilities.shape != (len(part), 2):
            raise AttackError(f"the victim answered {len(part)} texts with an array of shape {probabilities.shape}")
        for (question, key, _), row in zip(part, probabilities.tolist(), strict=True):
            question.fresh[key] = row
        for i in np.flatnonzero(~np.isfinite(probabilities).all(axis=1)).tolist():
            question, key, text = part[i]
            del question.fresh[key]
            question.walk.failure = AttackError(f"the victim's answer to {text[:60]!r} is not a number")


def _size(texts: int, longest: int) -> int:
    return texts * max(longest, 1)


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
        known = {} if verifying else ledger.answers
        awaited: set[Key] = set()
        for text in texts:
            string = text.text
            key = key_of(string)
            self.keys.append(key)
            if key not in known and key not in awaited:
                awaited.add(key)
                yield self, key, string

    def answer(self) -> None:
        self.walk.ledger.sent += len(self.fresh)
        self.walk.resume(None if self.walk.failure is not None else self._probabilities())

    def _probabilities(self) -> np.ndarray:
        known = self.walk.ledger.answers
        if isinstance(self.walk.ask, Verify):
            key = self.keys[0]
            known.setdefault(key, self.fresh[key])
            return np.array(self.fresh[key])
        known.update(self.fresh)
        return np.array([known[key] for key in self.keys], dtype=np.float64).reshape(-1, 2)


def answer_queries(walks: Sequence[Walk], calls: Calls) -> None:
    """Answer every walk that asks the victim. New texts go out in as few calls as their length allows."""
    questions = [_Question(walk) for walk in walks]
    for batch in _batches(questions):
        calls.send(batch)
    for question in questions:
        question.answer()


def _batches(questions: Sequence[_Question]) -> Iterator[list[Sent]]:
    """What to send, never more at a time than may be held: long texts are made as they are sent."""
    batch: list[Sent] = []
    size = 0
    for question in questions:
        for sent in question.new_texts():
            batch.append(sent)
            size += len(sent[2])
            if size >= CHARACTERS_PER_CALL:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch
