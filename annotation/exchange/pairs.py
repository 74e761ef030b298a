"""Examples to be judged: pairs of an original and an adversarial text, optionally with the attacker that made it."""

from __future__ import annotations

from annotation.services.recording import RecordedItem, RecordedText, key_of
from scoring.table import Row, Table

from .study import KIND_LENGTH, UNCHANGED, UNKNOWN, Study

ORIGINAL, ADVERSARIAL, ATTACKER = "original", "adversarial", "attacker"
COLUMNS = (ORIGINAL, ADVERSARIAL)


def read(table: Table) -> Study:
    """A meaning campaign that is still to be judged. Raises TableError at the first cell that cannot be used."""
    return Study(protocol="meaning", task="", settings={}, items=[_item(table, row) for row in table.rows])


def _item(table: Table, row: Row) -> RecordedItem:
    original, modified = table.text(row, ORIGINAL), table.text(row, ADVERSARIAL)
    return RecordedItem(
        original_key=key_of(original),
        first=RecordedText(UNCHANGED, original),
        second=RecordedText(_attacker(table, row), modified),
    )


def _attacker(table: Table, row: Row) -> str:
    if ATTACKER not in table.columns:
        return UNKNOWN
    attacker = (table.text(row, ATTACKER, empty_ok=True) or UNKNOWN).strip()
    if attacker == UNCHANGED:
        raise table.error(row, ATTACKER, f"“{UNCHANGED}” means the text before the attack; name the attacker or leave it empty")
    if len(attacker) > KIND_LENGTH:
        raise table.error(row, ATTACKER, f"the name has {len(attacker)} characters; at most {KIND_LENGTH} fit")
    return attacker
