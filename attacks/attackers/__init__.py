"""Attackers by name. Each module states its algorithm's variant and source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attacks.attackers.deepwordbug import DeepWordBug
from attacks.attackers.textfooler import TextFooler
from attacks.engine.asks import Attacker
from attacks.errors import AttackError

ATTACKERS: Mapping[str, type[DeepWordBug] | type[TextFooler]] = {"deepwordbug": DeepWordBug, "textfooler": TextFooler}


def make_attacker(name: str, **parameters: Any) -> Attacker:
    """An attacker by name. Raises `AttackError` for an unknown name, and says what to install if something is missing."""
    if name not in ATTACKERS:
        raise AttackError(f"unknown attacker {name!r}; there are {', '.join(ATTACKERS)}")
    if package := ATTACKERS[name].missing():
        raise AttackError(f"attacker {name} needs the package {package}; install it with: pip install {package}")
    return ATTACKERS[name](**parameters)


__all__ = ["ATTACKERS", "DeepWordBug", "TextFooler", "make_attacker"]
