"""Agreement of 30,000 judgements: the statistics alone and the whole page's analysis with reading the database, without and with
bootstrap intervals, and the ratio to drawing the bootstrap item by item."""

from __future__ import annotations

import random
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

import numpy as np
from django.db import connection

from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from benchmarks import scratch
from scoring.judgements.agreement import cohen_kappa, gwet_ac1, raw_agreement
from scoring.judgements.pools import krippendorff_alpha

LABELS = ["preserve", "change", "no_sense"]
POINT_LIMIT, INTERVAL_LIMIT = 1.0, 5.0


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--judgements", type=int, default=30_000)
    parser.add_argument("--draws", type=int, default=1_000)


def run(options: Namespace) -> int:
    items = options.judgements // 2
    draw = random.Random(0)
    first = [draw.choice(LABELS) for _ in range(items)]
    second = [label if draw.random() < 0.7 else draw.choice(LABELS) for label in first]
    originals = [number // 4 for number in range(items)]
    units = [{"a": one, "b": other} for one, other in zip(first, second, strict=True)]

    def kappa(draws: int) -> Callable[[], object]:
        return lambda: cohen_kappa(first, second, LABELS, clusters=originals, draws=draws)

    def all_four(draws: int) -> Callable[[], object]:
        def compute() -> None:
            cohen_kappa(first, second, LABELS, clusters=originals, weights="quadratic", draws=draws)
            gwet_ac1(first, second, LABELS, clusters=originals, draws=draws)
            krippendorff_alpha(units, LABELS, clusters=originals, draws=draws)
            raw_agreement(first, second, LABELS, clusters=originals)

        return compute

    print(f"{options.judgements:,} judgements of {items:,} items, four of each original; {options.draws:,} bootstrap draws")
    point, interval = _seconds(kappa(2)), _seconds(kappa(options.draws))
    naive = (
        _seconds(lambda: _naive(first, second, originals, max(1, options.draws // 50))) * options.draws / (options.draws // 50)
    )
    _show("Cohen's kappa, point estimate", point)
    _show("Cohen's kappa with interval", interval)
    _show("the same, drawn item by item (from one draw in 50)", naive, f"{naive / interval:,.0f} times as long")
    points, intervals = _seconds(all_four(2)), _seconds(all_four(options.draws))
    _show("four statistics, point estimates", points)
    _show("four statistics with intervals", intervals)
    page = _page(items)
    ok = points < POINT_LIMIT and intervals < INTERVAL_LIMIT and page < INTERVAL_LIMIT
    print(
        f"{'As it should be' if ok else 'FAILED'}: point estimates under {POINT_LIMIT:g} s, intervals under {INTERVAL_LIMIT:g} s."
    )
    return int(not ok)


def _page(items: int) -> float:
    campaign = scratch.big_campaign(items=items, variants=4)
    scratch.answer_all(campaign, scratch.some_annotators(campaign, 12), agree=0.7)
    scratch.analyse()
    reading = _seconds(lambda: votes_of(campaign))
    votes = votes_of(campaign)
    analysing = _seconds(lambda: protocol_of(campaign).analyse(campaign, votes))
    _show(f"reading the judgements ({connection.vendor})", reading)
    _show("the whole analysis of the page, all intervals, pairs of 12 people", analysing)
    return reading + analysing


def _naive(first: list[str], second: list[str], clusters: list[int], draws: int) -> float:
    """The interval's width by resampling the originals one by one and computing kappa of each sample anew."""
    members: dict[int, list[int]] = {}
    for place, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(place)
    groups = list(members.values())
    draw = random.Random(1)
    values = []
    for _ in range(draws):
        chosen = [place for group in draw.choices(groups, k=len(groups)) for place in group]
        found = cohen_kappa([first[place] for place in chosen], [second[place] for place in chosen], LABELS, draws=2)
        values.append(found.value or 0.0)
    low, high = np.quantile(values, [0.025, 0.975])
    return float(high - low)


def _seconds(compute: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        compute()
        best = min(best, time.perf_counter() - start)
    return best


def _show(what: str, seconds: float, remark: str = "") -> None:
    print(f"  {what:<68}{seconds:>8.3f} s  {remark}".rstrip())
