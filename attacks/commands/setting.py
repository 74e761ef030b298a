"""The setting of an attack on the command line, as `run`, `study` and `robustness` take it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from pathlib import Path

from attacks.attackers import ATTACKERS
from attacks.commands import add_constraints, add_resources, constraints_of, resources_of, settings_of
from attacks.settings import RunSettings
from scoring.arguments import MANY, SEED
from scoring.texts.alignment import TASKS as SEGMENTATIONS


def add_setting(parser: ArgumentParser, *, without: Collection[str] = ()) -> None:
    """Task, victim, attacker, scenario, resources and constraints, except those constraints ``without`` which it goes."""
    parser.add_argument("--task-dir", required=True, type=Path, help="folder with train.tsv, dev.tsv and attack.tsv")
    parser.add_argument("--victim", required=True, type=Path, help="victim folder, or a JSON file of one at an address")
    parser.add_argument("--attacker", required=True, help="a name that `list` shows")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the attacker")
    parser.add_argument("--targeted", action="store_true", help="attack only non-credible texts that the victim recognises")
    parser.add_argument("--budget", type=MANY, help="texts that may be asked per example (default: no limit)")
    parser.add_argument("--texts", type=MANY, help="attack only the first so many texts")
    parser.add_argument("--seed", type=SEED, default=0)
    parser.add_argument("--semantic", default="encoder", metavar="SCORER", help="encoder, none, bleurt:PATH or bertscore:PATH")
    parser.add_argument(
        "--segmentation",
        choices=SEGMENTATIONS,
        help="the task whose way of cutting sentences applies (default: the task's own, HN for others than BODEGA's)",
    )
    parser.add_argument("--workers", type=MANY, default=1, help="processes that share the work")
    parser.add_argument("--out", required=True, type=Path, help="folder for the results")
    add_constraints(parser, without=without)
    add_resources(parser)


def setting_of(options: Namespace) -> RunSettings:
    """What the options of `add_setting` say."""
    known = dict(ATTACKERS[options.attacker].parameters()) if options.attacker in ATTACKERS else {}
    return RunSettings(
        task_dir=str(options.task_dir),
        victim=str(options.victim),
        attacker=options.attacker,
        parameters=settings_of(options.set, known),
        resources=resources_of(options),
        constraints=constraints_of(options),
        targeted=options.targeted,
        budget=options.budget,
        seed=options.seed,
        texts=options.texts,
        semantic=options.semantic,
        segmentation=options.segmentation,
    )
