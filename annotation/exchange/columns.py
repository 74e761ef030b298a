"""Any table whose columns somebody has named: which column holds which part of an example."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.models import Item
from annotation.services.examples import ExampleRecord
from scoring.table import Row, Table

TEXTS = {"original": "Original text", "adversarial": "Adversarial text"}
NAMES = {"task": "Task or data set", "attacker": "Attacker or team", "victim": "Victim"}
CHOICES = {"scenario": "Scenario: targeted or untargeted"}
LABELS = {"label": "Label by the data set", "label_before": "Victim's label before", "label_after": "Victim's label after"}
NUMBERS = {
    "score_before": "Victim's score before",
    "score_after": "Victim's score after",
    "bodega_score": "BODEGA score",
}
OTHERS = {"queries": "Number of queries", "succeeded": "Whether the attack succeeded", "key": "What identifies the original"}
KNOWN = {
    "known": "Known answer",
    "use": "Used for",
    "explanation": "Why it is right",
}
FIELDS = TEXTS | NAMES | CHOICES | LABELS | NUMBERS | OTHERS | KNOWN
"""Every part of an example that a column can hold, as pages call it."""

VALUES = NAMES | CHOICES
"""What can also be said once for the whole file."""

SCENARIOS = ("targeted", "untargeted")
MOST_LABELS = 1000
_YES, _NO = ("true", "yes", "1", "successful", "success"), ("false", "no", "0", "failed", "skipped")
_ALSO = {
    "original": ("original_text", "before", "source_text", "original_samples", "clean", "text_before", "reference"),
    "adversarial": (
        "adversarial_text", "modified_text", "after", "perturbed", "perturbed_text", "modified", "adversarial_samples", "text",
        "attacked", "sentence", "candidate",
    ),
    "task": ("dataset", "data_set", "domain"),
    "attacker": ("attack", "team", "method", "group", "attack_name", "system"),
    "victim": ("model", "classifier", "victim_model"),
    "label": ("gold", "true_label", "ground_truth_output", "ground_truth", "gold_label"),
    "label_before": ("original_label", "original_output", "predicted_before"),
    "label_after": ("adversarial_label", "perturbed_output", "predicted_after"),
    "score_before": ("original_score",),
    "score_after": ("perturbed_score", "adversarial_score"),
    "bodega_score": ("bodega",),
    "queries": ("num_queries", "query_count", "n_queries"),
    "succeeded": ("success", "successful", "status", "result_type"),
    "key": ("id", "original_id", "source_id", "original_key"),
    "known": ("known_answer", "right_answer"),
    "use": ("used_for",),
    "explanation": ("why",),
}  # fmt: skip

_OWN = {"original": "first_text", "adversarial": "second_text", "task": "task", "attacker": "second_kind", "key": "original"}
"""The columns of this product's own tables."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read: which column holds a field, and the values that hold for every row where no column says otherwise."""

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def as_dict(self) -> dict[str, dict[str, str]]:
        return {"columns": dict(self.columns), "values": dict(self.values)}


def guessed(columns: Sequence[str]) -> dict[str, str]:
    """Field → column, by the columns' names."""
    if {"first_text", "second_text"} <= set(columns):
        return {field: column for field, column in _OWN.items() if column in columns}
    plain = {re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_"): column for column in reversed(columns)}
    found: dict[str, str] = {}
    for name in FIELDS:
        column = next((plain[also] for also in (name, *_ALSO.get(name, ())) if also in plain), None)
        if column is not None and column not in found.values():
            found[name] = column
    return found


def example(table: Table, row: Row, columns: Mapping[str, str]) -> ExampleRecord | None:
    """One row; None where its attack failed. Raises TableError at the first cell that cannot be used."""
    cells = _Cells(table, row, columns)
    if cells.succeeded is False:
        return None
    return ExampleRecord(
        table.text(row, columns["adversarial"]),
        cells.text("original"),
        original_key=cells.name("key")[:80],
        task=cells.name("task"),
        attacker=cells.name("attacker"),
        victim=cells.name("victim"),
        scenario=cells.name("scenario"),
        label=cells.whole("label", MOST_LABELS),
        label_before=cells.whole("label_before", MOST_LABELS),
        label_after=cells.whole("label_after", MOST_LABELS),
        score_before=cells.number("score_before"),
        score_after=cells.number("score_after"),
        bodega_score=cells.number("bodega_score"),
        queries=cells.whole("queries", 10**9),
        use=cells.name("use").lower() or Item.Use.WORK,
        known=cells.name("known"),
        explanation=(cells.text("explanation") if cells.name("explanation") else None) or "",
        line=row.line,
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of one row by field."""

    table: Table
    row: Row
    columns: Mapping[str, str]

    def _column(self, name: str) -> str | None:
        return self.columns.get(name) or None

    def text(self, name: str) -> str | None:
        column = self._column(name)
        return None if column is None else self.table.text(self.row, column)

    def name(self, name: str) -> str:
        column = self._column(name)
        return self.row[column].strip() if column else ""

    @property
    def succeeded(self) -> bool | None:
        column = self._column("succeeded")
        if column is None or not self.row[column].strip():
            return None
        cell = self.row[column].strip().lower().removesuffix(".0")
        if cell not in _YES + _NO:
            raise self.table.error(self.row, column, f"{cell[:40]!r} is not one of {', '.join(_YES + _NO)}")
        return cell in _YES

    def whole(self, name: str, most: int) -> int | None:
        column = self._column(name)
        return None if column is None else self.table.integer(self.row, column, 0, most, empty_ok=True)

    def number(self, name: str) -> float | None:
        column = self._column(name)
        return None if column is None else self.table.number(self.row, column, empty_ok=True)
