"""Files of BODEGA: raw files (one line per success), submissions of shared tasks, and results.

What an attack was stands in the file's name: `raw_PR2_False_BERTattack_BiLSTM.tsv`, `submission_FC_False_ours_BERT.tsv`,
`results_HN_True_PWWS_GEMMA.txt`: task, targeted or not, attacker, victim.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from annotation.services.examples import ExampleRecord
from attacks.tasks import decode_loosely
from scoring.table import Row, Table, TableError, as_number

from .marks import ANGLES, MarksDiffer
from .sheets import SourceFile, lines_of

NAME = re.compile(r"(?:raw|submission|results)_([^_]+)_(True|False)(?:_(.+)_([^_]+)|_.*)?")

SCORE, OLD, NEW = RAW_COLUMNS = ("score", "old", "new")
SUCCEEDED, QUERIES, ORIGINAL, MODIFIED = SUBMISSION_COLUMNS = ("succeeded", "num_queries", "original_text", "modified_text")
FAILED = "ATTACK_UNSUCCESSFUL"
SNIFFED = 100_000
SCORE_CELL = re.compile(r"[01](\.[0-9]+)?(e-[0-9]+)?")

FIGURES = (
    "Subset size", "Success score", "Semantic score", "Character score", "BODEGA score", "Queries per example",
    "Total attack time", "Time per example", "Total evaluation time",
)  # fmt: skip


def named(file: str) -> dict[str, str]:
    """What the file's name says about the attack; empty where it is not one of BODEGA's names. One that lacks the attacker or the
    victim says neither, for nothing tells which of them is there."""
    match = NAME.fullmatch(PurePath(file).stem)
    if match is None:
        return {}
    task, targeted, attacker, victim = match.groups()
    scenario = "targeted" if targeted == "True" else "untargeted"
    return {"task": task, "scenario": scenario} | ({"attacker": attacker, "victim": victim} if attacker else {})


def raw_table(source: SourceFile) -> Table:
    """Lines of score, old and new text, without a header."""
    return lines_of(source, RAW_COLUMNS, header=False)


def raw_example(table: Table, row: Row) -> ExampleRecord:
    """One success: the texts as BODEGA normalised them, without the marks of what was deleted and inserted."""
    try:
        old, new = ANGLES.removed(table.text(row, OLD), table.text(row, NEW))
    except MarksDiffer:
        raise table.error(row, NEW, "the texts differ outside of what < > mark as changed") from None
    return ExampleRecord(new, old, bodega_score=table.number(row, SCORE, empty_ok=True), line=row.line)


def is_raw(source: SourceFile) -> bool:
    """Whether the file begins like a raw file: a score and two texts between tabs."""
    first = source.data[:SNIFFED].lstrip(b"\xef\xbb\xbf").decode(errors="replace").split("\n")[0].split("\t")
    return len(first) == len(RAW_COLUMNS) and SCORE_CELL.fullmatch(first[0]) is not None


def is_submission(source: SourceFile) -> bool:
    """Whether the file begins like a submission: its columns, between tabs."""
    header = source.data[:SNIFFED].lstrip(b"\xef\xbb\xbf").decode(errors="replace").splitlines()[:1]
    return bool(header) and tuple(header[0].rstrip("\t").split("\t")) == SUBMISSION_COLUMNS


def submission_table(source: SourceFile) -> Table:
    """A submission's lines under their header."""
    return lines_of(source, SUBMISSION_COLUMNS, header=True)


def submission_example(table: Table, row: Row) -> ExampleRecord | None:
    """One text of the attack set; None where the attack failed."""
    if not table.boolean(row, SUCCEEDED) or row[MODIFIED].strip() == FAILED:
        return None
    queries = table.integer(row, QUERIES, 0, 10**9, empty_ok=True)
    original, modified = (decode_loosely(table.text(row, column)) for column in (ORIGINAL, MODIFIED))
    return ExampleRecord(modified, original, queries=queries, line=row.line)


def results_of(source: SourceFile) -> dict[str, float]:
    """The nine figures of a results file, without those that are nan: means of successes where there is none.

    Raises TableError for a line that is no figure, or a figure that is missing.
    """
    found: dict[str, float] = {}
    absent: set[str] = set()
    for line, text in enumerate(source.text.splitlines(), start=1):
        if not text.strip():
            continue
        key, _, value = (part.strip() for part in text.partition(":"))
        if key not in FIGURES:
            raise TableError(source.name, f"“{key}” is not one of BODEGA's figures", line=line)
        figure = as_number(value)
        if value == "nan":
            absent.add(key)
        elif figure is None:
            raise TableError(source.name, f"“{value}” is no number", line=line, column=key)
        else:
            found[key] = figure
    missing = [figure for figure in FIGURES if figure not in found and figure not in absent]
    if missing:
        raise TableError(source.name, f"these figures are missing: {', '.join(missing)}")
    return found


def is_results(source: SourceFile) -> bool:
    """Whether the file begins like a results file."""
    return source.data.lstrip(b"\xef\xbb\xbf").startswith(tuple(f"{figure}:".encode() for figure in FIGURES))
