"""The command line: ``python -m attacks COMMAND …``; ``--help`` lists the commands. Errors are one line and exit code 2."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from attacks.commands import accs, compare, convert, export, listing, robustness, run, study, sweep, train_victim
from attacks.errors import AttackError
from regressors.errors import RegressorError
from scoring.result import ScoringError

COMMANDS: Final = (convert, train_victim, run, export, compare, sweep, study, robustness, accs, listing)
"""Each makes its command known by `add`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns 0, 2 after a one-line error on standard error, or 130 when interrupted."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except (AttackError, RegressorError, ScoringError, OSError) as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it stopped", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m attacks", description="Attacks on text classifiers.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
