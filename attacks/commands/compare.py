"""``python -m attacks compare``: two runs side by side, by a suspicion model."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from attacks.commands import Commands, figure
from attacks.compare import compare
from attacks.results import read_run


def add(commands: Commands) -> None:
    parser = commands.add_parser("compare", help="two runs side by side, by a suspicion model")
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--suspicion", required=True, type=Path, metavar="MODEL")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.storage import load

    found = compare(read_run(options.first), read_run(options.second), load(options.suspicion))
    for name in ("success", "success_kept", "bodega", "queries", "suspicion"):
        print(f"{name:<14} {figure(getattr(found.first, name))}   {figure(getattr(found.second, name))}")
    print(f"{'set aside':<14} {found.first.set_aside}   {found.second.set_aside}")
    print(f"both succeed on {found.paired_first.n}: suspicion {figure(found.paired_first)}   {figure(found.paired_second)}")
    print(f"of these, {found.lowered} lowered, {found.equal} equal, {found.raised} raised")
    if found.tau is not None:
        print(f"{found.to_lower} of the first run's successes are above {found.tau}; {found.brought_under} brought under")
