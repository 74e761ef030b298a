"""What every protocol says: what an item shows, what is asked, what counts as an answer, how a decision is made, which
analysis follows. Pages, exports and services talk to this interface and never ask which protocol it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from annotation.models import Campaign, Item, Label, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.texts.diff import Span

from .analysis import Analysis


class AnswerError(ValueError):
    """The answer is not one that the campaign asks for; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class LabelSpec:
    """A label as a protocol's preset declares it."""

    value: int
    key: str
    name: str
    definition: str = ""


@dataclass(frozen=True, slots=True)
class ShownText:
    """One text on the annotator's page. Where differences are marked, spans other than 'same' say what was
    deleted or inserted."""

    heading: str
    spans: Sequence[Span]


@dataclass(frozen=True, slots=True)
class Exposition:
    """What one item shows."""

    texts: Sequence[ShownText]
    note: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One button: the key that presses it and what it stores."""

    key: str
    label: Label
    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer, ready to be stored."""

    label: Label
    confidence: int | None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows from an item's judgements so far. `open` asks for one more slot when it is not there yet."""

    how: str
    label: str | None = None
    value: float | None = None
    open: bool = False


WORKING: Mapping[str, Any] = {
    "comment": False,
    "claim_minutes": 60,
    "quota": 0,
    "third_from": "",
    "conflicts": "third_annotator",
    "conflict_distance": 1,
    "weights": "none",
    "prevalence": "",
    "attention_every": 0,
    "pass_mark": 0.8,
    "tries": 2,
    "idle_seconds": 60,
    "examples": [],
}
"""Settings that campaigns of every protocol have, with their defaults; a preset may say otherwise. 0 in `quota` and
`attention_every`: none. `third_from` names the team that third people come from; empty: anybody."""


@dataclass(frozen=True, slots=True)
class Preset:
    """The starting point of a campaign of one protocol."""

    labels: Sequence[LabelSpec]
    settings: Mapping[str, Any]
    guidelines: str = ""
    ends: tuple[str, str] = field(default=("", ""))

    @property
    def all_settings(self) -> dict[str, Any]:
        """Every setting of a campaign made from this preset: the protocol's own, the common ones, the guidelines."""
        return {**WORKING, "guidelines": self.guidelines, **self.settings}


class Protocol(ABC):
    """Base of all protocols. Subclasses are stateless; everything about one campaign is in its rows."""

    key: ClassVar[str]
    title: ClassVar[str]
    asks: ClassVar[str]
    preset: ClassVar[Preset]
    exclusive: ClassVar[bool]
    """Whether one person may see only one variant of an original."""
    pair: ClassVar[bool] = False
    """Whether an item is made of two variants of one original (the first unchanged where there is one), else of one variant."""
    scale: ClassVar[bool] = False
    """Whether the labels are points of a scale (shown side by side) rather than named options (shown one under another)."""

    @abstractmethod
    def exposition(self, slot: Slot) -> Exposition:
        """What the slot's item shows."""

    def options(self, slot: Slot) -> list[Option]:
        """The buttons in the order in which they stand, keyed by digits."""
        return [
            Option(str(number), label, label.name, label.definition)
            for number, label in enumerate(self.labels_of(slot.item.campaign), start=1)
        ]

    def labels_of(self, campaign: Campaign) -> list[Label]:
        """The campaign's labels in the order in which they are offered."""
        return sorted(campaign.labels.all(), key=lambda label: label.value)

    def read_answer(self, campaign: Campaign, data: Mapping[str, Any]) -> Answer:
        """Check a posted answer (`label`: a key of the campaign's labels; `confidence`: 1–5 where asked).

        Raises AnswerError naming the field that is missing or outside the set.
        """
        labels = {label.key: label for label in campaign.labels.all()}
        key = str(data.get("label", ""))
        if key not in labels:
            raise AnswerError("Choose one of the answers first." if not key else f"“{key}” is not an answer of this campaign.")
        return Answer(labels[key], self._read_confidence(campaign, data), str(data.get("comment", "")).replace("\0", "").strip())

    def _read_confidence(self, campaign: Campaign, data: Mapping[str, Any]) -> int | None:
        if not campaign.settings["confidence"]:
            return None
        given = str(data.get("confidence", ""))
        if given not in {"1", "2", "3", "4", "5"}:
            raise AnswerError("Say how sure you are, from 1 to 5.")
        return int(given)

    @abstractmethod
    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        """The item's decision from its counted votes, in order of their slots."""

    @abstractmethod
    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        """The figures and tables of the agreement page, the report and `manage.py agreement`."""


def plain(text: str) -> list[Span]:
    """A text with nothing marked."""
    return [Span("same", text)]


def shown_text(item: Item) -> str:
    """The one text of a single-text item."""
    return item.first.text
