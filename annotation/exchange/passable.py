"""This product's own export, `items.jsonl`: as examples for another campaign, or as the whole study once more.

The first line describes the campaign, every other line is one item with its texts, answers and decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db.models import CharField, Model

from annotation.errors import SettingsProblem
from annotation.models import Campaign, Item, Judgement, Label, Original, Team, Variant
from annotation.protocols import PROTOCOLS
from annotation.protocols.base import LONGEST_COMMENT
from annotation.protocols.labels import FIELD as LABELS
from annotation.protocols.labels import LabelSpec
from annotation.services.examples import ExampleRecord
from annotation.services.recording import RecordedAnswer, RecordedDecision, RecordedItem, RecordedText
from scoring.table import Row, Table, TableError
from scoring.texts.tokens import is_word, pieces

from .fields import ListOf, Moment, Number, Record, Text, Whole, WrongField, YesNo, quoted
from .sheets import MOST_CHARACTERS, SourceFile, check_size, json_object, table_of
from .study import Study

VERSION = 1
MARK = b'{"record": "campaign"'
COLUMNS = ("record", "task", "original", "first_kind", "first_text", "second_kind", "second_text")

MOST_ANNOTATOR = 60
MOST_SECONDS = 1e9
ADJUDICATED, WAITING = "adjudicated", "open"


def _column(model: type[Model], field: str, **kind: Any) -> Text:
    """A text that goes into this column."""
    column = model._meta.get_field(field)
    assert isinstance(column, CharField) and column.max_length
    return Text(column.max_length, **kind)


LABEL = Record(
    {
        "value": Whole(-9999, 9999, needed=True),
        "key": _column(Label, "key", needed=True),
        "name": _column(Label, "name", needed=True),
        "definition": _column(Label, "definition"),
        "hotkey": _column(Label, "hotkey"),
    },
    needed=True,
)
CAMPAIGN = Record({
    "campaign": _column(Campaign, "title"),
    "version": Whole(VERSION, VERSION, needed=True),
    "protocol": _column(Campaign, "protocol", among=tuple(PROTOCOLS), needed=True),
    "preset": _column(Campaign, "preset"),
    "simulated": YesNo(),
    "labels": ListOf(LABEL),
    "settings": Record({}, needed=True),
    "withdrawn_teams": ListOf(_column(Team, "name", needed=True)),
})  # fmt: skip
ANSWER = Record(
    {
        "annotator": Text(MOST_ANNOTATOR, needed=True),
        "position": Whole(1, 32_767, needed=True),
        "further": YesNo(),
        "label": _column(Label, "key"),
        "words": ListOf(Whole(0, MOST_CHARACTERS, needed=True)),
        "confidence": Whole(1, 5),
        "comment": Text(LONGEST_COMMENT),
        "uncounted": _column(Judgement, "uncounted", among=tuple(Judgement.Uncounted.values)),
        "swapped": YesNo(),
        "seconds": Number(0, MOST_SECONDS),
        "active_seconds": Number(0, MOST_SECONDS),
        "submitted_at": Moment(needed=True),
    },
    needed=True,
)
ITEM = Record({
    "record": Text(20, among=("item",), needed=True),
    "task": _column(Original, "task"),
    "original": _column(Original, "key", needed=True),
    "first_kind": _column(Variant, "kind", needed=True),
    "first_text": Text(MOST_CHARACTERS, needed=True),
    "second_kind": _column(Variant, "kind"),
    "second_text": Text(MOST_CHARACTERS),
    "use": _column(Item, "use", among=tuple(Item.Use.values)),
    "gold": _column(Label, "key"),
    "explanation": Text(MOST_CHARACTERS),
    "published_label": _column(Item, "published_label"),
    "judgements": ListOf(ANSWER),
    "decision": Record({"how": Text(20), "label": _column(Label, "key"), "stale": YesNo()}),
})  # fmt: skip
"""What each field of a line holds, as the columns do in which it is kept."""


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
    (line, campaign), *items = objects
    with _told(source.name, line):
        reader = _StudyReader(campaign)
    read = []
    for number, entry in items:
        with _told(source.name, number):
            read.append(reader.item(entry))
    with _told(source.name, line):
        return reader.study(read)


@contextmanager
def _told(file: str, line: int) -> Iterator[None]:
    """Where in the file a wrong field stands."""
    try:
        yield
    except WrongField as wrong:
        raise TableError(file, str(wrong), line=line, column=wrong.path) from None


class _StudyReader:
    """Reads items by the description of their campaign. What a field may hold for itself is said above; here stands what has to
    fit together. Raises WrongField."""

    def __init__(self, campaign: Mapping[str, Any]) -> None:
        CAMPAIGN.check(campaign, "")
        self.campaign = campaign
        self.protocol = PROTOCOLS[campaign["protocol"]]
        preset = campaign.get("preset") or ""
        self.preset = preset if preset in self.protocol.presets else ""
        self.labels = [_label(entry) for entry in campaign.get("labels") or []]
        self.settings = {name: value for name, value in campaign["settings"].items() if name in self.protocol.offered_settings}
        chosen = self.protocol.preset(self.preset)
        self.keys = {label.key for label in self.labels or chosen.labels}
        try:
            self.protocol.check(self.settings, self.labels or chosen.labels, now=chosen.all_settings, labels_now=chosen.labels)
        except SettingsProblem as wrong:
            raise _wrong_setting(wrong) from None

    def study(self, items: Sequence[RecordedItem]) -> Study:
        people = tuple(dict.fromkeys(answer.annotator for item in items for answer in item.answers))
        # Their placeholders are accounts, whose names differ in more than capitals.
        _different([name.lower() for name in people], "judgements.annotator")
        teams = tuple(self.campaign.get("withdrawn_teams") or ())
        _different(teams, "withdrawn_teams")
        return Study(
            protocol=self.protocol.key,
            preset=self.preset,
            task="",
            settings=self.settings,
            items=items,
            annotators=people,
            notes={"exported from": self.campaign.get("campaign") or ""},
            labels=self.labels,
            simulated=bool(self.campaign.get("simulated")),
            withdrawn_teams=teams,
        )

    def item(self, entry: Mapping[str, Any]) -> RecordedItem:
        ITEM.check(entry, "")
        first, second = _variant(entry, "first"), _variant(entry, "second") if entry.get("second_text") else None
        if self.protocol.pair != bool(second):
            shows = "two texts" if self.protocol.pair else "one text"
            raise WrongField("second_text", f"an item of this protocol has {shows}")
        if problem := self.protocol.unaskable(first.text if second else None, (second or first).text):
            raise WrongField("second_text", problem)
        use, gold = entry.get("use") or Item.Use.WORK, entry.get("gold") or ""
        if (gold and gold not in self.keys) or (use != Item.Use.WORK and not gold):
            raise WrongField("gold", "only items for training, test and attention have a known answer, one of the labels")
        there = sum(map(is_word, pieces((second or first).text)))
        answers = tuple(
            self._answer(given, f"judgements[{number}]", there) for number, given in enumerate(entry.get("judgements") or [], 1)
        )
        _counted_once(answers)
        return RecordedItem(
            original_key=entry["original"],
            first=first,
            second=second,
            answers=answers,
            published_label=entry.get("published_label") or "",
            task=entry.get("task") or "",
            use=use,
            gold=gold,
            explanation=entry.get("explanation") or "",
            decision=self._ruling(entry.get("decision") or {}),
            waits=use == Item.Use.WORK and (entry.get("decision") or {}).get("how") == WAITING,
        )

    def _answer(self, given: Mapping[str, Any], place: str, there: int) -> RecordedAnswer:
        """`there`: how many words the text has."""
        label, words = given.get("label") or "", given.get("words")
        if self.keys:
            self._check_key(label, f"{place}.label")
            if words is not None:
                raise WrongField(f"{place}.words", "an answer has a label or words, not both")
        elif words is None or label:
            raise WrongField(f"{place}.words", "an answer of this protocol has words and no label")
        if words and (words != sorted(set(words)) or words[-1] >= there):
            problem = f"the text has {there:,} words, from 0; each stands here once, in ascending order"
            raise WrongField(f"{place}.words", problem)
        return RecordedAnswer(
            position=given["position"],
            label=label,
            confidence=given.get("confidence"),
            annotator=given["annotator"],
            words=None if words is None else tuple(words),
            comment=given.get("comment") or "",
            uncounted=given.get("uncounted") or "",
            further=bool(given.get("further")),
            swapped=bool(given.get("swapped")),
            seconds=given.get("seconds"),
            active_seconds=given.get("active_seconds"),
            submitted_at=datetime.fromisoformat(given["submitted_at"]),
        )

    def _ruling(self, decision: Mapping[str, Any]) -> RecordedDecision | None:
        if decision.get("how") != ADJUDICATED:
            return None
        label = decision.get("label") or ""
        self._check_key(label, "decision.label")
        return RecordedDecision(label, ADJUDICATED, bool(decision.get("stale")))

    def _check_key(self, label: str, place: str) -> None:
        if label not in self.keys:
            raise WrongField(place, f"{quoted(label)} is not one of {', '.join(sorted(self.keys)) or 'no labels'}")


def _wrong_setting(wrong: SettingsProblem) -> WrongField:
    name, message = next(iter(wrong.problems.items()))
    if wrong.place:
        row, field = wrong.place
        return WrongField(f"labels[{row + 1}].{field}", message.removesuffix("."))
    return WrongField(name if name == LABELS else f"settings.{name}", message.removesuffix("."))


def _label(entry: Mapping[str, Any]) -> LabelSpec:
    return LabelSpec(entry["value"], entry["key"], entry["name"], entry.get("definition") or "", entry.get("hotkey") or "")


def _variant(entry: Mapping[str, Any], side: str) -> RecordedText:
    kind = entry.get(f"{side}_kind") or ""
    if not kind.strip():
        raise WrongField(f"{side}_kind", "nothing says who made this text")
    return RecordedText(kind, entry[f"{side}_text"])


def _counted_once(answers: Sequence[RecordedAnswer]) -> None:
    """One answer counts in each position; others may stand there beside it."""
    taken = set()
    for number, answer in enumerate(answers, start=1):
        if not answer.uncounted and answer.position in taken:
            raise WrongField(f"judgements[{number}].position", f"two answers that count have the position {answer.position}")
        taken |= set() if answer.uncounted else {answer.position}


def _different(names: Sequence[str], place: str) -> None:
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise WrongField(place, f"{quoted(twice)} stands here twice")
