"""Export of 100,000 judgements: rows per second, the peak of memory, and the ratio to reading the same rows from the database and
writing them without a word about what they mean. Each file is written by a process of its own, so that its peak is its own."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from annotation.exchange.export import FILES, WORKBOOK, write_workbook
from annotation.models import Campaign, Judgement
from benchmarks import scratch

LIMIT_MB = 150
BARE = "bare rows"
NAME = "export"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--judgements", type=int, default=100_000)
    parser.add_argument("--annotators", type=int, default=20)
    parser.add_argument("--without-workbook", action="store_true", help="leave out the XLSX file, which takes longest by far")


def run(options: Namespace) -> int:
    campaign = scratch.big_campaign(name=NAME, items=options.judgements // 2, slots=2)
    answers = scratch.answer_all(campaign, scratch.some_annotators(campaign, options.annotators))
    scratch.analyse()
    print(f"{answers:,} judgements of {options.judgements // 2:,} items; each file by a process of its own")
    bare, _ = _measured(BARE)
    peaks = []
    for file in (*FILES, *([] if options.without_workbook else [WORKBOOK])):
        seconds, peak = _measured(file)
        peaks.append(peak)
        rate = f"{seconds:6.1f} s {answers / seconds:9,.0f} judgements/s"
        print(f"  {file:<20} {rate} {peak:5.0f} MB {seconds / bare:6.1f} times bare", flush=True)
    print(f"  {BARE:<20} {bare:6.1f} s {answers / bare:9,.0f} judgements/s")
    ok = max(peaks) < LIMIT_MB
    print(f"{'As it should be' if ok else 'FAILED'}: the highest peak is {max(peaks):.0f} MB, under {LIMIT_MB} MB wanted.")
    return int(not ok)


def _measured(file: str) -> tuple[float, float]:
    """Seconds and megabytes that writing the file took."""
    setup = f"import django; django.setup(); from benchmarks.export import write; write({file!r})"
    command = [sys.executable, "-c", setup]
    seconds, peak = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout.split()
    return float(seconds), float(peak)


def write(file: str) -> None:
    """What one process does: write the file, say how long it took and what memory it needed at most."""
    campaign = Campaign.objects.get(name=NAME)
    path = Path(os.environ["PASSABLE_DATA"]) / f"written-{file}"
    start = time.perf_counter()
    if file == WORKBOOK:
        write_workbook(campaign, path)
    else:
        with path.open("w", encoding="utf-8", newline="") as out:
            if file == BARE:
                rows = Judgement.objects.filter(claim__campaign=campaign).order_by("pk")
                csv.writer(out).writerows(rows.values_list("label__key", "confidence", "claim__annotator").iterator(500))
            else:
                out.writelines(FILES[file](campaign))
    print(time.perf_counter() - start, _peak())


def _peak() -> float:
    """The most memory that this process had at once, in MB. `ru_maxrss` will not do: a child inherits its parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024
