"""`python -m regressors compare`: kinds of models, feature groups and variants against each other."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any, Final

from regressors.commands import Commands, add_data, add_label, print_json, read_rows, shown
from regressors.rows import check_scale
from scoring.arguments import MANY, SEED

_SHOWN: Final = {"r": "Pearson r", "share_of_ceiling": "share of ceiling", "spearman": "Spearman", "rmse": "RMSE"}


def add(commands: Commands) -> None:
    parser = commands.add_parser("compare", help="compare models, feature groups and variants by grouped cross-validation")
    add_data(parser)
    add_label(parser)
    parser.add_argument("--test", type=Path, metavar="TEST", help="a table with the same columns that nothing is chosen by")
    parser.add_argument("--models", type=_names, metavar="NAME,NAME", help="default: those that take seconds for a fold")
    parser.add_argument("--baseline", metavar="NAME", help="what every model is compared with (default: boosting)")
    parser.add_argument("--groups", type=_names, metavar="NAME,NAME", help="feature groups, each left out and each alone")
    parser.add_argument("--learner", metavar="NAME", help="what learns from the feature groups (default: xgboost)")
    parser.add_argument("--transfer", metavar="NAME", help="the model that is trained on single variants (default: text+num)")
    parser.add_argument("--repeats", type=MANY, metavar="N", help="of the cross-validation (default: 10)")
    parser.add_argument("--folds", type=MANY, metavar="N", help="default: 5")
    parser.add_argument("--seed", type=SEED, default=0)
    parser.add_argument("--jobs", dest="n_jobs", type=MANY, default=1, metavar="N", help="threads; changes the time only")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="of an unfinished comparison too, which goes on")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.comparison.files import write_report
    from regressors.comparison.report import compare
    from regressors.comparison.settings import Settings

    low, high = options.scale
    check_scale(low, high)
    fields = ("models", "baseline", "groups", "learner", "transfer", "repeats", "folds", "seed", "n_jobs")
    given = {field: getattr(options, field) for field in fields}
    report = compare(
        read_rows(options.data, options, low, high),
        options.out,
        Settings(**{field: value for field, value in given.items() if value is not None}),
        test=read_rows(options.test, options, low, high) if options.test else None,
        label=options.label,
        scale=(low, high),
        progress=_tell,
    )
    write_report(report, options.out)
    if options.json:
        print_json(report)
    else:
        print("\n".join(_lines(report)))
        print(f"All of it, and tables, in {options.out}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


_names.__name__ = "list of names"


def _tell(done: int, total: int, message: str) -> None:
    print(f"{done}/{total} {message}", file=sys.stderr, flush=True)


def _lines(report: dict[str, Any]) -> list[str]:
    """The report for reading: r, Spearman, RMSE and the difference from the baseline, then ablation and transfer."""
    data = report["data"]
    lines = [f"{data['texts']} texts, {data['judgements']} judgements, {data['originals']} originals ({data['grouping']})"]
    lines += ["", "Cross-validation", *_models(report["models"], report["settings"]["baseline"])]
    lines += [f"  chosen by r: {report['selected'] or 'none'}"]
    if report["test"]:
        lines += ["", "Test data", *_models(report["test"]["models"], report["settings"]["baseline"])]
    lines += ["", f"Feature groups, by {report['settings']['learner']}"]
    for entry in report["ablation"]:
        lines += [f"  {entry['set']:24} r {shown(entry['r'])}"]
    if report["transfer"]:
        lines += ["", f"Trained on one variant, tested on each, by {report['settings']['transfer']}"]
    for entry in report["transfer"]:
        lines += [f"  {entry['trained_on']} -> {entry['tested_on']}: r {shown(entry['r'])}"]
    return lines


def _models(entries: list[dict[str, Any]], baseline: str) -> list[str]:
    lines = [
        f"  noise ceiling {shown(entries[0]['noise_ceiling'])}",
        f"  RMSE of a constant {shown(entries[0]['rmse_constant'])}",
    ]
    for entry in entries:
        lines += [f"  {entry['model']}"]
        lines += [f"    {name:20}{shown(entry[key])}" for key, name in _SHOWN.items()]
        if spread := entry["protocol"]["r_spread"]:
            name, repeats = "r of repetitions", len(entry["protocol"]["r_by_repeat"])
            lines += [f"    {name:20}{spread['least']:.3f} to {spread['greatest']:.3f}  in {repeats}"]
        if entry["model"] != baseline:
            name = f"r less {baseline}'s"
            lines += [f"    {name:20}{shown(entry['difference_from_baseline'])}"]
    return lines
