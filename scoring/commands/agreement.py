"""`python -m scoring agreement`: how far annotators agree."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, get_args

from scoring.judgements.agreement import Weights, cohen_kappa, confusion, gwet_ac1, raw_agreement
from scoring.judgements.annotators import bias_by_annotator, confidence_and_correctness
from scoring.judgements.pools import (
    LEVELS,
    Level,
    fleiss_kappa,
    krippendorff_alpha,
    pool_ac1,
    pool_agreement,
    pool_confusion,
)
from scoring.judgements.two_pools import compare_pools
from scoring.result import ScoringError
from scoring.table import LARGEST, Row, Table, TableError, as_label, as_number

from . import Add, columns, filled, labels

_WEIGHTS = tuple(name for kind in get_args(Weights) for name in get_args(kind))


def register(add: Add) -> None:
    people = add(
        "agreement",
        agreement,
        "Agreement of annotators: raw, Cohen's kappa of every two, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1, the lean "
        "of each annotator. One column an annotator (--annotators), or one row a judgement (--item, --annotator, --label).",
    )
    people.add_argument("--annotators", type=columns, metavar="COL,COL[,COL]", help="a row is an item")
    people.add_argument("--item", metavar="COL", help="a row is a judgement: of which item")
    people.add_argument("--annotator", metavar="COL", help="... by whom")
    people.add_argument("--label", metavar="COL", help="... and what was said")
    people.add_argument(
        "--labels", type=labels, metavar="LABEL,LABEL", help="the allowed labels in their order; default: those found"
    )
    people.add_argument(
        "--level", choices=LEVELS, default="nominal", help="how alpha compares labels; interval: labels are numbers"
    )
    people.add_argument("--weights", choices=_WEIGHTS, help="of Cohen's kappa, by the order of the labels")
    people.add_argument("--cluster", metavar="COL", help="rows that share this are resampled together, such as the original")
    people.add_argument("--confidence", metavar="COL", help="with --item: how sure the annotator was, a whole number")
    people.add_argument(
        "--pool", metavar="COL", help="with --item: which of two pools the annotator is in; the pools are compared"
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """Items in the order of the file: who called them what, in which cluster, and how sure each was."""

    table: Table
    annotators: list[str]
    units: list[dict[str, str]]
    clusters: list[str] | None
    labels: list[str]
    rows: list[dict[str, Row]]


def agreement(options: Namespace) -> dict[str, Any]:
    """An empty cell means that the annotator did not judge the item."""
    judged = _long(options) if options.item or options.annotator or options.label else _wide(options)
    level: Level = options.level
    values = _values(judged, level)
    pool = (judged.units, judged.labels)
    return {
        "rows": len(judged.table.rows),
        "items": len(judged.units),
        "labels": judged.labels,
        "labels_from": "--labels" if options.labels else "the labels found in the file",
        "pairs": [_pair(judged, first, second, options.weights) for first, second in combinations(judged.annotators, 2)],
        "pool": {
            "raw_agreement": pool_agreement(*pool, clusters=judged.clusters).as_dict(),
            "fleiss_kappa": fleiss_kappa(*pool, clusters=judged.clusters).as_dict(),
            "krippendorff_alpha": krippendorff_alpha(*pool, level=level, values=values, clusters=judged.clusters).as_dict(),
            "gwet_ac1": pool_ac1(*pool, clusters=judged.clusters).as_dict(),
            "confusion": pool_confusion(*pool),
        },
        "annotators": [
            {"annotator": who, **bias.as_dict()}
            for who, bias in bias_by_annotator(*pool, values=values, clusters=judged.clusters).items()
        ],
        **_confidence(judged, options.confidence),
        **_pools(judged, options, values),
    }


def _pair(judged: _Judged, first: str, second: str, weights: Weights) -> dict[str, Any]:
    both = ([unit.get(first) for unit in judged.units], [unit.get(second) for unit in judged.units], judged.labels)
    return {
        "first": first,
        "second": second,
        "cohen_kappa": cohen_kappa(*both, clusters=judged.clusters, weights=weights).as_dict(),
        "raw_agreement": raw_agreement(*both, clusters=judged.clusters).as_dict(),
        "gwet_ac1": gwet_ac1(*both, clusters=judged.clusters).as_dict(),
        "confusion": confusion(*both),
    }


def _wide(options: Namespace) -> _Judged:
    names = options.annotators or []
    if len(names) < 2 or len(set(names)) < len(names):
        raise ScoringError(
            "--annotators needs at least two different columns, such as --annotators first,second; where a row is a judgement, "
            "give --item, --annotator and --label instead."
        )
    if options.confidence or options.pool:
        raise ScoringError("--confidence and --pool go with --item, --annotator and --label, where a row is a judgement.")
    table = filled(options.file, *names, options.cluster)
    units = []
    for row in table.rows:
        given = {name: _label(table, row, name, options.labels) for name in names}
        units.append({name: label for name, label in given.items() if label is not None})
    clusters = [table.text(row, options.cluster) for row in table.rows] if options.cluster else None
    found = _labels(table, options, units, ", ".join(names))
    return _Judged(table, names, units, clusters, found, [])


def _long(options: Namespace) -> _Judged:
    if options.annotators or not (options.item and options.annotator and options.label):
        raise ScoringError("Give --annotators, or all of --item, --annotator and --label.")
    wanted = (options.item, options.annotator, options.label, options.cluster, options.confidence, options.pool)
    table = filled(options.file, *wanted)
    rows: dict[str, dict[str, Row]] = {}
    units: dict[str, dict[str, str]] = {}
    clusters: dict[str, str] = {}
    for row in table.rows:
        item, who = table.text(row, options.item), table.text(row, options.annotator)
        label = _label(table, row, options.label, options.labels)
        own = rows.setdefault(item, {})
        if who in own:
            problem = f"{who!r} has already judged this item in line {own[who].line}"
            raise table.error(row, options.annotator, problem)
        own[who] = row
        units.setdefault(item, {})
        if label is not None:
            units[item][who] = label
        cluster = table.text(row, options.cluster) if options.cluster else item
        if clusters.setdefault(item, cluster) != cluster:
            raise table.error(row, options.cluster, "this item is in another cluster in a line before")
    found = _labels(table, options, list(units.values()), options.label)
    annotators = list(dict.fromkeys(who for own in rows.values() for who in own))
    return _Judged(table, annotators, list(units.values()), list(clusters.values()), found, list(rows.values()))


def _label(table: Table, row: Row, column: str, allowed: Sequence[str] | None) -> str | None:
    if allowed:
        return table.choice(row, column, allowed, empty_ok=True)
    return as_label(row[column].strip()) or None


def _labels(table: Table, options: Namespace, units: Sequence[dict[str, str]], where: str) -> list[str]:
    if options.labels:
        if len(set(options.labels)) < len(options.labels):
            raise ScoringError("--labels names a label twice.")
        return list(options.labels)
    found = sorted({label for unit in units for label in unit.values()}, key=_in_order)
    if not found:
        raise TableError(table.file, f"no cell of {where} holds a label")
    return found


def _in_order(label: str) -> tuple[float, str]:
    """Numbers by their size, before other labels in alphabetical order."""
    number = _number(label)
    return (float("inf") if number is None else number, label)


def _values(judged: _Judged, level: Level) -> list[float] | None:
    """The labels as numbers where all are; the interval level needs them."""
    numbers = [_number(label) for label in judged.labels]
    values = [number for number in numbers if number is not None]
    if len(values) < len(numbers):
        if level == "interval":
            odd = judged.labels[numbers.index(None)]
            raise TableError(judged.table.file, f"the label {odd!r} is no number up to {LARGEST:g}, as --level interval needs")
        return None
    for one, other in pairwise(sorted(judged.labels, key=_in_order)):
        if level == "interval" and _number(one) == _number(other):
            raise TableError(judged.table.file, f"the labels {one!r} and {other!r} are the same number; write it in one way")
    return values


def _number(label: str) -> float | None:
    number = as_number(label)
    return None if number is None or abs(number) > LARGEST else number


def _confidence(judged: _Judged, column: str | None) -> dict[str, Any]:
    if not column:
        return {}
    answers = {
        place: [(label, judged.table.integer(rows[who], column, 0, 1_000, empty_ok=True)) for who, label in unit.items()]
        for place, (unit, rows) in enumerate(zip(judged.units, judged.rows, strict=True))
    }
    clusters = dict(enumerate(judged.clusters or []))
    return {"confidence": confidence_and_correctness(answers, cluster_of=clusters).as_dict()}


def _pools(judged: _Judged, options: Namespace, values: Sequence[float] | None) -> dict[str, Any]:
    column = options.pool
    if not column:
        return {}
    pool_of: dict[str, str] = {}
    for own in judged.rows:
        for who, row in own.items():
            pool = judged.table.text(row, column)
            if pool_of.setdefault(who, pool) != pool:
                raise judged.table.error(row, column, f"{who!r} is in another pool in a line before")
    compared = compare_pools(
        judged.units,
        judged.labels,
        pool_of,
        level=options.level,
        values=values,
        weights=options.weights,
        clusters=judged.clusters,
    )
    return {"pools": {name: found.as_dict() for name, found in compared.items()}}
