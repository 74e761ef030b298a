"""``python -m attacks convert``: make a public corpus a task folder."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from attacks.commands import Commands, progress
from attacks.tasks.conversion import SEED as BODEGAS_SEED
from attacks.tasks.conversion import convert
from attacks.tasks.corpora import KINDS
from attacks.tasks.trimming import PIECES
from scoring.arguments import LIMIT, SEED


def add(commands: Commands) -> None:
    parser = commands.add_parser("convert", help="make a public corpus a task folder")
    parser.add_argument("task", choices=KINDS, help="; ".join(f"{kind.task}: {kind.layout}" for kind in KINDS.values()))
    parser.add_argument("source", type=Path, help="folder of the corpus, or of the task as the shared task released it")
    parser.add_argument("out", type=Path, help="folder for the task; a new one, or an empty one")
    parser.add_argument(
        "--pieces", type=LIMIT, default=PIECES, help="word pieces kept of each text to attack (default %(default)s; 0: all)"
    )
    parser.add_argument("--seed", type=SEED, default=BODEGAS_SEED, help="of the shuffling (default %(default)s, as BODEGA's)")
    parser.add_argument("--compat", choices=["bodega"], help="lose what BODEGA's own code loses of a text")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    card = convert(
        options.task, options.source, options.out, pieces=options.pieces, seed=options.seed, compat=options.compat,
        progress=progress(),
    )  # fmt: skip
    for split, found in card["splits"].items():
        print(f"{split:<8} {found['n']:>7} texts, {found['share']:.1%} non-credible")
    for remark, count in card["remarks"].items():
        print(f"{count} {remark}")
    print(f"task: {options.out}")
