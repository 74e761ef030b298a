"""Constraints as settings say them: by the names of the command line's options, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attacks.constraints.base import Constraint
from attacks.constraints.meaning import MeaningAtLeast
from attacks.constraints.suspicion import SuspicionAtMost
from attacks.errors import AttackError

WANTED = {
    "suspicion": "folder of a suspicion model",
    "tau": "highest predicted suspicion allowed (default 2.5)",
    "meaning": "folder of a meaning model",
    "preserved": "lowest predicted chance of “preserved” allowed (default 0.5)",
}
"""What can be wanted, and what it means."""


def make_constraints(wanted: Mapping[str, Any]) -> list[Constraint]:
    """The constraints of some of `WANTED`; loads their models. AttackError for what is unknown or does not go together."""
    if unknown := sorted(wanted.keys() - WANTED.keys()):
        raise AttackError(f"unknown constraint {unknown[0]!r}; there are {', '.join(WANTED)}")
    if "tau" in wanted and "suspicion" not in wanted:
        raise AttackError("--tau needs --suspicion MODEL")
    if "preserved" in wanted and "meaning" not in wanted:
        raise AttackError("--preserved needs --meaning MODEL")
    constraints: list[Constraint] = []
    if "suspicion" in wanted:
        from regressors.storage import load

        constraints.append(SuspicionAtMost(load(Path(wanted["suspicion"])), wanted.get("tau", 2.5)))
    if "meaning" in wanted:
        from scoring.texts.meaning.trained import MeaningModel

        constraints.append(MeaningAtLeast(MeaningModel.load(Path(wanted["meaning"])), wanted.get("preserved", 0.5)))
    return constraints
