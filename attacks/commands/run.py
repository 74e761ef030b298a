"""``python -m attacks run``: attack a task's attack set; run again, it resumes."""

from __future__ import annotations

from argparse import Namespace

from attacks.bodega_files import export_run
from attacks.commands import Commands, progress
from attacks.commands.setting import add_setting, setting_of
from attacks.errors import AttackError
from attacks.results import Run
from attacks.shards import run_in_processes


def add(commands: Commands) -> None:
    parser = commands.add_parser("run", help="attack a task's attack set; run again, it resumes")
    add_setting(parser)
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    found = run_in_processes(setting_of(options), options.out, workers=options.workers, progress=progress())
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
    if aside := run.summary.get("set_aside"):
        kept = run.summary["success_kept"]["value"]
        lines.append(
            f"set aside  {aside['count']} of {run.summary['statuses']['success']} successes, whose predicted suspicion is more "
            f"than {aside['margin']} below their original's; success without them {'none' if kept is None else f'{kept:.4f}'}"
        )
    asked = run.summary["queries"]["asked"]["value"]
    lines.append(f"queries    {'none' if asked is None else f'{asked:.1f} per attacked text'}")
    checks = (f"{name} {found['value']:.1f}" for name, found in run.summary["constraint_checks"].items())
    return "\n".join([*lines, f"checks     {', '.join(checks)} per attacked text"] if run.summary["constraint_checks"] else lines)
