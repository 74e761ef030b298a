"""What each command of `python -m scoring` does: options in, a result ready for JSON out."""

from __future__ import annotations

from argparse import Namespace
from itertools import combinations
from typing import Any, Final

from .judgements.agreement import cohen_kappa, confusion, gwet_ac1, raw_agreement
from .judgements.deviation import median_deviation
from .result import ScoringError
from .table import Table, TableError, as_label, read_table
from .texts.bodega import score_examples
from .texts.semantic import EncoderSimilarity

_LARGEST_SCORE: Final = 1_000_000


def bodega(options: Namespace) -> dict[str, Any]:
    """The mean scores over the file's pairs. An empty cell is an empty text."""
    wanted = [options.original, options.adversarial, *([options.succeeded] if options.succeeded else [])]
    table = _filled(options.file, wanted)
    pairs = [(row[options.original], row[options.adversarial]) for row in table.rows]
    succeeded = [table.boolean(row, options.succeeded) for row in table.rows] if options.succeeded else None
    scorer = EncoderSimilarity() if options.semantic == "encoder" else None
    return {"pairs": len(pairs), **score_examples(pairs, succeeded, scorer=scorer, task=options.task).means()}


def agreement(options: Namespace) -> dict[str, Any]:
    """The statistics of each two annotators, in the order given; the first two come first. An empty cell means that
    the annotator did not judge the row."""
    names = options.annotators
    if len(names) < 2 or len(set(names)) < len(names):
        raise ScoringError("--annotators needs at least two different columns, such as --annotators first,second.")
    if options.labels and len(set(options.labels)) < len(options.labels):
        raise ScoringError("--labels names a label twice.")
    table = _filled(options.file, [*names, *([options.cluster] if options.cluster else [])])
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


def deviation(options: Namespace) -> dict[str, Any]:
    """δ over the file's items; with `--group` an item is a pair of item and group, and groups are also shown apart."""
    table = _filled(options.file, [options.item, options.score, *([options.group] if options.group else [])])
    scores: dict[tuple[str, str], list[int]] = {}
    for row in table.rows:
        item = table.text(row, options.item), table.text(row, options.group) if options.group else ""
        scores.setdefault(item, []).append(table.integer(row, options.score, -_LARGEST_SCORE, _LARGEST_SCORE))
    variant_of = {item: item[1] for item in scores} if options.group else None
    cluster_of = {item: item[0] for item in scores}
    return median_deviation(scores, variant_of=variant_of, cluster_of=cluster_of).as_dict()


def _filled(file: str, required: list[str]) -> Table:
    table = read_table(file, required=required)
    if not table.rows:
        raise TableError(table.file, "there is a header, but no row under it", line=1)
    return table
