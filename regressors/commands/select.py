"""`python -m regressors select`: which texts of a table people should judge next, each with the probability it had."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from regressors.commands import Commands
from regressors.errors import RegressorError
from regressors.rows import check_text
from regressors.selection import STRATEGIES
from scoring.arguments import MANY, SEED
from scoring.commands import check_file, write_rows
from scoring.table import read_table

ADDED = ("size", "probability")
"""The columns that the selected rows have besides their own."""


def add(commands: Commands) -> None:
    parser = commands.add_parser("select", help="select the texts that people should judge next, with known probabilities")
    parser.add_argument("data", type=Path, metavar="FILE", help="CSV or TSV with a header; one text per row, each once")
    parser.add_argument("--text", required=True, metavar="COL")
    parser.add_argument("--by", required=True, choices=STRATEGIES, help="what makes a text likelier to be selected")
    parser.add_argument("--models", nargs="+", type=Path, default=[], metavar="MODEL", help="the newest last")
    parser.add_argument("--size", required=True, type=MANY, metavar="N", help="how many texts")
    parser.add_argument("--seed", type=SEED, default=0)
    parser.add_argument("--out", required=True, type=Path, metavar="CSV", help="the selected rows, with size and probability")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    from regressors.selection import select
    from regressors.storage import load

    check_file(options.out)
    table = read_table(options.data, required=[options.text])
    if clash := [name for name in ADDED if name in table.columns]:
        raise RegressorError(f"{options.data}: the column {clash[0]!r} would be written twice. Rename it.")
    texts = []
    for row in table.rows:
        if problem := check_text(row[options.text]):
            raise table.error(row, options.text, problem)
        texts.append(row[options.text])
    models = [load(folder) for folder in options.models]
    found = select(texts, options.size, strategy=options.by, models=models, seed=options.seed)
    measured = zip(table.rows, found.sizes.tolist(), found.probabilities.tolist(), found.chosen.tolist(), strict=True)
    rows = [
        [*(row[name] for name in table.columns), f"{size:.6g}", repr(probability)]
        for row, size, probability, chosen in measured
        if chosen
    ]
    write_rows(options.out, [*table.columns, *ADDED], rows)
    print(f"{len(rows)} of {len(texts)} texts in {options.out}")
