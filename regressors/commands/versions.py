"""`python -m regressors versions`: versions of a model side by side on judgements that none of them has seen."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from regressors.commands import Commands, add_data, print_json, read_rows, shown
from regressors.errors import RegressorError
from scoring.arguments import SEED

_SHOWN = {
    "r": "Pearson r",
    "spearman": "Spearman",
    "mae": "mean absolute error",
    "r_gain": "change of r",
    "error_change": "change of error",
    "p_corrected": "p of error, Holm",
}


def add(commands: Commands) -> None:
    parser = commands.add_parser("versions", help="compare versions of a model on judgements that none has seen")
    add_data(parser)
    parser.add_argument("--models", required=True, nargs="+", type=Path, metavar="MODEL", help="the oldest first")
    parser.add_argument("--seed", type=SEED, default=0, help="of the intervals")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.storage import load
    from regressors.versions import compare_versions

    names = [str(folder) for folder in options.models]
    if len(set(names)) < len(names):
        raise RegressorError("One of the models is named twice.")
    models = {name: load(folder) for name, folder in zip(names, options.models, strict=True)}
    low, high = next(iter(models.values())).card["data"]["scale"]
    found = compare_versions(models, read_rows(options.data, options, low, high), seed=options.seed).as_dict()
    if options.json:
        print_json(found)
        return
    data = found["data"]
    print(f"{data['texts']} texts, {data['judgements']} judgements, {data['originals']} originals ({data['grouping']})")
    for version in found["versions"]:
        print(version["name"])
        for key, name in _SHOWN.items():
            if version[key] is not None:
                print(f"  {name:20}{shown(version[key])}")
