"""`python -m regressors train | evaluate | predict`: the library from the command line."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, TextIO

import numpy as np

from regressors.errors import RegressorError
from regressors.rows import LABELS, TrainingRows, check_scale, check_text
from scoring.result import ScoringError
from scoring.table import Row, Table, read_table

_PREDICTED_AT_ONCE: Final = 1_024


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns 0, or 2 after a one-line error on standard error."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except (RegressorError, ScoringError) as error:
        print(f"python -m regressors {options.command}: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m regressors", description="Predict how suspicious a text looks to people.")
    commands = parser.add_subparsers(dest="command", required=True)

    train = commands.add_parser("train", help="train a model on judgements and evaluate it")
    _add_data(train)
    train.add_argument("--original", metavar="COL", help="which original a text is a variant of; without it, by similarity")
    train.add_argument("--scale", nargs=2, type=_number, metavar=("LOW", "HIGH"), default=[1.0, 5.0], help="default: 1 5")
    train.add_argument("--label", choices=sorted(LABELS), default="median", help="of a text's judgements (default: median)")
    train.add_argument("--model", metavar="NAME", default="text+num", help="default: text+num; see docs/reference/models.md")
    train.add_argument("--seed", type=_whole, default=0)
    train.add_argument("--jobs", type=_positive, default=1, metavar="N", help="threads; changes the time only")
    train.add_argument("--out", required=True, type=Path, metavar="DIR", help="the new model's folder")
    train.add_argument("--json", action="store_true", help="print the model's card as JSON")
    train.set_defaults(run=_train)

    evaluate = commands.add_parser("evaluate", help="compare a model's predictions with judgements that it was not trained on")
    evaluate.add_argument("model", type=Path, metavar="MODEL")
    _add_data(evaluate)
    evaluate.add_argument("--original", metavar="COL", help="which original a text is a variant of; without it, by similarity")
    evaluate.add_argument("--seed", type=_whole, default=0, help="of the intervals")
    evaluate.add_argument("--json", action="store_true")
    evaluate.set_defaults(run=_evaluate)

    predict = commands.add_parser("predict", help="score the texts of a file, or the lines of standard input, as JSON lines")
    predict.add_argument("model", type=Path, metavar="MODEL")
    predict.add_argument("data", nargs="?", type=Path, metavar="FILE")
    predict.add_argument("--text", metavar="COL", help="the column of texts; needed with FILE")
    predict.set_defaults(run=_predict)
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, metavar="DATA", help="CSV or TSV with a header; one judgement per row")
    parser.add_argument("--text", required=True, metavar="COL")
    parser.add_argument("--score", required=True, metavar="COL")


def _train(options: argparse.Namespace) -> None:
    from regressors.storage import save
    from regressors.training import train

    if options.out.exists():
        raise RegressorError(f"{options.out} exists already. Choose another folder with --out.")
    low, high = options.scale
    check_scale(low, high)
    rows = _read_rows(options, low, high)
    with _Bar() as bar:
        trained = train(
            rows,
            model=options.model,
            seed=options.seed,
            progress=bar,
            label=options.label,
            scale=(low, high),
            n_jobs=options.jobs,
        )
    saved = save(trained, options.out)
    if options.json:
        _print_json(saved.card | {"sha256": saved.sha256})
        return
    data = saved.card["data"]
    print(
        f"{data['texts']} texts, {data['judgements']} judgements, {data['originals']} originals ({data['grouping']}); "
        f"label: {data['label']}"
    )
    _print_evaluation(saved.card["evaluation"])
    print(f"Saved to {options.out}, SHA-256 {saved.sha256}")


def _evaluate(options: argparse.Namespace) -> None:
    from regressors.evaluation import evaluate_model
    from regressors.storage import load

    trained = load(options.model)
    low, high = trained.card["data"]["scale"]
    evaluation = evaluate_model(trained, _read_rows(options, low, high), seed=options.seed).as_dict()
    if options.json:
        _print_json(evaluation | {"model": {"kind": trained.card["kind"], "sha256": trained.sha256}})
    else:
        _print_evaluation(evaluation)


def _predict(options: argparse.Namespace) -> None:
    from regressors.storage import load

    if (options.data is None) != (options.text is None):
        raise RegressorError("Give a FILE together with --text COL, or neither and the texts as lines on standard input.")
    if options.data is None:
        texts: Iterable[str] = _lines(sys.stdin)
    else:
        table = read_table(options.data, required=[options.text])
        texts = [row[options.text] for row in table.rows]
    trained = load(options.model)
    with_interval = "reason" not in trained.card["calibration"]
    remaining = iter(texts)
    while batch := list(islice(remaining, _PREDICTED_AT_ONCE)):
        problems = {text: problem for text in batch if (problem := check_text(text))}
        usable = [text for text in batch if text not in problems]
        columns = trained.predict_interval(usable) if with_interval else (trained.predict(usable),)
        scored = zip(*(np.round(column, 6).tolist() for column in columns), strict=True)
        for text in batch:
            if text in problems:
                line = {"text": text, "score": None, "reason": problems[text]}
            else:
                line = {"text": text} | dict(zip(("score", "low", "high"), next(scored), strict=False))
            print(json.dumps(line, ensure_ascii=True))


def _read_rows(options: argparse.Namespace, low: float, high: float) -> TrainingRows:
    wanted = [options.text, options.score] + ([options.original] if options.original else [])
    table = read_table(options.data, required=wanted)
    if not table.rows:
        raise RegressorError(f"{table.file}: there are no rows under the header.")
    return TrainingRows(
        texts=[_text(table, row, options.text) for row in table.rows],
        scores=[_score(table, row, options.score, low, high) for row in table.rows],
        originals=[table.text(row, options.original) for row in table.rows] if options.original else None,
    )


def _text(table: Table, row: Row, column: str) -> str:
    if problem := check_text(row[column]):
        raise table.error(row, column, problem)
    return row[column]


def _score(table: Table, row: Row, column: str, low: float, high: float) -> float:
    score = table.number(row, column)
    if not low <= score <= high:
        raise table.error(row, column, f"{row[column][:40]} is outside the scale {low:g} to {high:g}")
    return score


def _lines(stream: TextIO) -> Iterator[str]:
    try:
        for line in stream:
            yield line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise RegressorError(f"Standard input is not UTF-8 (byte 0x{error.object[error.start]:02x}).") from error


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False))


def _print_evaluation(evaluation: dict[str, Any]) -> None:
    names = {
        "r": "Pearson r",
        "noise_ceiling": "noise ceiling",
        "share_of_ceiling": "share of ceiling",
        "rmse": "RMSE",
        "rmse_constant": "RMSE of a constant",
        "rmse_gain": "RMSE gain",
    }
    for key, name in names.items():
        print(f"{name:20}{_shown(evaluation[key])}")


def _shown(estimate: dict[str, Any]) -> str:
    if estimate["value"] is None:
        return f"none: {estimate['reason']['message']}"
    interval = estimate["interval"]
    between = f"  [{interval['low']:.3f}, {interval['high']:.3f}]" if interval else ""
    return f"{estimate['value']:.3f}{between}  n = {estimate['n']}"


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if int(text) < least:
            raise ValueError(text)
        return int(text)

    return number


_whole, _positive = _at_least(0), _at_least(1)
_whole.__name__, _positive.__name__, _number.__name__ = "whole number from 0", "whole number from 1", "number"


class _Bar:
    """Progress on standard error, on one line, where somebody watches."""

    def __enter__(self) -> _Bar:
        self._shown = sys.stderr.isatty()
        return self

    def __call__(self, done: int, total: int, message: str) -> None:
        if self._shown:
            print(f"\r\x1b[K{done}/{total} {message}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
