"""`python -m scoring meaning evaluate | train | predict`: the learned meaning score."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scoring.arguments import SEED, WholeNumber
from scoring.table import Table, TableError, as_label
from scoring.texts.meaning.model import DecidedPairs

from . import Add, check_folder, filled, progress


def register(add: Add) -> None:
    about = "The learned meaning score: how likely people are to say that the meaning was kept."
    kinds = add("meaning", _run, about, file=False).add_subparsers(required=True, metavar="WHAT")

    def kind(name: str, run: Callable[[Namespace], dict[str, Any]], about: str) -> ArgumentParser:
        parser: ArgumentParser = kinds.add_parser(name, help=about, description=about)
        parser.add_argument("--json", action="store_true", default=SUPPRESS, help="print JSON")
        parser.set_defaults(run=run)
        return parser

    evaluating = kind("evaluate", evaluate, "How well it does on originals it has not seen, beside the automatic scores.")
    _decided(evaluating)
    training = kind("train", train, "Train it on decided pairs, evaluate it, and keep it.")
    _decided(training)
    training.add_argument("--out", required=True, type=Path, metavar="DIR", help="the new model's folder")
    predicting = kind("predict", predict, "The probability of each pair of a file.")
    predicting.add_argument("model", type=Path, metavar="DIR")
    _pairs(predicting)


def _pairs(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="CSV or TSV in UTF-8 with a header line")
    parser.add_argument("--original", required=True, metavar="COL")
    parser.add_argument("--adversarial", required=True, metavar="COL")


def _decided(parser: ArgumentParser) -> None:
    _pairs(parser)
    parser.add_argument("--label", required=True, metavar="COL", help="what people decided; rows without are left out")
    parser.add_argument("--preserved", required=True, metavar="VALUE", help="the label that says: meaning preserved")
    parser.add_argument("--seed", type=SEED, default=0)
    parser.add_argument("--repeats", type=WholeNumber(1, 1_000), default=10, metavar="N", help="of the cross-validation (10)")
    parser.add_argument("--folds", type=WholeNumber(2, 1_000), default=10, metavar="N", help="of each repeat (10)")


def _run(options: Namespace) -> dict[str, Any]:
    found: dict[str, Any] = options.run(options)
    return found


def evaluate(options: Namespace) -> dict[str, Any]:
    """The AUC over all pairs, within word-level and within character-level ones; of the learned and of automatic scores."""
    from scoring.texts.meaning import evaluation
    from scoring.texts.meaning.features import features
    from scoring.texts.semantic import EncoderSimilarity, identity

    data, left_out = _read(options)
    scorer = EncoderSimilarity()
    rows = features(data.pairs, scorer)
    found = evaluation.evaluate(
        data, rows, scorer, seed=options.seed, repeats=options.repeats, folds=options.folds, progress=progress()
    )
    return {"left_out": left_out, "encoder": identity(scorer), **found}


def train(options: Namespace) -> dict[str, Any]:
    """The card of the new model, without the list of its features."""
    from scoring.texts.meaning.trained import train as train_model

    check_folder(options.out)
    data, left_out = _read(options)
    source = {"label": options.label, "preserved": options.preserved, "left_out": left_out}
    model = train_model(
        data, seed=options.seed, repeats=options.repeats, folds=options.folds, card={"source": source}, progress=progress()
    )
    saved = model.save(options.out)
    return {"folder": str(options.out), "sha256": saved.sha256, **saved.card}


def predict(options: Namespace) -> dict[str, Any]:
    """The probabilities in the order of the rows."""
    from scoring.texts.meaning.trained import MeaningModel

    table = filled(options.file, options.original, options.adversarial)
    model = MeaningModel.load(options.model)
    probabilities = model.predict([(row[options.original], row[options.adversarial]) for row in table.rows])
    return {
        "model": {"folder": str(options.model), "sha256": model.sha256},
        "pairs": [
            {"line": row.line, "preserved": round(float(value), 6)} for row, value in zip(table.rows, probabilities, strict=True)
        ],
    }


def _read(options: Namespace) -> tuple[DecidedPairs, dict[str, int]]:
    table = filled(options.file, options.original, options.adversarial, options.label)
    decided = [row for row in table.rows if row[options.label].strip()]
    labels = [as_label(row[options.label].strip()) for row in decided]
    _check_preserved(table, options, labels)
    pairs = [(row[options.original], row[options.adversarial]) for row in decided]
    preserved = as_label(options.preserved.strip())
    undecided = len(table.rows) - len(decided)
    return (
        DecidedPairs.of(pairs, [label == preserved for label in labels]),
        {"without a label": undecided} if undecided else {},
    )


def _check_preserved(table: Table, options: Namespace, labels: list[str]) -> None:
    """A value that stands in no row is a slip of the pen."""
    if not labels:
        raise TableError(table.file, "no row has a label", column=options.label)
    if as_label(options.preserved.strip()) not in labels:
        found = ", ".join(sorted(set(labels))[:8])
        raise TableError(table.file, f"no row has the label {options.preserved!r}; found {found}", column=options.label)
