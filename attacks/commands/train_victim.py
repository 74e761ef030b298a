"""``python -m attacks train-victim``: train a victim on a task and write its folder."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from attacks.commands import Commands, progress
from attacks.tasks.layout import read_task
from attacks.victims.training import KINDS, train_victim
from scoring.arguments import MANY, SEED
from scoring.model_folder import read_model_folder


def add(commands: Commands) -> None:
    parser = commands.add_parser("train-victim", help="train a victim on a task and write its folder")
    parser.add_argument("--task-dir", required=True, type=Path)
    parser.add_argument("--kind", required=True, help=f"one of {', '.join(KINDS)}")
    parser.add_argument("--out", required=True, type=Path, help="folder for the victim")
    parser.add_argument("--epochs", type=MANY, help="passes over the training set (bilstm)")
    parser.add_argument("--seed", type=SEED, default=0)
    parser.add_argument("--force", action="store_true", help="keep the victim even if it is at chance")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    given = {} if options.epochs is None else {"epochs": options.epochs}
    task = read_task(options.task_dir)
    train_victim(task, options.kind, options.out, seed=options.seed, force=options.force, progress=progress(), **given)
    found = read_model_folder(options.out).card["results"]
    print(f"accuracy {found['accuracy']:.4f}, F1 {found['f1']:.4f} on {found['n']} development texts: {options.out}")
