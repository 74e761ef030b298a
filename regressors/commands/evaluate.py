"""`python -m regressors evaluate`: a model's predictions beside judgements that it was not trained on."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from regressors.commands import Commands, add_data, print_evaluation, print_json, read_rows
from scoring.arguments import SEED


def add(commands: Commands) -> None:
    parser = commands.add_parser("evaluate", help="compare a model's predictions with judgements that it was not trained on")
    parser.add_argument("model", type=Path, metavar="MODEL")
    add_data(parser)
    parser.add_argument("--seed", type=SEED, default=0, help="of the intervals")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.evaluation import evaluate_model
    from regressors.storage import load

    trained = load(options.model)
    low, high = trained.card["data"]["scale"]
    evaluation = evaluate_model(trained, read_rows(options.data, options, low, high), seed=options.seed).as_dict()
    if options.json:
        print_json(evaluation | {"model": {"kind": trained.card["kind"], "sha256": trained.sha256}})
    else:
        print_evaluation(evaluation)
