"""The commands of `python -m regressors`, a module for each, which makes its command known by `add`; here is what they share."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path
from typing import Any, TypeAlias

from regressors.rows import LABELS, TrainingRows, check_text
from scoring.arguments import Number
from scoring.commands import filled
from scoring.table import Row, Table

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"


def add_data(parser: ArgumentParser) -> None:
    """DATA and the columns that every command about judgements reads."""
    parser.add_argument("data", type=Path, metavar="DATA", help="CSV or TSV with a header; one judgement per row")
    parser.add_argument("--text", required=True, metavar="COL")
    parser.add_argument("--score", required=True, metavar="COL")
    parser.add_argument("--original", metavar="COL", help="which original a text is a variant of; without it, by similarity")
    parser.add_argument("--variant", metavar="COL", help="what made the text: an attacker's name, or that of the originals")
    parser.add_argument("--annotator", metavar="COL", help="who judged")


def add_label(parser: ArgumentParser) -> None:
    """What is made of the judgements."""
    parser.add_argument("--scale", nargs=2, type=Number(), metavar=("LOW", "HIGH"), default=[1.0, 5.0], help="default: 1 5")
    parser.add_argument("--label", choices=sorted(LABELS), default="median", help="of a text's judgements (default: median)")


def read_rows(file: Path, options: Namespace, low: float, high: float) -> TrainingRows:
    """The judgements of a table with the columns that the options name; the first wrong cell is named."""
    named = {name: getattr(options, name) for name in ("text", "score", "original", "variant", "annotator")}
    table = filled(file, *named.values())

    def column(name: str) -> list[str] | None:
        return [table.text(row, named[name]) for row in table.rows] if named[name] else None

    return TrainingRows(
        texts=[_text(table, row, options.text) for row in table.rows],
        scores=[_score(table, row, options.score, low, high) for row in table.rows],
        originals=column("original"),
        annotators=column("annotator"),
        variants=column("variant"),
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


def print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False))


def print_evaluation(evaluation: dict[str, Any]) -> None:
    names = {
        "r": "Pearson r",
        "spearman": "Spearman",
        "noise_ceiling": "noise ceiling",
        "share_of_ceiling": "share of ceiling",
        "rmse": "RMSE",
        "rmse_constant": "RMSE of a constant",
        "rmse_gain": "RMSE gain",
    }
    for key, name in names.items():
        print(f"{name:20}{shown(evaluation[key])}")
    for found in evaluation["by_variant"]:
        judged, predicted = found["mean_judged"], found["mean_predicted"]
        print(f"{found['variant']:20}judged {judged:.2f}, predicted {predicted:.2f}, r {shown(found['r'])}")


def shown(estimate: dict[str, Any]) -> str:
    """An estimate for reading: its value, interval and n, or why there is none."""
    if estimate["value"] is None:
        return f"none: {estimate['reason']['message']}"
    interval = estimate["interval"]
    between = f"  [{interval['low']:.3f}, {interval['high']:.3f}]" if interval else ""
    return f"{estimate['value']:.3f}{between}  n = {estimate['n']}"


class Bar:
    """Progress on standard error, on one line, where somebody watches."""

    def __enter__(self) -> Bar:
        self._shown = sys.stderr.isatty()
        return self

    def __call__(self, done: int, total: int, message: str) -> None:
        if self._shown:
            print(f"\r\x1b[K{done}/{total} {message}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
