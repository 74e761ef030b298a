"""How long the web server takes until it answers, and how much memory it holds. Fails when a worker has loaded what only jobs
need."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from time import perf_counter
from urllib.request import urlopen

import psutil

from annotation.management.commands.start import THREADS, WORKERS
from benchmarks import serving

HEAVY = ("torch", "transformers", "sklearn", "xgboost")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--requests", type=int, default=50, help="before memory is looked at")


def run(options: Namespace) -> int:
    began = perf_counter()
    with serving.gunicorn(workers=WORKERS, threads=THREADS) as address:
        print(f"From the start to the first answer: {perf_counter() - began:.1f} s")
        for _ in range(options.requests):
            urlopen(f"{address}/signin/", timeout=30).close()
        processes = psutil.Process().children(recursive=True)
        sizes = [process.memory_full_info().pss / 2**20 for process in processes]
        print(f"Memory of {len(processes)} processes: {sum(sizes):.0f} MB together, {max(sizes):.0f} MB the largest")
        loaded = sorted({name for process in processes for name in HEAVY if _has_loaded(process.pid, name)})
    print(f"Loaded, though only jobs need it: {', '.join(loaded) or 'nothing'}")
    return int(bool(loaded))


def _has_loaded(pid: int, package: str) -> bool:
    """Whether a compiled part of the package is mapped into the process."""
    return f"/site-packages/{package}/" in Path(f"/proc/{pid}/maps").read_text()
