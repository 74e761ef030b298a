"""The command line: `python -m scoring bodega | agreement | deviation FILE … [--json]`.

Errors are one line on standard error and exit code 2.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .commands import agreement, bodega, deviation
from .result import ScoringError
from .texts.alignment import SEGMENTERS


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], dict[str, Any]] = options.command
    try:
        result = command(options)
    except ScoringError as error:
        print(f"scoring: {error}", file=sys.stderr)
        return 2
    print(json.dumps(result, indent=2, allow_nan=False) if options.json else "\n".join(as_lines(result)))
    return 0


def as_lines(result: Any, path: str = "") -> list[str]:
    """The same result for reading: one line per figure, estimates with their interval or reason."""
    if isinstance(result, dict) and {"value", "reason", "n"} <= result.keys():
        return [f"{path}: {_estimate(result)}"]
    if isinstance(result, dict):
        return [line for key, value in result.items() for line in as_lines(value, f"{path}.{key}" if path else key)]
    if isinstance(result, list) and any(isinstance(value, dict) for value in result):
        return [line for index, value in enumerate(result, 1) for line in as_lines(value, f"{path}[{index}]")]
    shown = " ".join(str(value) for value in result) if isinstance(result, list) else result
    return [f"{path}: {'none' if shown is None else shown}"]


def _estimate(estimate: dict[str, Any]) -> str:
    if estimate["reason"]:
        return f"none. {estimate['reason']['message']} (n = {estimate['n']})"
    interval = estimate["interval"]
    bounds = f", {interval['level']:.0%} interval {interval['low']:.4f} to {interval['high']:.4f}" if interval else ""
    left_out = "".join(f", {count} {cause}" for cause, count in estimate["left_out"].items())
    return f"{estimate['value']:.10g}{bounds} (n = {estimate['n']}{left_out}; {estimate['method']})"


def _columns(text: str) -> list[str]:
    """Names set apart by commas; a name that holds a comma is quoted as in CSV."""
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m scoring", description="Numbers about adversarial texts and judgements of them.")
    commands = parser.add_subparsers(required=True, metavar="bodega | agreement | deviation")

    def add(name: str, command: Callable[[argparse.Namespace], dict[str, Any]], about: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about, description=about)
        sub.add_argument("file", metavar="FILE", help="CSV or TSV in UTF-8 with a header line")
        sub.add_argument("--json", action="store_true", help="print JSON")
        sub.set_defaults(command=command)
        return sub

    texts = add("bodega", bodega, "BODEGA score and its parts over pairs of texts.")
    texts.add_argument("--original", required=True, metavar="COL")
    texts.add_argument("--adversarial", required=True, metavar="COL")
    texts.add_argument("--succeeded", metavar="COL", help="true/false or 1/0; without it every attack counts as a success")
    texts.add_argument("--task", choices=list(SEGMENTERS), default="PR", help="how texts are cut into sentences (PR: not at all)")
    texts.add_argument("--semantic", choices=["none", "encoder"], default="none", help="encoder: the embedded one")

    people = add("agreement", agreement, "Raw agreement, Cohen's kappa and Gwet's AC1 of annotators in columns.")
    people.add_argument("--annotators", required=True, type=_columns, metavar="COL,COL[,COL]")
    people.add_argument("--labels", type=_columns, metavar="LABEL,LABEL", help="the allowed labels; default: those found")
    people.add_argument("--cluster", metavar="COL", help="rows that share this are resampled together, such as the original")

    scores = add("deviation", deviation, "Average deviation from the median of items judged at least three times.")
    scores.add_argument("--item", required=True, metavar="COL")
    scores.add_argument("--score", required=True, metavar="COL", help="whole numbers")
    scores.add_argument("--group", metavar="COL", help="the variant; an item is then a pair of item and group")
    return parser


if __name__ == "__main__":
    sys.exit(main())
