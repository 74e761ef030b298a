"""The reference of attacks tells of every attacker, status and command."""

from __future__ import annotations

import re
from pathlib import Path

from attacks.attackers import ATTACKERS
from attacks.engine import STATUSES

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "attacks.md").read_text("utf-8")


def first_cells(heading: str) -> list[str]:
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n#")[0]
    return [cell for cell in re.findall(r"^\| ([^|]+) \|", section, re.MULTILINE) if cell not in ("---",)][1:]


def test_every_attacker_is_told_with_its_unit() -> None:
    told = {cell.strip("`") for cell in first_cells("Attackers")}
    assert told == set(ATTACKERS)
    for name, attacker in ATTACKERS.items():
        assert f"| `{name}` | {attacker.unit} |" in TEXT


def test_every_status_is_told() -> None:
    assert first_cells("How an attack ends") == list(STATUSES)
