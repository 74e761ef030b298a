"""`python -m scoring agreement`: how far annotators agree."""

from __future__ import annotations

from argparse import Namespace
from itertools import combinations
from typing import Any

from scoring.judgements.agreement import cohen_kappa, confusion, gwet_ac1, raw_agreement
from scoring.result import ScoringError
from scoring.table import Table, TableError, as_label

from . import Add, columns, filled


def register(add: Add) -> None:
    people = add("agreement", agreement, "Raw agreement, Cohen's kappa and Gwet's AC1 of annotators in columns.")
    people.add_argument("--annotators", required=True, type=columns, metavar="COL,COL[,COL]")
    people.add_argument("--labels", type=columns, metavar="LABEL,LABEL", help="the allowed labels; default: those found")
    people.add_argument("--cluster", metavar="COL", help="rows that share this are resampled together, such as the original")


def agreement(options: Namespace) -> dict[str, Any]:
    """The statistics of each two annotators, in the order given; the first two come first. An empty cell means that
    the annotator did not judge the row."""
    names = options.annotators
    if len(names) < 2 or len(set(names)) < len(names):
        raise ScoringError("--annotators needs at least two different columns, such as --annotators first,second.")
    if options.labels and len(set(options.labels)) < len(options.labels):
        raise ScoringError("--labels names a label twice.")
    table = filled(options.file, *names, options.cluster)
    answers = {name: _answers(table, name, options.labels) for name in names}
    labels = options.labels or sorted({label for column in answers.values() for label in column if label is not None})
    if not labels:
        raise TableError(table.file, f"no cell of {', '.join(names)} holds a label")
    clusters = [row[options.cluster] for row in table.rows] if options.cluster else None
    return {
        "rows": len(table.rows),
        "labels": labels,
        "labels_from": "--labels" if options.labels else "the labels found in the file",
        "pairs": [_pair(first, second, answers, labels, clusters) for first, second in combinations(names, 2)],
    }


def _pair(
    first: str, second: str, answers: dict[str, list[str | None]], labels: list[str], clusters: list[str] | None
) -> dict[str, Any]:
    both = (answers[first], answers[second], labels)
    return {
        "first": first,
        "second": second,
        "cohen_kappa": cohen_kappa(*both, clusters=clusters).as_dict(),
        "raw_agreement": raw_agreement(*both, clusters=clusters).as_dict(),
        "gwet_ac1": gwet_ac1(*both, clusters=clusters).as_dict(),
        "confusion": confusion(*both),
    }


def _answers(table: Table, column: str, labels: list[str] | None) -> list[str | None]:
    if labels:
        return [table.choice(row, column, labels, empty_ok=True) for row in table.rows]
    return [as_label(row[column].strip()) or None for row in table.rows]
