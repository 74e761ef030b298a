"""The command line: `python -m regressors COMMAND …`; `--help` lists the commands. Errors are one line and exit code 2."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from regressors.commands import compare, evaluate, explain, predict, rate, select, train, versions
from regressors.errors import RegressorError
from scoring.result import ScoringError

COMMANDS: Final = (train, evaluate, versions, compare, predict, explain, rate, select)
"""Each makes its command known by `add`."""


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
    for command in COMMANDS:
        command.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
