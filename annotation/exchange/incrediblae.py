"""The published judgements of the CLEF 2024 CheckThat! shared task 6, InCrediblAE (Przybyła et al. 2024).

One row per pair: an original, its adversarial text, two judgements with confidence, sometimes a third, and the agreed label. The
file says neither which team made a text nor who judged it.
"""

from __future__ import annotations

from annotation.protocols import PROTOCOLS
from annotation.services.examples import ExampleRecord
from annotation.services.recording import RecordedAnswer, RecordedItem, RecordedText, key_of
from scoring.table import Row, Table

from .study import UNCHANGED, UNKNOWN, Study

ORIGINAL, ADVERSARIAL, AGREED = "original_samples", "adversarial_samples", "agreed_labels"
POSITIONS = (1, 2, 3)
TASK = "FC"
COLUMNS = (
    ADVERSARIAL,
    ORIGINAL,
    *(f"annotator{position}_{what}" for position in POSITIONS for what in ("stance", "confidence")),
    AGREED,
)

STANCES = {str(label.value): label.key for label in PROTOCOLS["meaning"].preset("incrediblae").labels}


def read(table: Table) -> Study:
    """A meaning campaign with all judgements. Raises TableError at the first cell that is not as published."""
    return Study(
        protocol="meaning",
        task=TASK,
        settings={"tie": "first"},
        items=[_item(table, row) for row in table.rows],
        annotators=tuple(f"annotator{position}" for position in POSITIONS),
        notes={"attackers": "not in the file", "labels": "numbers in the file; their names here are Passable's"},
    )


def example(table: Table, row: Row) -> ExampleRecord:
    """The pair alone, to be judged anew."""
    return ExampleRecord(table.text(row, ADVERSARIAL), table.text(row, ORIGINAL), task=TASK, line=row.line)


def _item(table: Table, row: Row) -> RecordedItem:
    original = table.text(row, ORIGINAL)
    modified = table.text(row, ADVERSARIAL)
    answers = [_answer(table, row, position) for position in POSITIONS if position < 3 or _has_third(row)]
    agreed = table.choice(row, AGREED, tuple(STANCES), empty_ok=True)
    return RecordedItem(
        original_key=key_of(original),
        first=RecordedText(UNCHANGED, original),
        second=RecordedText(UNKNOWN, modified),
        answers=tuple(answers),
        published_label="" if agreed is None else STANCES[agreed],
    )


def _has_third(row: Row) -> bool:
    return any(row[column].strip() for column in ("annotator3_stance", "annotator3_confidence"))


def _answer(table: Table, row: Row, position: int) -> RecordedAnswer:
    stance = table.choice(row, f"annotator{position}_stance", tuple(STANCES))
    confidence = table.integer(row, f"annotator{position}_confidence", 1, 5)
    return RecordedAnswer(position, STANCES[stance], confidence)
