"""The engine: many searches in lock step, one batched call per step."""

from __future__ import annotations

from attacks.engine.asks import Admit, Admitted, Attacker, Consult, Goal, Query, Search, Source
from attacks.engine.checkpoint import Checkpoint
from attacks.engine.lockstep import Progress, run_attack
from attacks.engine.outcome import STATUSES, Example, Outcome, Queries, Status

__all__ = [
    "STATUSES",
    "Admit",
    "Admitted",
    "Attacker",
    "Checkpoint",
    "Consult",
    "Example",
    "Goal",
    "Outcome",
    "Progress",
    "Queries",
    "Query",
    "Search",
    "Source",
    "Status",
    "run_attack",
]
