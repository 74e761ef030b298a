"""Attacks: tasks (data sets), victims, attackers, constraints and the engine that runs them.

A plain Python library: ``python -m attacks --help`` shows its command line.
"""

from __future__ import annotations

from attacks.errors import AttackError

__all__ = ["AttackError"]
