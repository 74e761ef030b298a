"""The reference of attacks tells of every attacker, status and command."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from pathlib import Path

from attacks.attackers import ATTACKERS
from attacks.commands import add_resources
from attacks.constraints.wanted import WANTED
from attacks.engine import STATUSES

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
TEXT = (REFERENCE / "attacks.md").read_text("utf-8")
CONSTRAINTS = (REFERENCE / "constraints.md").read_text("utf-8")


def first_cells(heading: str) -> list[str]:
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n#")[0]
    return [cell for cell in re.findall(r"^\| ([^|]+) \|", section, re.MULTILINE) if cell not in ("---",)][1:]


def test_every_attacker_is_told_with_its_unit() -> None:
    told = {cell.strip("`") for cell in first_cells("Attackers")}
    assert told == set(ATTACKERS)
    for name, attacker in ATTACKERS.items():
        assert f"| `{name}` | {attacker.unit} |" in TEXT


def test_every_parameter_is_told_with_its_attackers_and_defaults() -> None:
    used: dict[str, list[str]] = {}
    for name, attacker in ATTACKERS.items():
        for parameter, default in attacker.parameters().items():
            said = str(default).lower() if isinstance(default, bool) else str(default)
            used.setdefault(parameter, []).append(f"`{name}` {said}".strip())
    section = TEXT.split("\n### Parameters\n")[1].split("\n#")[0]
    told = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", section, re.MULTILINE)
    assert told == [(parameter, ", ".join(used[parameter])) for parameter in sorted(used)]


def test_every_resource_is_told() -> None:
    parser = ArgumentParser(add_help=False)
    add_resources(parser)
    section = TEXT.split("\n### What they draw on\n")[1].split("\n#")[0]
    told = re.findall(r"^\| `(--[\w-]+) ", section, re.MULTILINE)
    assert sorted(told) == sorted(action.option_strings[0] for action in parser._actions)


def test_every_constraint_is_told() -> None:
    told = re.findall(r"`(--[\w-]+)", "".join(re.findall(r"^\| [^|]+ \|", CONSTRAINTS, re.MULTILINE)))
    assert sorted(told) == sorted(f"--{name.replace('_', '-')}" for name in WANTED)


def test_every_status_is_told() -> None:
    assert first_cells("How an attack ends") == list(STATUSES)
