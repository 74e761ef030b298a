"""The formats in which examples come. `FORMATS` is the one place that lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotation.services.examples import ExampleRecord
from scoring.table import Row, Table, TableError

from . import bodega, columns, incrediblae, mturk, passable, textattack
from .columns import Reading
from .sheets import SourceFile, beginning_of, table_of

TableReader = Callable[[SourceFile], Table]
ByRow = Callable[[Table, Row], ExampleRecord | None]


@dataclass(frozen=True, slots=True)
class ExampleFormat:
    """One format: how its rows are found, how one row becomes an example (None: its attack failed) by the columns that were
    chosen, and how it is recognised.

    `mapped`: somebody has to say which column holds what. `singles`: rows are texts whose original is not known.
    """

    title: str
    about: str
    table: TableReader
    example: Callable[[Table, Row, Mapping[str, str]], ExampleRecord | None]
    recognises: Callable[[SourceFile, tuple[str, ...]], bool]
    mapped: bool = False
    singles: bool = False
    names_makers: bool = True
    """Whether a row may say who made its text; else only the file's name can, or whoever imports it."""
    bare: bool = False
    """Whether its lines hold no quotes, so that it is no table as others are."""


def _fixed(title: str, about: str, required: tuple[str, ...], example: ByRow, **kind: bool) -> ExampleFormat:
    """A table that is known by its columns."""
    return ExampleFormat(
        title,
        about,
        partial(table_of, required=required),
        lambda table, row, chosen: example(table, row),
        lambda source, found: set(required) <= set(found),
        **kind,
    )


def _lines(
    title: str, about: str, table: TableReader, example: ByRow, recognises: Callable[[SourceFile, tuple[str, ...]], bool]
) -> ExampleFormat:
    """Lines of BODEGA, which say nothing about the attack."""
    return ExampleFormat(
        title,
        about,
        table,
        lambda table, row, chosen: example(table, row),
        recognises,
        names_makers=False,
        bare=True,
    )


TABLE = "table"
RESULTS = "bodega-results"
"""Figures of attacks; they hold no examples, and are kept with the campaign."""

FORMATS: dict[str, ExampleFormat] = {
    "passable": ExampleFormat(
        "Passable's own export (items.jsonl)",
        "the texts of every item of another campaign",
        passable.table,
        lambda table, row, chosen: passable.example(table, row),
        lambda source, found: passable.recognises(source),
    ),
    "bodega-raw": _lines(
        "BODEGA, raw file", "one line per success: score, old and new text", bodega.raw_table, bodega.raw_example,
        lambda source, found: bodega.is_raw(source),
    ),
    "bodega-submission": _lines(
        "BODEGA, submission of a shared task", "succeeded, num_queries, original_text, modified_text",
        bodega.submission_table, bodega.submission_example,
        lambda source, found: bodega.is_submission(source),
    ),
    "textattack": _fixed(
        "TextAttack, CSV log", "older and newer columns; changed words in [[ ]]", textattack.COLUMNS, textattack.example,
        names_makers=False,
    ),
    "incrediblae": _fixed(
        "InCrediblAE, pairs of the manual evaluation", "the pairs alone, without their published judgements",
        (incrediblae.ORIGINAL, incrediblae.ADVERSARIAL), incrediblae.example,
    ),
    "mturk-suspicion": _fixed(
        "HumanAdvSuspiciousness, texts of the MTurk study", "the texts alone, without their published judgements",
        (mturk.TEXT, mturk.GROUP), mturk.example, singles=True,
    ),
    TABLE: ExampleFormat(
        "Any table (CSV, TSV, JSONL, XLSX)", "you say which column holds what",
        table_of, columns.example, lambda source, found: True, mapped=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Guess:
    """What a file looks like: its format, its columns and first rows where it has a header, and how it might be read; `problem`
    says why it cannot be read at all."""

    format: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    reading: Reading
    problem: str = ""

    @property
    def found(self) -> dict[str, Any]:
        """What pages show of it, as plain values."""
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows], "problem": self.problem}


def guess(source: SourceFile) -> Guess:
    """The likeliest format of a file. One that cannot be read as a table has no columns."""
    values = {name: value for name, value in bodega.named(source.name).items() if name in columns.VALUES}
    if bodega.is_results(source):
        return Guess(RESULTS, (), (), Reading({}, values))
    start, problem = Table(source.name, (), ()), ""
    try:
        start = beginning_of(source)
    except TableError as wrong:
        problem = str(wrong)
    key = next(key for key, known in FORMATS.items() if known.recognises(source, start.columns))
    rows = tuple(tuple(row[column][:200] for column in start.columns) for row in start.rows)
    return Guess(key, start.columns, rows, Reading(columns.guessed(start.columns), values), "" if FORMATS[key].bare else problem)
