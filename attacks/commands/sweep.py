"""``python -m attacks sweep``: what other limits on suspicion would have done to a run."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path

from attacks.commands import Commands, figure
from attacks.results import read_run
from attacks.sweep import Limit, sweep
from scoring.arguments import Number

TAUS = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0)


def add(commands: Commands) -> None:
    parser = commands.add_parser("sweep", help="what other limits on suspicion would have done to a run")
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="folder of a run with --suspicion, best with --observe")
    parser.add_argument("--taus", type=_numbers(Number()), metavar="T,T,…", help="default 1.5,2,2.5,3,3.5,4")
    parser.add_argument("--margins", type=_numbers(Number(0)), metavar="M,M,…", help="above the original's own suspicion")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: Namespace) -> None:
    margins = options.margins or []
    taus = options.taus or ([] if margins else TAUS)
    limits = [*(Limit(tau=tau) for tau in taus), *(Limit(margin=margin) for margin in margins)]
    found = read_run(options.run_folder)
    swept = sweep(found, limits)
    if options.json:
        print(json.dumps([each.as_dict() for each in swept], indent=2, allow_nan=False))
        return
    successes = len(found.successes)
    for each in swept:
        said = f"{each.limit!s:<12} lets {len(each.admitted)} of {successes} successes through"
        if each.success.value is not None:
            said += f": success at least {figure(each.success)}, BODEGA score at least {figure(each.bodega)}"
        print(said)
    if swept and swept[0].success.reason:
        print(swept[0].success.reason.message)


def _numbers(number: Number) -> Callable[[str], list[float]]:
    def parse(text: str) -> list[float]:
        found = [number(part) for part in text.split(",") if part.strip()]
        if not found:
            raise ArgumentTypeError("expected numbers with commas between")
        return found

    return parse
