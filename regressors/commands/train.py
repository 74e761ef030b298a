"""`python -m regressors train`: a model from judgements, evaluated and saved."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from regressors.commands import Bar, Commands, add_data, add_label, print_evaluation, print_json, read_rows
from regressors.rows import check_scale
from scoring.arguments import MANY, SEED, Number
from scoring.commands import check_folder


def add(commands: Commands) -> None:
    parser = commands.add_parser("train", help="train a model on judgements and evaluate it")
    add_data(parser)
    add_label(parser)
    parser.add_argument("--model", metavar="NAME", default="text+num", help="default: text+num; see docs/reference/models.md")
    parser.add_argument("--seed", type=SEED, default=0)
    parser.add_argument("--repeats", type=MANY, metavar="N", help="of the cross-validation (default: 5; Transformers: 1)")
    parser.add_argument("--device", metavar="NAME", help="torch's device for training a Transformer, such as cuda (default: cpu)")
    parser.add_argument("--smart", type=Number(0, 1_000), metavar="WEIGHT", help="train a Transformer with SMART's regularisers")
    parser.add_argument("--jobs", type=MANY, default=1, metavar="N", help="threads; changes the time only")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="the new model's folder")
    parser.add_argument("--json", action="store_true", help="print the model's card as JSON")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.storage import save
    from regressors.training import train

    check_folder(options.out)
    low, high = options.scale
    check_scale(low, high)
    rows = read_rows(options.data, options, low, high)
    with Bar() as bar:
        trained = train(
            rows,
            model=options.model,
            seed=options.seed,
            progress=bar,
            label=options.label,
            scale=(low, high),
            repeats=options.repeats,
            n_jobs=options.jobs,
            device=options.device,
            smart=options.smart,
        )
    saved = save(trained, options.out)
    if options.json:
        print_json(saved.card | {"sha256": saved.sha256})
        return
    data = saved.card["data"]
    print(
        f"{data['texts']} texts, {data['judgements']} judgements, {data['originals']} originals ({data['grouping']}); "
        f"label: {data['label']}"
    )
    print_evaluation(saved.card["evaluation"])
    print(f"Saved to {options.out}, SHA-256 {saved.sha256}")
