"""``python -m attacks study``: the same attack without and with the suspicion constraint, at several limits."""

from __future__ import annotations

import csv
import json
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from attacks.commands import Commands, progress
from attacks.commands.setting import add_setting, setting_of
from attacks.results import write_atomically
from attacks.study import AtLimit, Pair, intervals, run_study
from scoring.arguments import Number
from scoring.wording import shown_circumstances, shown_value

REPORT, PAIRS = "study.json", "pairs-tau-{tau:g}.tsv"


def add(commands: Commands) -> None:
    parser = commands.add_parser("study", help="an attack without and with the suspicion constraint, at several limits")
    add_setting(parser, without=("tau", "margin", "observe"))
    parser.add_argument("--tau", type=Number(), nargs="+", required=True, help="the limits, a run each")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    taus = options.tau
    options.tau = None  # the setting has no limit of its own
    found = run_study(setting_of(options), taus, options.out, workers=options.workers, progress=progress())
    write_atomically(options.out / REPORT, json.dumps([each.as_dict() for each in found], indent=2, allow_nan=False) + "\n")
    for each in found:
        _write_pairs(options.out / PAIRS.format(tau=each.tau), each.worth_asking)
    print("\n\n".join(map(_told, found)), f"results: {options.out}", sep="\n\n")


def _write_pairs(path: Path, pairs: Sequence[Pair]) -> None:
    """The pairs to ask people about, a table that campaigns import."""
    columns = [field.name for field in fields(Pair)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, dialect="excel-tab", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([getattr(pair, name) for name in columns] for pair in pairs)


def _told(found: AtLimit) -> str:
    flow, sides = found.flow, (found.comparison.first, found.comparison.second)
    lines = [f"tau {found.tau:g}"]
    for name, title in (
        ("success", "success"),
        ("success_kept", "without set aside"),
        ("bodega", "BODEGA"),
        ("queries", "queries"),
    ):
        free, bound = (getattr(side, name) for side in sides)
        lines.append(f"  {title:<18} {shown_value(free)} without, {shown_value(bound)} with ({shown_circumstances(bound)})")
    lines.append(f"  over tau           {flow.over} without, {flow.lowered} of them lowered, {flow.kept} of these not set aside")
    lines.append(f"  share lowered      {shown_value(flow.share_lowered)} ({shown_circumstances(flow.share_lowered)})")
    lines += [
        f"  suspicion {interval:<8} {before} without, {after} with"
        for interval, before, after in zip(intervals(), found.before, found.after, strict=True)
        if before or after
    ]
    return "\n".join([*lines, f"  to ask people      {len(found.worth_asking)} pairs"])
