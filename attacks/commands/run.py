"""``python -m attacks run``: attack a task's attack set; run again, it resumes."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from attacks.attackers import ATTACKERS
from attacks.bodega_files import export_run
from attacks.commands import Commands, add_constraints, add_resources, constraints_of, progress, resources_of, settings_of
from attacks.errors import AttackError
from attacks.results import Run
from attacks.runs import attack_task
from attacks.settings import RunSettings
from attacks.shards import run_in_processes
from scoring.arguments import MANY, SEED
from scoring.texts.alignment import TASKS as SEGMENTATIONS


def add(commands: Commands) -> None:
    parser = commands.add_parser("run", help="attack a task's attack set; run again, it resumes")
    parser.add_argument("--task-dir", required=True, type=Path, help="folder with train.tsv, dev.tsv and attack.tsv")
    parser.add_argument("--victim", required=True, type=Path, help="victim folder, written by train-victim")
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
    add_constraints(parser)
    add_resources(parser)
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    known = dict(ATTACKERS[options.attacker].parameters()) if options.attacker in ATTACKERS else {}
    settings = RunSettings(
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
    if options.workers == 1:
        found = attack_task(settings.load(), options.out, progress=progress())
    else:
        found = run_in_processes(settings, options.out, workers=options.workers, progress=progress())
    export_run(options.out, options.out)
    print(summary_of(found), f"results: {options.out}", sep="\n")
    errors = found.summary["statuses"]["error"]
    if errors and errors == found.summary["examples"]:
        raise AttackError(f"all {errors} examples ended in an error, the first: {next(iter(found.summary['errors']))}")


def summary_of(run: Run) -> str:
    """A run's figures for a terminal."""
    lines = [", ".join(f"{count} {status}" for status, count in run.summary["statuses"].items() if count)]
    for name in ("success", "semantic", "character", "bodega"):
        stored = run.summary[name]
        value = stored["reason"]["message"] if stored["value"] is None else f"{stored['value']:.4f}"
        interval = stored["interval"] and f" ({stored['interval']['low']:.4f} to {stored['interval']['high']:.4f})"
        lines.append(f"{name:<10} {value}{interval or ''}, n = {stored['n']}")
    lines[2] += f", by {run.summary['semantic_scorer']['name']}" if run.summary["semantic_scorer"] else ""
    asked = run.summary["queries"]["asked"]["value"]
    return "\n".join([*lines, f"queries    {'none' if asked is None else f'{asked:.1f} per attacked text'}"])
