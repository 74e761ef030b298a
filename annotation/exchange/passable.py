"""This product's own export, `items.jsonl`: as examples for another campaign, or as the whole study once more.

The first line describes the campaign, every other line is one item with its texts, answers and decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from annotation.models import Item, Judgement, Variant
from annotation.protocols import PROTOCOLS
from annotation.protocols.labels import LabelSpec
from annotation.services.examples import ExampleRecord
from annotation.services.recording import RecordedAnswer, RecordedDecision, RecordedItem, RecordedText
from scoring.table import Row, Table, TableError

from .sheets import SourceFile, check_size, json_object, table_of
from .study import Study

VERSION = 1
MARK = b'{"record": "campaign"'
COLUMNS = ("record", "task", "original", "first_kind", "first_text", "second_kind", "second_text")


def recognises(source: SourceFile) -> bool:
    """Whether the file begins as this product writes it."""
    return source.data.lstrip(b"\xef\xbb\xbf").startswith(MARK)


def table(source: SourceFile) -> Table:
    """The lines as rows, those of items only."""
    found = table_of(source, required=COLUMNS)
    return Table(found.file, found.columns, tuple(row for row in found.rows if row["record"] == "item"))


def example(table: Table, row: Row) -> ExampleRecord:
    """The texts of one item. Raises TableError where two texts are shown of which none is the original."""
    pair = bool(row["second_kind"])
    if pair and row["first_kind"] != Variant.UNCHANGED:
        raise table.error(row, "first_kind", "neither of the two texts is the original")
    return ExampleRecord(
        table.text(row, "second_text" if pair else "first_text"),
        table.text(row, "first_text") if pair else None,
        original_key=row["original"],
        task=row["task"],
        attacker=row["second_kind"] or row["first_kind"],
        victim=row.get("victim", ""),
        scenario=row.get("scenario", ""),
        line=row.line,
    )


def study(source: SourceFile) -> Study:
    """The whole study, with its settings, labels, answers and human decisions. Raises TableError at the first wrong line."""
    check_size(source)
    lines = [(number, line) for number, line in enumerate(source.text.split("\n"), start=1) if line.strip()]
    objects = [(number, json_object(line, source.name, number)) for number, line in lines]
    if not objects or objects[0][1].get("record") != "campaign":
        raise TableError(source.name, "the first line does not describe a campaign", line=1, column="record")
    (_, campaign), *items = objects
    reader = _StudyReader(source.name, campaign)
    return reader.study([(number, entry) for number, entry in items])


class _StudyReader:
    """Reads items by the description of their campaign; whatever is missing or odd is an error that names line and field."""

    def __init__(self, file: str, campaign: Mapping[str, Any]) -> None:
        self.file = file
        self.campaign = campaign
        self.line = 1
        if campaign.get("version") != VERSION:
            raise self._error("version", f"{campaign.get('version')!r} is not {VERSION}, which this product reads")
        if campaign.get("protocol") not in PROTOCOLS:
            raise self._error("protocol", f"{campaign.get('protocol')!r} is not one of {', '.join(PROTOCOLS)}")
        self.labels = [self._label(entry) for entry in self._list(campaign, "labels")]
        self.keys = {label.key for label in self.labels}

    def study(self, entries: Sequence[tuple[int, Mapping[str, Any]]]) -> Study:
        items, people = [], {}
        for line, entry in entries:
            self.line = line
            item = self._item(entry)
            items.append(item)
            people.update(dict.fromkeys(answer.annotator for answer in item.answers))
        self.line = 1
        settings = self.campaign.get("settings")
        if not isinstance(settings, dict):
            raise self._error("settings", "this has to be an object")
        protocol = PROTOCOLS[self.campaign["protocol"]]
        preset = self._text(self.campaign, "preset")
        return Study(
            protocol=protocol.key,
            preset=preset if preset in protocol.presets else "",
            task="",
            settings={name: value for name, value in settings.items() if name in protocol.offered_settings},
            items=items,
            annotators=tuple(people),
            notes={"exported from": str(self.campaign.get("campaign", ""))},
            labels=self.labels,
            simulated=bool(self.campaign.get("simulated")),
            withdrawn_teams=tuple(str(name) for name in self._list(self.campaign, "withdrawn_teams")),
        )

    def _label(self, entry: Any) -> LabelSpec:
        if not isinstance(entry, dict) or not isinstance(entry.get("value"), int):
            raise self._error("labels", "a label needs value, key and name")
        texts = [self._text(entry, field) for field in ("key", "name", "definition", "hotkey")]
        return LabelSpec(entry["value"], *texts)

    def _item(self, entry: Mapping[str, Any]) -> RecordedItem:
        if entry.get("record") != "item":
            raise self._error("record", f"{entry.get('record')!r} is not 'item'")
        second = None if entry.get("second_text") is None else self._variant(entry, "second")
        use, gold = self._text(entry, "use") or Item.Use.WORK, self._text(entry, "gold")
        if use not in Item.Use.values or (gold and gold not in self.keys) or (use != Item.Use.WORK and not gold):
            raise self._error("gold", "only items for training, test and attention have a known answer, one of the labels")
        return RecordedItem(
            original_key=self._text(entry, "original"),
            first=self._variant(entry, "first"),
            second=second,
            answers=tuple(self._answer(given) for given in self._list(entry, "judgements")),
            published_label=self._text(entry, "published_label"),
            task=self._text(entry, "task"),
            use=use,
            gold=gold,
            explanation=self._text(entry, "explanation"),
            decision=self._ruling(entry.get("decision")),
        )

    def _variant(self, entry: Mapping[str, Any], side: str) -> RecordedText:
        return RecordedText(self._text(entry, f"{side}_kind"), self._text(entry, f"{side}_text"))

    def _answer(self, given: Any) -> RecordedAnswer:
        if not isinstance(given, dict) or not isinstance(given.get("position"), int):
            raise self._error("judgements", "an answer needs annotator, position and label")
        label, words = self._text(given, "label"), given.get("words")
        if (label not in self.keys) if words is None else not _positions(words):
            raise self._error("judgements", f"{label!r} is not one of {', '.join(sorted(self.keys))}")
        uncounted = self._text(given, "uncounted")
        if uncounted and uncounted not in Judgement.Uncounted.values:
            raise self._error("judgements", f"{uncounted!r} is no reason why an answer does not count")
        if not self._text(given, "annotator"):
            raise self._error("judgements", "an answer needs an annotator")
        confidence = given.get("confidence")
        if confidence not in (None, 1, 2, 3, 4, 5):
            raise self._error("judgements", f"the confidence {confidence!r} is not one of 1 to 5")
        return RecordedAnswer(
            position=given["position"],
            label=label,
            confidence=confidence,
            annotator=self._text(given, "annotator"),
            words=None if words is None else tuple(words),
            comment=self._text(given, "comment"),
            uncounted=uncounted,
            swapped=bool(given.get("swapped")),
            seconds=self._seconds(given, "seconds"),
            active_seconds=self._seconds(given, "active_seconds"),
            submitted_at=self._time(given),
        )

    def _ruling(self, decision: Any) -> RecordedDecision | None:
        if not isinstance(decision, dict) or decision.get("how") != "adjudicated":
            return None
        label = self._text(decision, "label")
        if label not in self.keys:
            raise self._error("decision", f"{label!r} is not one of {', '.join(sorted(self.keys))}")
        return RecordedDecision(label, "adjudicated", bool(decision.get("stale")))

    def _seconds(self, given: Mapping[str, Any], field: str) -> float | None:
        value = given.get(field)
        if value is not None and (not isinstance(value, int | float) or value < 0):
            raise self._error(field, f"{value!r} is no time in seconds")
        return value

    def _time(self, given: Mapping[str, Any]) -> datetime:
        try:
            found = datetime.fromisoformat(self._text(given, "submitted_at"))
        except ValueError:
            found = datetime.min
        if found.tzinfo is None:
            raise self._error("submitted_at", "this has to be a time in UTC, such as 2026-01-31T12:00:00Z")
        return found

    def _list(self, entry: Mapping[str, Any], field: str) -> list[Any]:
        found = entry.get(field, [])
        if not isinstance(found, list):
            raise self._error(field, "this has to be a list")
        return found

    def _text(self, entry: Mapping[str, Any], field: str) -> str:
        found = entry.get(field)
        if found is not None and not isinstance(found, str):
            raise self._error(field, f"{found!r} is no text")
        return found or ""

    def _error(self, field: str, problem: str) -> TableError:
        return TableError(self.file, problem, line=self.line, column=field)


def _positions(words: Any) -> bool:
    return isinstance(words, list) and all(isinstance(word, int) and word >= 0 for word in words)
