"""TextAttack's CSV log, of older and newer versions.

Changed words stand in `[[ ]]`. Texts of several fields, such as premise and hypothesis, have each field's name in front, and the
fields stand on lines of their own or are joined by `<SPLIT>`.
"""

from __future__ import annotations

import re

from annotation.services.examples import ExampleRecord
from scoring.table import Row, Table

from .marks import SQUARES

BEFORE, AFTER = "original", "perturbed"
COLUMNS = tuple(f"{side}_{what}" for what in ("text", "output", "score") for side in (BEFORE, AFTER))
TRUTH, QUERIES, RESULT = "ground_truth_output", "num_queries", "result_type"
"""Columns of newer versions."""

SUCCESSFUL = "successful"
SPLIT = "<SPLIT>"
_FIELD = re.compile(r"^\[\[([A-Za-z_][\w -]{0,40})\]\]: ", re.MULTILINE)


def example(table: Table, row: Row) -> ExampleRecord | None:
    """One attack; None where it failed or was skipped."""
    outputs = [_label(table, row, f"{side}_output") for side in (BEFORE, AFTER)]
    if not _succeeded(table, row, outputs):
        return None
    texts = [_fields(table.text(row, f"{side}_text")) for side in (BEFORE, AFTER)]
    before, after = SQUARES.removed(*texts)
    return ExampleRecord(
        after,
        before,
        label=_label(table, row, TRUTH) if TRUTH in table.columns else None,
        label_before=outputs[0],
        label_after=outputs[1],
        score_before=table.number(row, f"{BEFORE}_score", empty_ok=True),
        score_after=table.number(row, f"{AFTER}_score", empty_ok=True),
        queries=table.integer(row, QUERIES, 0, 10**9, empty_ok=True) if QUERIES in table.columns else None,
        line=row.line,
    )


def _succeeded(table: Table, row: Row, outputs: list[int | None]) -> bool:
    """What the log says; older ones do not say it, but the victim's answer has changed."""
    if RESULT in table.columns:
        known = (SUCCESSFUL, "failed", "skipped", "maximized")
        cell = row[RESULT].strip().lower()
        if cell not in known:
            raise table.error(row, RESULT, f"{row[RESULT][:40]!r} is not one of {', '.join(known)}")
        return cell in (SUCCESSFUL, "maximized")
    if None not in outputs:
        return outputs[0] != outputs[1]
    return row[f"{BEFORE}_output"].strip() != row[f"{AFTER}_output"].strip()


def _label(table: Table, row: Row, column: str) -> int | None:
    """The class that the victim chose. Regressions and searches for meaning have other outputs: they are no labels."""
    cell = row[column].strip()
    return int(float(cell)) if re.fullmatch(r"[0-9]{1,4}(\.0*)?", cell) else None


def _fields(text: str) -> str:
    """The text with its fields on lines of their own, their names without the marks that changed words have."""
    return _FIELD.sub(r"\1: ", text.replace(SPLIT, "\n"))
