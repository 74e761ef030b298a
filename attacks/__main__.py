"""``python -m attacks``: train victims, run attacks, list attackers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from attacks.attackers import ATTACKERS, make_attacker
from attacks.compare import compare
from attacks.constraints import Constraint, MeaningAtLeast, SuspicionAtMost
from attacks.errors import AttackError
from attacks.results import Run, read_run
from attacks.runs import attack_task
from attacks.tasks.layout import read_task
from attacks.victims.training import KINDS, load_victim, parameters_of, train_victim
from regressors.errors import RegressorError
from scoring.arguments import MANY, SEED, Number
from scoring.result import Estimate, ScoringError


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except (AttackError, RegressorError, ScoringError, OSError) as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it stopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m attacks", description="Attacks on text classifiers.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="attack a task's attack set; run again, it resumes")
    run.set_defaults(command=_run)
    run.add_argument("--task-dir", required=True, type=Path, help="folder with train.tsv, dev.tsv and attack.tsv")
    run.add_argument("--victim", required=True, type=Path, help="victim folder, written by train-victim")
    run.add_argument("--attacker", required=True, help=f"one of {', '.join(ATTACKERS)}")
    run.add_argument("--targeted", action="store_true", help="attack only non-credible texts that the victim recognises")
    run.add_argument("--suspicion", type=Path, metavar="MODEL", help="folder of a suspicion model, used as a constraint")
    run.add_argument("--tau", type=Number(), help="highest predicted suspicion allowed (default 2.5)")
    run.add_argument("--meaning", type=Path, metavar="MODEL", help="folder of a meaning model, used as a constraint")
    run.add_argument(
        "--preserved", type=Number(0, 1), metavar="P", help="lowest predicted chance of “preserved” allowed (default 0.5)"
    )
    run.add_argument("--budget", type=MANY, help="texts that may be asked per example (default: no limit)")
    run.add_argument("--texts", type=MANY, help="attack only the first so many texts")
    run.add_argument("--seed", type=SEED, default=0)
    run.add_argument("--out", required=True, type=Path, help="folder for the results")

    train = commands.add_parser("train-victim", help="train a victim on a task and write its folder")
    train.set_defaults(command=_train_victim)
    train.add_argument("--task-dir", required=True, type=Path)
    train.add_argument("--kind", required=True, help=f"one of {', '.join(KINDS)}")
    train.add_argument("--out", required=True, type=Path, help="folder for the victim")
    train.add_argument("--epochs", type=MANY, help="passes over the training set (bilstm)")
    train.add_argument("--seed", type=SEED, default=0)
    train.add_argument("--force", action="store_true", help="keep the victim even if it is at chance")

    side = commands.add_parser("compare", help="two runs side by side, by a suspicion model")
    side.set_defaults(command=_compare)
    side.add_argument("first", type=Path)
    side.add_argument("second", type=Path)
    side.add_argument("--suspicion", required=True, type=Path, metavar="MODEL")

    listing = commands.add_parser("list", help="attackers and kinds of victims, and what is missing for them")
    listing.set_defaults(command=_list)
    return parser


def _run(options: argparse.Namespace) -> int:
    if options.tau is not None and options.suspicion is None:
        raise AttackError("--tau needs --suspicion MODEL")
    if options.preserved is not None and options.meaning is None:
        raise AttackError("--preserved needs --meaning MODEL")
    task = read_task(options.task_dir)
    attacker = make_attacker(options.attacker)
    victim = load_victim(options.victim)
    constraints: list[Constraint] = []
    if options.suspicion is not None:
        from regressors.storage import load

        constraints.append(SuspicionAtMost(load(options.suspicion), 2.5 if options.tau is None else options.tau))
    if options.meaning is not None:
        from scoring.texts.meaning.trained import MeaningModel

        constraints.append(
            MeaningAtLeast(MeaningModel.load(options.meaning), 0.5 if options.preserved is None else options.preserved)
        )
    run = attack_task(
        task, victim, attacker, options.out, constraints=constraints, targeted=options.targeted, budget=options.budget,
        seed=options.seed, texts=options.texts, progress=_progress(),
    )  # fmt: skip
    print(_summary(run), f"results: {options.out}", sep="\n")
    errors = run.summary["statuses"]["error"]
    if errors and errors == run.summary["examples"]:
        raise AttackError(f"all {errors} examples ended in an error, the first: {next(iter(run.summary['errors']))}")
    return 0


def _summary(run: Run) -> str:
    lines = [", ".join(f"{count} {status}" for status, count in run.summary["statuses"].items() if count)]
    for name in ("success", "semantic", "character", "bodega"):
        stored = run.summary[name]
        value = stored["reason"]["message"] if stored["value"] is None else f"{stored['value']:.4f}"
        interval = stored["interval"] and f" ({stored['interval']['low']:.4f} to {stored['interval']['high']:.4f})"
        lines.append(f"{name:<10} {value}{interval or ''}, n = {stored['n']}")
    lines[2] += f", by {run.summary['semantic_scorer']['name']}"
    asked = run.summary["queries"]["asked"]["value"]
    return "\n".join([*lines, f"queries    {'none' if asked is None else f'{asked:.1f} per attacked text'}"])


def _train_victim(options: argparse.Namespace) -> int:
    given = {} if options.epochs is None else {"epochs": options.epochs}
    task = read_task(options.task_dir)
    train_victim(task, options.kind, options.out, seed=options.seed, force=options.force, progress=_progress(), **given)
    from scoring.model_folder import read_model_folder

    found = read_model_folder(options.out).card["results"]
    print(f"accuracy {found['accuracy']:.4f}, F1 {found['f1']:.4f} on {found['n']} development texts: {options.out}")
    return 0


def _compare(options: argparse.Namespace) -> int:
    from regressors.storage import load

    found = compare(read_run(options.first), read_run(options.second), load(options.suspicion))
    for name in ("success", "success_kept", "bodega", "queries", "suspicion"):
        print(f"{name:<14} {_figure(getattr(found.first, name))}   {_figure(getattr(found.second, name))}")
    print(f"{'set aside':<14} {found.first.set_aside}   {found.second.set_aside}")
    print(f"both succeed on {found.paired_first.n}: suspicion {_figure(found.paired_first)}   {_figure(found.paired_second)}")
    print(f"of these, {found.lowered} lowered, {found.equal} equal, {found.raised} raised")
    if found.tau is not None:
        print(f"{found.to_lower} of the first run's successes are above {found.tau}; {found.brought_under} brought under")
    return 0


def _figure(estimate: Estimate) -> str:
    return f"{estimate.value:.4f} (n = {estimate.n})" if estimate.value is not None else "none (n = 0)"


def _list(options: argparse.Namespace) -> int:
    for name, attacker in ATTACKERS.items():
        package = attacker.missing()
        state = f"missing: pip install {package}" if package else "ready"
        print(f"attacker  {name:<12} {attacker.unit:<11} {attacker.source}; {state}")
    for kind in KINDS:
        parameters = ", ".join(f"{name}={value}" for name, value in parameters_of(kind).items())
        print(f"victim    {kind:<12} {parameters}")
    return 0


def _progress() -> Callable[[int, int, str], None]:
    """Shows progress on standard error: one line that changes on a terminal, else a line whenever something changed."""
    last = ""

    def show(done: int, total: int, message: str) -> None:
        nonlocal last
        line = f"{done} of {total}  {message}"
        if line != last and sys.stderr.isatty():
            print(f"\r\x1b[K{line}", end="\n" if done == total else "", file=sys.stderr, flush=True)
        elif line != last:
            print(line, file=sys.stderr)
        last = line

    return show


if __name__ == "__main__":
    sys.exit(main())
