"""`python -m scoring calibrate`: BODEGA's components weighted, and its thresholds set, as people decided."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import numpy as np

from scoring.arguments import SEED
from scoring.table import Row, Table, TableError, as_label, as_number
from scoring.texts.alignment import TASKS, segmenter_for
from scoring.texts.bodega import score_examples
from scoring.texts.semantic import EncoderSimilarity, identity

from . import Add, filled


def register(add: Add) -> None:
    parser = add("calibrate", calibrate, "BODEGA's weights and acceptance thresholds, fitted to decisions, task by task.")
    parser.add_argument("--original", required=True, metavar="COL")
    parser.add_argument("--adversarial", required=True, metavar="COL")
    parser.add_argument("--label", required=True, metavar="COL", help="what people decided; rows without are left out")
    parser.add_argument("--preserved", required=True, metavar="VALUE", help="the label that says: meaning preserved")
    parser.add_argument("--confusion", metavar="COL", help="0 to 1, such as 1 for a success; without it all are successes")
    tasks = parser.add_mutually_exclusive_group(required=True)
    tasks.add_argument("--task", choices=TASKS, help="of all rows")
    tasks.add_argument("--task-column", metavar="COL", help="names each row's task")
    parser.add_argument("--seed", type=SEED, default=0)


def calibrate(options: Namespace) -> dict[str, Any]:
    """A result for each task that the file holds, in the order of BODEGA's tasks."""
    table = filled(options.file, options.original, options.adversarial, options.label, options.confusion, options.task_column)
    decided = [row for row in table.rows if row[options.label].strip()]
    preserved = as_label(options.preserved.strip())
    if preserved not in {as_label(row[options.label].strip()) for row in decided}:
        raise TableError(table.file, f"no row has the label {options.preserved!r}", column=options.label)
    by_task: dict[str, list[Row]] = {task: [] for task in TASKS}
    for row in decided:
        by_task[options.task or table.choice(row, options.task_column, TASKS)].append(row)
    scorer = EncoderSimilarity()
    undecided = len(table.rows) - len(decided)
    return {
        "semantic_scorer": identity(scorer),
        "left_out": {"without a label": undecided} if undecided else {},
        "tasks": {task: _task(table, task, rows, options, preserved, scorer) for task, rows in by_task.items() if rows},
    }


def _task(
    table: Table, task: str, rows: list[Row], options: Namespace, preserved: str, scorer: EncoderSimilarity
) -> dict[str, Any]:
    from scoring.texts.meaning.bodega_calibration import calibrate as fit_task
    from scoring.texts.meaning.bodega_calibration import sorted_components

    pairs = [(row[options.original], row[options.adversarial]) for row in rows]
    examples = score_examples(pairs, scorer=scorer, task=task).examples
    confusion = [_confusion(table, row, options.confusion) for row in rows]
    components = np.array(
        [[share, example.semantic, example.character] for share, example in zip(confusion, examples, strict=True)], dtype=float
    )
    kept = [as_label(row[options.label].strip()) == preserved for row in rows]
    return {"segmenter": segmenter_for(task).name} | fit_task(*sorted_components(pairs, kept, components), seed=options.seed)


def _confusion(table: Table, row: Row, column: str | None) -> float:
    if column is None:
        return 1.0
    value = as_number(table.text(row, column))
    if value is None or not 0 <= value <= 1:
        raise table.error(row, column, f"{row[column][:40]!r} is no number from 0 to 1")
    return value
