"""Import of 100,000 rows while somebody else writes: how long that writer waits at most, with the longest wait of the same writer
while nothing is imported. The import is a process of its own, as it is where a worker or the command line does it."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from statistics import quantiles

from django.db import OperationalError, connection

from annotation.models import Item, Slot, User
from benchmarks import scratch

LIMIT = 1.0
"""Seconds that nobody waits longer than."""
PAUSE = 0.01
PROTOCOL, NAME = "meaning", "imported"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long the writer is watched while nothing is imported")


def run(options: Namespace) -> int:
    file = Path(os.environ["PASSABLE_DATA"]) / "pairs.csv"
    _write(file, options.rows)
    writer = scratch.an_organiser()
    quiet = Waits(writer)
    with quiet:
        time.sleep(options.seconds)
    busy = Waits(writer)
    start = time.perf_counter()
    with busy:
        command = [sys.executable, "manage.py", "import_examples", str(file), "--campaign", NAME, "--protocol", PROTOCOL]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
    took = time.perf_counter() - start
    items, slots = Item.objects.filter(campaign__name=NAME).count(), Slot.objects.filter(campaign__name=NAME).count()
    print(f"{connection.vendor}: {items:,} items and {slots:,} slots imported in {took:.0f} s")
    print(f"{'another writer':<24}{'writes':>8}{'p99 ms':>8}{'longest ms':>12}")
    for name, waits in (("nothing is imported", quiet), ("during the import", busy)):
        print(f"{name:<24}{len(waits.seconds):>8}{1000 * quantiles(waits.seconds, n=100)[-1]:>8.0f}{1000 * waits.longest:>12.0f}")
    ok = busy.longest < LIMIT and items == options.rows
    print(
        f"{'As it should be' if ok else 'FAILED'}: the longest wait was {busy.longest:.2f} s, "
        f"{busy.longest / quiet.longest:.0f} times that without an import; under {LIMIT:.0f} s wanted."
    )
    return int(not ok)


class Waits:
    """Writes one row again and again within the block, and how many seconds each time took."""

    def __init__(self, writer: User) -> None:
        self.seconds: list[float] = []
        self._row = User.objects.filter(pk=writer.pk)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write)

    @property
    def longest(self) -> float:
        return max(self.seconds)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *wrong: object) -> None:
        self._over.set()
        self._thread.join()

    def _write(self) -> None:
        try:
            while not self._over.wait(PAUSE):
                start = time.perf_counter()
                # Whoever waits too long is refused; that it waited counts all the same.
                with suppress(OperationalError):
                    self._row.update(first_name=str(len(self.seconds)))
                self.seconds.append(time.perf_counter() - start)
        finally:
            connection.close()


def _write(file: Path, rows: int) -> None:
    """Pairs of texts of about sixty words that differ in one of them."""
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(("original", "adversarial", "attacker"))
        told = scratch.TALE.split()
        for number in range(rows):
            words = [*told, *told[number % 7 :], f"report {number}"]
            changed = [*words[:3], words[3][::-1], *words[4:]]
            table.writerow((" ".join(words), " ".join(changed), scratch.MAKERS[number % len(scratch.MAKERS)]))
