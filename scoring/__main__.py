"""The command line: `python -m scoring COMMAND FILE … [--json]`; `--help` lists the commands.

Errors are one line on standard error and exit code 2.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from .commands import Command, agreement, bodega, calibrate, edits, meaning, metrics, plan, scales, votes
from .result import ScoringError

FAMILIES: Final = (
    bodega,
    edits,
    metrics,
    meaning,
    calibrate,
    agreement,
    scales,
    votes,
    plan,
)
"""Each makes its commands known by `register`."""


class _Parser(argparse.ArgumentParser):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # What begins like a negative number is a value, not an option: --scale -5,5.
        self._negative_number_matcher = re.compile(r"-\.?[0-9]")

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if empty := [name for name, value in vars(options).items() if value in ("", []) and name != "file"]:
        parser.error(f"--{empty[0].replace('_', '-')} is given without a value")
    command: Command = options.command
    try:
        result = command(options)
    except ScoringError as error:
        print(f"scoring: {error}", file=sys.stderr)
        return 2
    shown = json.dumps(result, indent=2, allow_nan=False) if options.json else "\n".join(as_lines(result))
    # A name in the arguments may hold bytes that are no text.
    return _printed(shown.encode(errors="backslashreplace").decode())


def _printed(shown: str) -> int:
    """The exit code: 1 where the reader left before the end, as `head` does."""
    try:
        print(shown, flush=True)
    except BrokenPipeError:
        # Python flushes once more as it ends, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def as_lines(result: Any, path: str = "") -> list[str]:
    """The same result for reading: one line per figure, estimates with their interval or reason."""
    if isinstance(result, dict) and {"value", "reason", "n"} <= result.keys():
        return [f"{path}: {_estimate(result)}"]
    if isinstance(result, dict):
        return [line for key, value in result.items() for line in as_lines(value, f"{path}.{key}" if path else key)]
    if isinstance(result, list) and any(isinstance(value, dict) for value in result):
        return [line for index, value in enumerate(result, 1) for line in as_lines(value, f"{path}[{index}]")]
    if isinstance(result, list):
        sentences = any(isinstance(value, str) and " " in value for value in result)
        result = ("; " if sentences else " ").join(map(str, result))
    return [f"{path}: {'none' if result is None else result}"]


def _estimate(estimate: dict[str, Any]) -> str:
    if estimate["reason"]:
        return f"none. {estimate['reason']['message']} (n = {estimate['n']})"
    interval = estimate["interval"]
    bounds = f", {interval['level']:.0%} interval {interval['low']:.4f} to {interval['high']:.4f}" if interval else ""
    left_out = "".join(f", {count} {cause}" for cause, count in estimate["left_out"].items())
    return f"{estimate['value']:.10g}{bounds} (n = {estimate['n']}{left_out}; {estimate['method']})"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m scoring", description="Numbers about adversarial texts and judgements of them.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Command, about: str, *, file: bool = True) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about.replace("%", "%%"), description=about)
        if file:
            sub.add_argument("file", metavar="FILE", help="CSV or TSV in UTF-8 with a header line")
        sub.add_argument("--json", action="store_true", help="print JSON")
        sub.set_defaults(command=command)
        return sub

    for family in FAMILIES:
        family.register(add)
    return parser


if __name__ == "__main__":
    sys.exit(main())
