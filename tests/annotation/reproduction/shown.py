"""What a reproduction's tables say, by the names of their rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotation.protocols.analysis import Figure, Table
from annotation.reproduction.published import Section
from scoring.result import Estimate


def tables_of(sections: Iterable[Section]) -> dict[str, Table]:
    return {table.key: table for section in sections for table in section.tables}


def here(table: Table) -> dict[str, Any]:
    """Each row's figure: the value of an estimate, or a count."""
    return {row[0]: _value(row[1]) for row in table.rows}


def estimate(table: Table, row: str) -> Estimate:
    found = {each[0]: each[1] for each in table.rows}[row]
    assert isinstance(found, Figure)
    return found.estimate


def printed(table: Table) -> dict[str, tuple[str, Any]]:
    """What is printed of each row, and the difference."""
    return {row[0]: (row[2], row[3]) for row in table.rows}


def _value(cell: Any) -> Any:
    return cell.estimate.value if isinstance(cell, Figure) else cell
