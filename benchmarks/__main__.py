"""`python -m benchmarks NAME [options]`: makes a scratch installation, runs the benchmark in it, throws it away.

A benchmark is a module of this folder with `add_arguments(parser)` and `run(options)`, which prints its figures and returns the
exit code. It may import the product at its top: it is itself imported when the scratch installation is there.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

from benchmarks.installation import scratch_installation

BENCHMARKS = {
    "concurrency": "many people at once: every item gets exactly its answers",
    "load": "annotators against gunicorn: response times, answers per second, saturation",
    "plans": "how the database finds the next item among 100,000",
    "startup": "cold start and memory of the web process",
    "lists": "first pages of lists and the dashboard with 100,000 items",
    "agreement": "agreement of 30,000 judgements",
    "alpha": "bootstrap of Krippendorff's alpha over 3,000 items",
    "edits": "typed edits and word differences of long texts",
    "texts": "character score and encoder score of sentence pairs",
    "suspicion": "training and predictions of the default model of suspicion",
    "fine_tuning": "a Transformer trained on 2,700 texts",
    "attacks": "attacks on classifiers: texts a second, queries, what a constraint costs; beside TextAttack",
    "importing": "import of 100,000 rows while somebody else writes",
    "export": "export of 100,000 judgements",
}


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in BENCHMARKS:
        print("python -m benchmarks NAME [--help], where NAME is one of", file=sys.stderr)
        for name, what in BENCHMARKS.items():
            print(f"  {name:<12} {what}", file=sys.stderr)
        return 2
    name, *rest = arguments
    common = ArgumentParser(add_help=False)
    common.add_argument(
        "--database",
        default="sqlite",
        help="'sqlite', or the address of a PostgreSQL server on which to make a scratch database",
    )
    common.add_argument(
        "--begin-with", type=Path, metavar="FILE", help="an empty SQLite database, migrated already, to copy: saves seconds"
    )
    where = common.parse_known_args(rest)[0]
    with scratch_installation(where.database, where.begin_with):
        benchmark = import_module(f"benchmarks.{name}")
        parser = ArgumentParser(prog=f"python -m benchmarks {name}", description=benchmark.__doc__, parents=[common])
        benchmark.add_arguments(parser)
        return int(benchmark.run(parser.parse_args(rest)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
