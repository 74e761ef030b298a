"""`python -m scoring metrics`: text metrics of pairs, and how they follow what people said."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from scoring.result import Reason
from scoring.table import Table
from scoring.texts.metrics import Columns, all_metrics, summary
from scoring.texts.overlap import implementations
from scoring.texts.remembered import RememberedScorer
from scoring.texts.semantic import BY_PATH, EncoderSimilarity, identity

from . import Add, check_file, filled, write_rows


def register(add: Add) -> None:
    texts = add(
        "metrics",
        metrics,
        "Text metrics against the original: BLEU, METEOR, ROUGE, edit distances, share of words changed, semantic scores; and "
        "their Pearson correlation with what people said.",
    )
    texts.add_argument("--original", required=True, metavar="COL")
    texts.add_argument("--adversarial", required=True, metavar="COL")
    texts.add_argument("--human", metavar="COL", help="what people said of the pair, as a number; an empty cell is left out")
    texts.add_argument("--encoder", action="store_true", help="the similarity of the embedded encoder, too")
    for kind in BY_PATH:
        texts.add_argument(f"--{kind}", type=Path, metavar="PATH", help="that model's score, too; the folder of the model")
    texts.add_argument("--out", type=Path, metavar="FILE", help="write the metrics of each pair to this CSV file")


def metrics(options: Namespace) -> dict[str, Any]:
    """Pairs of one original are resampled together. An empty cell is an empty text."""
    table = filled(options.file, options.original, options.adversarial, options.human)
    if options.out:
        check_file(options.out)
    pairs = [(row[options.original], row[options.adversarial]) for row in table.rows]
    human = [table.number(row, options.human, empty_ok=True) for row in table.rows] if options.human else None
    scorers: dict[str, RememberedScorer] = {"encoder": EncoderSimilarity()} if options.encoder else {}
    scorers |= {kind: BY_PATH[kind](path) for kind in BY_PATH if (path := getattr(options, kind))}
    columns = all_metrics(pairs, scorers)
    if options.out:
        _write(options.out, table, columns)
    originals = [original for original, _ in pairs]
    return {
        "pairs": len(pairs),
        "originals": len(set(originals)),
        "human": options.human,
        "computed_by": implementations() | {name: identity(scorer) for name, scorer in scorers.items()},
        "metrics": summary(columns, originals, human),
    }


def _write(file: Path, table: Table, columns: Columns) -> None:
    """A row for each pair, with the line of the table on which it stands; a cell is empty where there is no value."""
    found = ([None if isinstance(value, Reason) else float(value) for value in values] for values in columns.values())
    lines = (row.line for row in table.rows)
    write_rows(file, ["line", *columns], zip(lines, *found, strict=True))
