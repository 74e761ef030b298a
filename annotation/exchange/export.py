"""Writers: two tables for spreadsheets and one exact file for programs. All of them stream."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.models import Campaign

from .codebook import codebook_of
from .records import ItemRecord, JudgementRecord, records_of

BOM = "\ufeff"
"""Without it, spreadsheets guess the encoding, and texts with homoglyphs come out as something else."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

ITEM_COLUMNS = ("item", "task", "original", "variant", "first_kind", "first_text", "second_kind", "second_text")
JUDGEMENT_COLUMNS = (
    "campaign", *ITEM_COLUMNS, "annotator", "annotator_kind", "position", "label", "value", "confidence", "comment", "counted",
    "uncounted", "swapped", "seconds", "submitted_at", "decision", "decision_value", "decided_how", "simulated",
)  # fmt: skip
DECISION_COLUMNS = (
    "campaign", *ITEM_COLUMNS, "decision", "decision_value", "decided_how", "judgements", "uncounted", "published_label",
    "decided_at", "simulated",
)  # fmt: skip


def judgements_csv(campaign: Campaign) -> Iterator[str]:
    """One row per answer, counted or not, for spreadsheets: cells that they would execute begin with an apostrophe."""
    rows = (_judgement_row(campaign, item, given) for item in records_of(campaign) for given in item.judgements)
    return _csv(JUDGEMENT_COLUMNS, rows)


def decisions_csv(campaign: Campaign) -> Iterator[str]:
    """One row per item with its decision, guarded in the same way."""
    return _csv(DECISION_COLUMNS, (_decision_row(campaign, item) for item in records_of(campaign)))


def items_jsonl(campaign: Campaign) -> Iterator[str]:
    """One line per item with its texts exactly as they are, its answers and its decision."""
    for item in records_of(campaign):
        line = {"campaign": campaign.name, "protocol": campaign.protocol, "simulated": campaign.simulated, **asdict(item)}
        yield json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n"


def codebook_md(campaign: Campaign) -> Iterator[str]:
    """What the files hold, in Markdown."""
    yield codebook_of(campaign)


FILES: dict[str, Callable[[Campaign], Iterator[str]]] = {
    "judgements.csv": judgements_csv,
    "decisions.csv": decisions_csv,
    "items.jsonl": items_jsonl,
    "codebook.md": codebook_md,
}
"""What a campaign is exported as, by file name."""


def write_export(campaign: Campaign, folder: Path) -> list[Path]:
    """Write every file of the export into the folder, which is made if absent. Returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, parts in FILES.items():
        path = folder / name
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts(campaign))
        written.append(path)
    return written


def guarded(cell: Any) -> Any:
    """The cell as a spreadsheet may hold it: text that would be taken for a formula begins with an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def _csv(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield BOM + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([guarded(cell) for cell in row])


class _Line:
    """A file that gives back what is written: `writerow` then returns the line."""

    def write(self, line: str) -> str:
        return line


def _item_cells(item: ItemRecord) -> tuple[Any, ...]:
    texts = (item.first_kind, item.first_text, item.second_kind, item.second_text)
    return (item.number, item.task, item.original, item.variant, *texts)


def _decision_cells(item: ItemRecord) -> tuple[Any, ...]:
    return (None, None, "open") if item.decision is None else (item.decision.label, item.decision.value, item.decision.how)


def _judgement_row(campaign: Campaign, item: ItemRecord, given: JudgementRecord) -> tuple[Any, ...]:
    answer = (given.label, given.value, given.confidence, given.comment, _yes(not given.uncounted), given.uncounted)
    return (
        campaign.name, *_item_cells(item), given.annotator, given.annotator_kind, given.position, *answer, _yes(given.swapped),
        given.seconds, given.submitted_at, *_decision_cells(item), _yes(campaign.simulated),
    )  # fmt: skip


def _decision_row(campaign: Campaign, item: ItemRecord) -> tuple[Any, ...]:
    uncounted = sum(bool(given.uncounted) for given in item.judgements)
    at = item.decision.decided_at if item.decision else None
    return (
        campaign.name, *_item_cells(item), *_decision_cells(item), len(item.judgements) - uncounted, uncounted,
        item.published_label, at, _yes(campaign.simulated),
    )  # fmt: skip


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
