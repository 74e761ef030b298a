"""``python -m attacks list``: attackers and kinds of victims, and what is missing for them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from attacks.attackers import ATTACKERS
from attacks.commands import Commands, add_resources, resources_of
from attacks.resources import Resources
from attacks.victims.training import KINDS, parameters_of


def add(commands: Commands) -> None:
    parser = commands.add_parser("list", help="attackers and kinds of victims, and what is missing for them")
    add_resources(parser)
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    resources = Resources.at(**resources_of(options))
    for name, attacker in ATTACKERS.items():
        print(f"{name}  ({attacker.unit}; {attacker.source})")
        if parameters := attacker.parameters():
            print(f"    parameters: {_listed(parameters)}")
        for need in attacker.needs:
            print(f"    needs {need.name}: {need.missing(resources) or 'there'}")
    for kind in KINDS:
        print(f"victim {kind}\n    parameters: {_listed(parameters_of(kind))}")


def _listed(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in parameters.items())
