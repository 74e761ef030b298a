"""``python -m attacks accs``: the ACCS of a constraint robustness curve that was made elsewhere."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from attacks.commands import Commands
from attacks.robustness.curve import accs
from attacks.robustness.curve_file import read_curve
from scoring.wording import shown_value


def add(commands: Commands) -> None:
    parser = commands.add_parser("accs", help="how robust a constraint is, from a curve of first- and second-order rates")
    parser.add_argument("curve", type=Path, metavar="CURVE", help="CSV or TSV with a header, a row for each threshold")
    parser.add_argument("--threshold", required=True, metavar="COL")
    parser.add_argument("--first", required=True, metavar="COL", help="rate of successful attacks on the victim")
    parser.add_argument("--second", required=True, metavar="COL", help="rate of successful attacks on the constraint itself")
    parser.add_argument("--loosest", choices=["lowest", "highest"], help="which threshold lets most through (default: by rates)")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    curve = read_curve(options.curve, (options.threshold, options.first, options.second), loosest=options.loosest)
    found = accs(curve)
    if options.json:
        print(json.dumps(found.as_dict(), indent=2, allow_nan=False))
    else:
        why = f": {found.reason.message}" if found.reason else f" ({found.n} thresholds)"
        print(f"ACCS {shown_value(found)}{why}")
