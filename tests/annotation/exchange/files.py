"""Small files in the published formats, written by hand."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign as CampaignRow
from annotation.models import Claim, Decision, Item, Judgement, Label, Original, Slot, User, Variant

INCREDIBLAE_COLUMNS = (
    "adversarial_samples", "original_samples", "annotator1_stance", "annotator1_confidence", "annotator2_stance",
    "annotator2_confidence", "annotator3_stance", "annotator3_confidence", "agreed_labels",
)  # fmt: skip
INCREDIBLAE_ROWS = (
    ("The brdige closes.", "The bridge closes.", "0.0", "5.0", "0.0", "4.0", "", "", "0.0"),
    ("The bridge opens.", "The bridge closes.", "1.0", "3.0", "2.0", "2.0", "1.0", "5.0", "1.0"),
    ("Rain on Moonday.", "Rain on Monday.", "0.0", "2.0", "1.0", "4.0", "2.0", "4.0", "1.0"),
    ("Raim on Monday.", "Rain on Monday.", "0.0", "2.0", "0.0", "2.0", "2.0", "5.0", "0.0"),
)

MTURK_COLUMNS = ("ind", "Input.text", "Answer.judgement.label", "Answer.judgement.score", "group", "multi_annotation")
ANSWERS = (
    "Very confident that written by a human with no computer alteration",
    "Probably written by a human with no computer alteration",
    "Uncertain whether original or altered by a computer",
    "Probably altered by a computer",
    "Very confident that it is altered by a computer",
)
WARM, WRAM, WIND = "a warm and very funny film about two brothers .", "a wram and very funny film about two brothers .", "dull ."


def opinion(text: str, score: int, group: str) -> tuple[str, ...]:
    """One row of the suspicion file."""
    return ("7", text, ANSWERS[score - 1], str(score), group, "FALSE")


MTURK_ROWS = (
    opinion(WARM, 1, "orig"),
    opinion(WRAM, 4, "textf_common"),
    opinion(WRAM, 5, "textfooler"),
    opinion(WRAM, 2, "pruthi_common"),
    opinion(WIND, 3, "bae"),
    opinion(WRAM, 2, "textf_common"),
)


def as_bytes(columns: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str = ",") -> bytes:
    """The table as a UTF-8 file."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([columns, *rows])
    return out.getvalue().encode()


def changed(rows: Sequence[Sequence[str]], row: int, column: int, cell: str) -> list[list[str]]:
    """The rows with one cell replaced; both counted from 0."""
    copy = [list(cells) for cells in rows]
    copy[row][column] = cell
    return copy


def rows_written() -> dict[str, int]:
    """How many rows stand in every table that an import writes to."""
    tables = (CampaignRow, Label, User, Original, Variant, Item, Slot, Claim, Judgement, Decision)
    return {table.__name__: table.objects.count() for table in tables}


NAMED_ANEW = re.compile(r'(?<=SAVEPOINT) .*|(?<=DECLARE) "\w+"| \(\d+\)$| WHERE .*', re.DOTALL)
"""What differs between two statements that ask the same: names of savepoints and cursors, numbers of rows."""


def statements(queries: CaptureQueriesContext) -> list[str]:
    """What was asked of the database, as a list that must not grow with the number of rows.

    Databases limit how many values one statement takes, so writing many rows takes several statements: those of one table that
    follow each other count as one, if all but the last were filled. Rows written one by one are not hidden by this.
    """
    found: list[str] = []
    last_rows = 0
    for query in queries:
        writing = re.match(r'(INSERT (?:OR IGNORE )?INTO|UPDATE) "(\w+)"', query["sql"])
        kind = writing[0] if writing else NAMED_ANEW.sub("", query["sql"])
        rows = max(query["sql"].count("), ("), query["sql"].count("WHEN (")) + 1
        if not (writing and found and found[-1] == kind and last_rows > 10):
            found.append(kind)
        last_rows = rows
    return found
