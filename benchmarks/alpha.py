"""Krippendorff's alpha of 3,000 items with three answers each, with a bootstrap interval of 2,000 draws, and the ratio to as many
point estimates of the package `krippendorff`."""

from __future__ import annotations

import random
import time
from argparse import ArgumentParser, Namespace

import krippendorff
import numpy as np

from scoring.judgements.pools import LEVELS, krippendorff_alpha

LABELS = ["1", "2", "3", "4", "5"]
RATERS = 3
LIMIT = 2.0
THEIRS = 5
"""So many of their point estimates are timed, and taken times the draws."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--items", type=int, default=3_000)
    parser.add_argument("--draws", type=int, default=2_000)


def run(options: Namespace) -> int:
    draw = random.Random(0)
    units = []
    for _ in range(options.items):
        likely = draw.choice(LABELS)
        units.append({rater: likely if draw.random() < 0.6 else draw.choice(LABELS) for rater in range(RATERS)})
    originals = [number // 4 for number in range(options.items)]
    values = [float(label) for label in LABELS]
    table = np.array([[float(unit[rater]) for unit in units] for rater in range(RATERS)])
    print(f"{options.items:,} items, {RATERS} answers each, four items of each original; {options.draws:,} bootstrap draws")
    slowest = 0.0
    for level in LEVELS:
        for name, clusters in (("over originals", originals), ("over items", None)):
            start = time.perf_counter()
            krippendorff_alpha(units, LABELS, level=level, values=values, clusters=clusters, draws=options.draws)
            ours = time.perf_counter() - start
            start = time.perf_counter()
            for _ in range(THEIRS):
                krippendorff.alpha(reliability_data=table, level_of_measurement=level)
            theirs = (time.perf_counter() - start) / THEIRS * options.draws
            print(
                f"  {level:<9} {name:<15}{ours:>8.3f} s; that many point estimates {theirs:>9.1f} s, {theirs / ours:,.0f} times"
            )
            slowest = max(slowest, ours)
    ok = slowest < LIMIT
    print(f"{'As it should be' if ok else 'FAILED'}: under {LIMIT:g} s.")
    return int(not ok)
