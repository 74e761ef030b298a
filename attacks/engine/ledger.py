"""The engine's book on one example: answers known, questions counted, budget kept."""

from __future__ import annotations

import hashlib

from attacks.engine.outcome import Queries

Key = str | bytes


class BudgetSpent(Exception):
    """The next question would exceed the example's budget."""


def key_of(text: str) -> Key:
    """What stands for a text in caches: itself, or a digest where keeping thousands of it would fill the memory."""
    return text if len(text) <= 500 else hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Ledger:
    """Kept per example, so that counts and answers do not depend on which examples ran beside it.

    ``answers`` maps texts to the victim's two probabilities, ``checks`` constraints and texts to score and verdict.
    ``waived`` names, for texts that need not meet every constraint, those that they need not.
    ``budget`` bounds the texts asked; one is always kept back for the verification.
    """

    def __init__(self, original: str, budget: int | None, constraints: tuple[str, ...]) -> None:
        self.original = original
        self.budget = budget
        self.asked = 0
        self.sent = 0
        self.answers: dict[Key, list[float]] = {}
        self.waived: dict[Key, frozenset[str]] = {}
        self.checks: dict[str, dict[Key, tuple[float, bool]]] = {name: {} for name in constraints}

    def charge(self, texts: int, *, verifying: bool = False) -> None:
        """Count texts about to be asked; raises `BudgetSpent`, and counts nothing, if they are too many."""
        kept_back = 0 if verifying else 1
        if self.budget is not None and self.asked + texts + kept_back > self.budget:
            raise BudgetSpent
        self.asked += texts

    @property
    def queries(self) -> Queries:
        return Queries(self.asked, len(self.answers), self.sent)

    @property
    def constraint_checks(self) -> dict[str, int]:
        original = key_of(self.original)
        return {name: len(known) - (original in known) for name, known in self.checks.items()}

    def admitted(self, text: str) -> bool:
        key = key_of(text)
        return all(self.lets_through(name, key) for name in self.checks)

    def lets_through(self, constraint: str, key: Key) -> bool:
        """Whether a text is known to meet a constraint, or need not."""
        return self.checks[constraint].get(key, (0.0, False))[1] or self.is_waived(constraint, key)

    def is_waived(self, constraint: str, key: Key) -> bool:
        return constraint in self.waived.get(key, ())

    def scores_along(self, path: list[str]) -> dict[str, list[float | None]]:
        """The constraints' scores of every text of a path, None where a constraint was not asked."""
        keys = [key_of(text) for text in path]
        return {name: [known[key][0] if key in known else None for key in keys] for name, known in self.checks.items()}
