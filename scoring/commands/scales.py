"""`python -m scoring deviation | likert | instructions`: judgements on a scale of whole numbers."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import dataclass
from typing import Any, Final

from scoring.judgements.deviation import median_deviation
from scoring.judgements.instructions import compare_instructions
from scoring.judgements.likert import by_variant, check_points, means, splits
from scoring.judgements.variance import anova, blocked_test, tukey
from scoring.result import ScoringError
from scoring.table import Row, Table, TableError

from . import Add, columns, filled

_LARGEST_SCORE: Final = 1_000_000

Item = tuple[str, str]
"""A text, and its variant where there are variants."""


def register(add: Add) -> None:
    scores = add("deviation", deviation, "Average deviation from the median of items judged at least three times.")
    _columns(scores)
    scores.add_argument("--group", metavar="COL", help="the variant; an item is then a pair of item and group")

    likert_ = add(
        "likert",
        likert,
        "Counts, shares and means of scores; do variants differ? (analysis of variance, Tukey, within originals)",
    )
    _columns(likert_)
    likert_.add_argument("--group", metavar="COL", help="the variant; an item is then a pair of item and group")
    likert_.add_argument("--original", metavar="COL", help="what variants share; default: the item")

    two = add(
        "instructions", instructions, "Scores under two instructions: a shift of the level, and whether it hangs on the variant."
    )
    _columns(two)
    two.add_argument("--group", required=True, metavar="COL", help="the variant")
    two.add_argument("--instruction", required=True, metavar="COL", help="which of the two instructions the judgement followed")
    two.add_argument("--original", metavar="COL", help="what variants share; default: the item")


def _columns(parser: ArgumentParser) -> None:
    parser.add_argument("--item", required=True, metavar="COL")
    parser.add_argument("--score", required=True, metavar="COL", help="whole numbers")
    parser.add_argument("--scale", type=_scale, metavar="LOW,HIGH", help="the ends of the scale; default: the scores found")


@dataclass(frozen=True, slots=True)
class _Scores:
    """Scores by item, the variant and original of each item, and the scale."""

    by_item: dict[Item, list[int]]
    variant_of: dict[Item, str]
    cluster_of: dict[Item, str]
    scale: tuple[int, int]
    scale_from: str


def deviation(options: Namespace) -> dict[str, Any]:
    """δ over the file's items; with `--group` an item is a pair of item and group, and groups are also shown apart."""
    judged = _read(options, filled(options.file, options.item, options.score, options.group))
    report = median_deviation(
        judged.by_item, variant_of=judged.variant_of if options.group else None, cluster_of=judged.cluster_of
    )
    bounds = [{"judgements": count, "low": 0.0, "high": high} for count, high in report.bounds(judged.scale).items()]
    return {"scale": list(judged.scale), "scale_from": judged.scale_from, **report.as_dict(), "bounds": bounds}


def likert(options: Namespace) -> dict[str, Any]:
    """The paper's tests over judgements, and the one within originals beside them, where there are variants."""
    table = filled(options.file, options.item, options.score, options.group, options.original)
    judged = _read(options, table)
    variant_of = judged.variant_of if options.group else None
    scores, cluster_of, scale = judged.by_item, judged.cluster_of, judged.scale
    try:
        check_points(scale)
    except ScoringError as error:
        remedy = "Are these scores? Name the ends of their scale with --scale, such as --scale 1,5."
        raise TableError(table.file, f"{error} {remedy}", column=options.score) from None
    halves = splits(scores, variant_of=variant_of, cluster_of=cluster_of, scale=scale)
    result = {
        "scale_from": judged.scale_from,
        **means(scores, variant_of=variant_of, cluster_of=cluster_of, scale=scale).as_dict(),
        "splits": {variant: found.as_dict() for variant, found in halves.items()},
    }
    if variant_of is None:
        return result
    observed = by_variant(scores, variant_of, cluster_of)
    groups = {variant: [score for _, score in judgements] for variant, judgements in observed.items()}
    return result | {
        "anova": anova(groups).as_dict(),
        "tukey": [comparison.as_dict() for comparison in tukey(groups)],
        "within_originals": blocked_test(observed).as_dict(),
    }


def instructions(options: Namespace) -> dict[str, Any]:
    """The second instruction less the first, in alphabetical order."""
    table = filled(options.file, options.item, options.score, options.group, options.instruction, options.original)
    rows: dict[str, list[Row]] = {}
    for row in table.rows:
        rows.setdefault(table.text(row, options.instruction), []).append(row)
    if len(rows) != 2:
        raise TableError(table.file, f"two instructions are compared, not {len(rows)}", column=options.instruction)
    first, second = sorted(rows)
    judged = {name: _read(options, Table(table.file, table.columns, tuple(rows[name]))) for name in (first, second)}
    one, other = judged[first], judged[second]
    report = compare_instructions(
        one.by_item,
        other.by_item,
        variant_of=one.variant_of | other.variant_of,
        cluster_of=one.cluster_of | other.cluster_of,
    )
    return {"first": first, "second": second, **report.as_dict()}


def _read(options: Namespace, table: Table) -> _Scores:
    scores: dict[Item, list[int]] = {}
    cluster_of: dict[Item, str] = {}
    low, high = options.scale or (-_LARGEST_SCORE, _LARGEST_SCORE)
    original = getattr(options, "original", None) or options.item
    for row in table.rows:
        item = table.text(row, options.item), table.text(row, options.group) if options.group else ""
        scores.setdefault(item, []).append(table.integer(row, options.score, low, high))
        cluster = table.text(row, original)
        if cluster_of.setdefault(item, cluster) != cluster:
            raise table.error(row, original, "this item has another original in a line before")
    found = [score for given in scores.values() for score in given]
    scale = options.scale or (min(found), max(found))
    return _Scores(
        scores, {item: item[1] for item in scores}, cluster_of, scale, "--scale" if options.scale else "the scores found"
    )


def _scale(text: str) -> tuple[int, int]:
    ends = columns(text)
    if len(ends) != 2 or not all(end.removeprefix("-").isascii() and end.removeprefix("-").isdigit() for end in ends):
        raise ArgumentTypeError(f"{text!r} is not LOW,HIGH, such as 1,5")
    low, high = map(int, ends)
    if not -_LARGEST_SCORE <= low < high <= _LARGEST_SCORE:
        raise ArgumentTypeError(f"{text!r} does not rise, or is too large")
    return low, high
