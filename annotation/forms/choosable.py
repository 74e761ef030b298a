"""The attackers that a form offers, and what those lack that it cannot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Choosable:
    """An attacker of the library: where it is from, its parameters with their defaults, what it draws on, and what of that is
    missing here."""

    name: str
    unit: str
    source: str
    settings: Mapping[str, Any]
    needs: list[str]
    missing: list[str]


def attackers() -> list[Choosable]:
    """All of them, those that can be chosen and those that cannot."""
    from attacks.attackers import ATTACKERS
    from attacks.resources import Resources

    here = Resources.at(**settings.ATTACK_RESOURCES)
    return [
        Choosable(
            name=name,
            unit=maker.unit,
            source=maker.source,
            settings=dict(maker.parameters()),
            needs=[need.name for need in maker.needs],
            missing=[f"{need.name}: {_as_setting(lacks)}" for need in maker.needs if (lacks := need.missing(here))],
        )
        for name, maker in ATTACKERS.items()
    ]


def _as_setting(lacks: str) -> str:
    """What is missing, with the server's settings in place of the options of the command line."""
    return re.sub(r"--([a-z-]+)( [A-Z|]+)?", lambda option: f"the setting ATTACK_{option[1].upper().replace('-', '_')}", lacks)
