"""`python -m scoring deviation`: the average deviation from the median."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Final

from scoring.judgements.deviation import median_deviation

from . import Add, filled

_LARGEST_SCORE: Final = 1_000_000


def register(add: Add) -> None:
    scores = add("deviation", deviation, "Average deviation from the median of items judged at least three times.")
    scores.add_argument("--item", required=True, metavar="COL")
    scores.add_argument("--score", required=True, metavar="COL", help="whole numbers")
    scores.add_argument("--group", metavar="COL", help="the variant; an item is then a pair of item and group")


def deviation(options: Namespace) -> dict[str, Any]:
    """δ over the file's items; with `--group` an item is a pair of item and group, and groups are also shown apart."""
    table = filled(options.file, options.item, options.score, options.group)
    scores: dict[tuple[str, str], list[int]] = {}
    for row in table.rows:
        item = table.text(row, options.item), table.text(row, options.group) if options.group else ""
        scores.setdefault(item, []).append(table.integer(row, options.score, -_LARGEST_SCORE, _LARGEST_SCORE))
    variant_of = {item: item[1] for item in scores} if options.group else None
    cluster_of = {item: item[0] for item in scores}
    return median_deviation(scores, variant_of=variant_of, cluster_of=cluster_of).as_dict()
