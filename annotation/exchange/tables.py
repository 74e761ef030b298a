"""The tables of an export: one row per answer, one per item, one per decision, one per annotator. All of them stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Campaign, Item
from scoring.texts.edit_kinds import KINDS

from .records import ItemRecord, JudgementRecord, annotator_records, most_answers, records_of

Row = Sequence[Any]

ITEM_COLUMNS = (
    "item", "use", "left_out", "task", "original", "variant", "first_kind", "first_text", "second_kind", "second_text", "victim",
    "scenario", "group",
)  # fmt: skip
JUDGEMENT_COLUMNS = (
    "campaign", *ITEM_COLUMNS, "annotator", "annotator_kind", "position", "further", "label", "value", "words", "confidence",
    "comment", "counted", "uncounted", "swapped", "seconds", "active_seconds", "earlier_answers", "submitted_at", "item_skips",
    "decision", "decision_value", "decided_how", "simulated", "edits",
)  # fmt: skip
DECISION_COLUMNS = (
    "campaign", *ITEM_COLUMNS, "decision", "decision_value", "decided_how", "stale", "judgements", "uncounted", "item_skips",
    "published_label", "decided_at", "simulated",
)  # fmt: skip
PIVOT_COLUMNS = (
    "campaign", *ITEM_COLUMNS, "decision", "decision_value", "decided_how", "judgements", "item_skips", "published_label",
    "simulated", "edits",
)  # fmt: skip
ANSWER_COLUMNS = ("annotator", "answer", "confidence", "seconds")
"""These stand once for each counted answer of an item, with its number behind them: annotator_1, answer_1, …"""
ANNOTATOR_COLUMNS = (
    "campaign", "annotator", "annotator_kind", "group", "answers", "uncounted", "practised", "skipped", "mean_seconds",
    "mean_active_seconds",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table: its columns, and its rows piece by piece."""

    columns: tuple[str, ...]
    rows: Iterator[Row]


def judgements(campaign: Campaign, at_least: int) -> ExportTable:
    """One row per answer, counted or not."""
    return ExportTable(
        JUDGEMENT_COLUMNS,
        (_judgement_row(campaign, item, given) for item in records_of(campaign, at_least=at_least) for given in item.judgements),
    )


def pivot(campaign: Campaign, at_least: int) -> ExportTable:
    """One row per item that people were asked about, with its counted answers beside each other."""
    width = most_answers(campaign)
    answers = (f"{column}_{number}" for number in range(1, width + 1) for column in ANSWER_COLUMNS)
    items = (item for item in records_of(campaign, at_least=at_least) if item.use == Item.Use.WORK)
    return ExportTable((*PIVOT_COLUMNS, *answers), (_pivot_row(campaign, item, width) for item in items))


def decisions(campaign: Campaign, at_least: int) -> ExportTable:
    """One row per item that people were asked about, with its decision, which rests on all of its answers."""
    items = (item for item in records_of(campaign) if item.use == Item.Use.WORK)
    return ExportTable(DECISION_COLUMNS, (_decision_row(campaign, item) for item in items))


def annotators(campaign: Campaign, at_least: int) -> ExportTable:
    """One row per annotator who answered."""
    rows = (
        (
            campaign.name, who.annotator, who.annotator_kind, who.group, who.answers, who.uncounted, who.practised,
            who.skipped, who.mean_seconds, who.mean_active_seconds,
        )
        for who in annotator_records(campaign)
    )  # fmt: skip
    return ExportTable(ANNOTATOR_COLUMNS, rows)


TABLES: dict[str, Callable[[Campaign, int], ExportTable]] = {
    "judgements": judgements,
    "pivot": pivot,
    "decisions": decisions,
    "annotators": annotators,
}


def _item_cells(item: ItemRecord) -> Row:
    texts = (item.first_kind, item.first_text, item.second_kind, item.second_text)
    about = (item.number, item.use, item.left_out, item.task, item.original, item.variant)
    return (*about, *texts, item.victim, item.scenario, item.group)


def _edits_of(item: ItemRecord) -> str:
    """How many edits of each kind made the judged text of its original; empty where that is not known. The database does not
    keep their order."""
    return ", ".join(f"{kind} {item.edits[kind]}" for kind in KINDS if kind in item.edits) if item.edits else ""


def _decision_cells(item: ItemRecord) -> Row:
    return (None, None, "open") if item.decision is None else (item.decision.label, item.decision.value, item.decision.how)


def _judgement_row(campaign: Campaign, item: ItemRecord, given: JudgementRecord) -> Row:
    answer = (given.label, given.value, given.words, given.confidence, given.comment, not given.uncounted, given.uncounted)
    times = (given.seconds, given.active_seconds, given.earlier_answers, given.submitted_at)
    who = (given.annotator, given.annotator_kind, given.position, given.further)
    return (
        campaign.name, *_item_cells(item), *who, *answer, given.swapped, *times, item.skips, *_decision_cells(item),
        campaign.simulated, _edits_of(item),
    )  # fmt: skip


def _decision_row(campaign: Campaign, item: ItemRecord) -> Row:
    uncounted = sum(bool(given.uncounted) for given in item.judgements)
    stale, at = (item.decision.stale, item.decision.decided_at) if item.decision else (False, None)
    counts = (len(item.judgements) - uncounted, uncounted, item.skips)
    return (
        campaign.name, *_item_cells(item), *_decision_cells(item), stale, *counts, item.published_label, at, campaign.simulated,
    )  # fmt: skip


def _pivot_row(campaign: Campaign, item: ItemRecord, width: int) -> Row:
    counted = [given for given in item.judgements if not given.uncounted]
    answers = [(given.annotator, given.label or given.words, given.confidence, given.seconds) for given in counted[:width]]
    cells = [cell for answer in answers for cell in answer]
    empty = [None] * (len(ANSWER_COLUMNS) * width - len(cells))
    return (
        campaign.name, *_item_cells(item), *_decision_cells(item), len(counted), item.skips, item.published_label,
        campaign.simulated, _edits_of(item), *cells, *empty,
    )  # fmt: skip
