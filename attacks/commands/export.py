"""``python -m attacks export``: a finished run as BODEGA's files, to collect those of several runs."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from attacks.bodega_files import export_run
from attacks.commands import Commands


def add(commands: Commands) -> None:
    parser = commands.add_parser("export", help="write a finished run as BODEGA's files: results, raw and submission")
    parser.add_argument("folder", type=Path, help="folder of the run")
    parser.add_argument("out", type=Path, help="folder for the files; those of several runs go into one")
    parser.add_argument("--attacker", metavar="NAME", help="the attacker's name in the files' names (default: its own)")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    for path in export_run(options.folder, options.out, attacker=options.attacker):
        print(path)
