"""An example under way, as the engine sees it between two questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from attacks.engine.asks import Admit, Ask, Consult, Query, Verify
from attacks.engine.ledger import Ledger
from attacks.engine.life import Life
from attacks.engine.outcome import Outcome
from attacks.errors import AttackError

ASKS: Final = (Query, Admit, Consult, Verify)


@dataclass(slots=True, eq=False)
class Walk:
    """A life, its ledger and what it asks now. ``failure`` stands in the way of an answer; ``outcome`` ends the walk."""

    life: Life
    ledger: Ledger
    ask: Ask = field(init=False)
    failure: Exception | None = None
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        self.ask = next(self.life)

    def resume(self, answer: object) -> None:
        """Hand over the answer, or the failure instead, and take the next ask or the outcome."""
        failure, self.failure = self.failure, None
        try:
            ask = self.life.send(answer) if failure is None else self.life.throw(failure)
            while not isinstance(ask, ASKS):
                ask = self.life.throw(AttackError(f"the attacker asked for {ask!r}, which is no Query, Admit or Consult"))
            self.ask = ask
        except StopIteration as finished:
            self.outcome = finished.value
