"""What every protocol says: what an item shows, what is asked, what counts as an answer, how a decision is made, which
analysis follows. Pages, exports and services talk to this interface and never ask which protocol it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from annotation.errors import SettingsProblem
from annotation.models import Campaign, Item, Judgement, Label, Slot
from annotation.protocols.votes import CastVote, ItemVotes
from scoring.texts.diff import Span
from scoring.texts.tokens import is_word, pieces, sentences

from .analysis import Analysis, Table
from .kinds import clean
from .labels import FIELD, Change, LabelSpec, keys_of, read_labels
from .settings import COMMON, defaults, read_settings, titles


class AnswerError(ValueError):
    """The answer is not one that the campaign asks for; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text in which words are marked: a word with its position from 0, or what stands between words."""

    text: str
    word: int | None


@dataclass(frozen=True, slots=True)
class ShownText:
    """One text on the annotator's page. Where differences are marked, spans other than 'same' say what was
    deleted or inserted. Where words are to be marked, `pieces` are the same text word by word."""

    heading: str
    spans: Sequence[Span]
    pieces: Sequence[Piece] = ()


@dataclass(frozen=True, slots=True)
class Exposition:
    """What one item shows. `words_wanted` says how many words of its text are to be marked, None where none are."""

    texts: Sequence[ShownText]
    note: str = ""
    marked: bool = False
    words_wanted: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One button: the key that presses it and what it stores."""

    key: str
    label: Label
    name: str
    definition: str


LONGEST_COMMENT = 5_000


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer, ready to be stored: a label, or the positions of the marked words."""

    label: Label | None
    confidence: int | None
    comment: str = ""
    words: list[int] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows from an item's judgements so far. `open` asks for one more slot when it is not there yet; the word
    "conflict" in `how` waits for an adjudicator."""

    how: str
    label: str | None = None
    value: float | None = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class Preset:
    """A starting point of campaigns: labels, and the settings in which it differs from the defaults."""

    title: str
    about: str
    labels: Sequence[LabelSpec]
    settings: Mapping[str, Any]

    @property
    def all_settings(self) -> dict[str, Any]:
        """Every setting of a campaign made from this preset."""
        return {**defaults(), **deepcopy(dict(self.settings))}


class Protocol(ABC):
    """Base of all protocols. Subclasses are stateless; everything about one campaign is in its rows."""

    key: ClassVar[str]
    title: ClassVar[str]
    asks: ClassVar[str]
    presets: ClassVar[Mapping[str, Preset]]
    """By name; the first is the default."""
    exclusive: ClassVar[bool]
    """Whether one person may see only one variant of an original."""
    pair: ClassVar[bool] = False
    """Whether an item is made of two variants of one original (the first unchanged where there is one), else of one variant."""
    sides: ClassVar[bool] = False
    """Whether the sides on which the two variants stand are drawn for each slot; else the first one always comes first."""
    scale: ClassVar[bool] = False
    """Whether the labels are points of a scale (shown side by side) rather than named options (shown one under another)."""
    third: ClassVar[bool] = False
    """Whether a conflict can ask for a further answer than those that the campaign wants of every item."""
    learns: ClassVar[str] = ""
    """The kind of model that can learn from a campaign's answers; empty where there is none."""
    learned_label: ClassVar[Literal["median", "mean"]] = "median"
    """What of a text's judgements a suspicion model learns to predict."""
    human: ClassVar[tuple[str, str]]
    """What `human_scores` are: in words, and whether it is a "share" or a "number"."""
    settings: ClassVar[frozenset[str]] = frozenset()
    """Settings of its own that organisers can change, besides those that every campaign has."""
    labels: ClassVar[Change] = Change.ALL

    comparable: ClassVar[bool] = False
    """Whether two campaigns can be set beside each other, see `beside`."""

    @property
    def has_conflicts(self) -> bool:
        """Whether two different answers are a conflict that somebody settles; else every answer counts towards the result."""
        return "conflicts" in self.settings

    def preset(self, name: str = "") -> Preset:
        """The preset of that name, the default without one. Raises KeyError."""
        return self.presets[name or next(iter(self.presets))]

    @property
    def offered_settings(self) -> frozenset[str]:
        """Names of the settings that organisers can change."""
        return COMMON | self.settings

    def check(
        self,
        changes: Mapping[str, Any],
        labels: Sequence[Mapping[str, Any] | LabelSpec],
        *,
        now: Mapping[str, Any],
        labels_now: Sequence[LabelSpec],
    ) -> tuple[dict[str, Any], list[LabelSpec]]:
        """All settings and labels after the changes. Raises SettingsProblem naming every field that cannot be so."""
        specs = read_labels(labels, change=self.labels, now=labels_now)
        settings = {**now, **read_settings(changes, offered=self.offered_settings, now=now)}
        if problems := self._do_not_fit(settings, specs):
            raise SettingsProblem(problems, {**titles(), FIELD: "Labels"})
        return settings, specs

    def _do_not_fit(self, settings: Mapping[str, Any], labels: Sequence[LabelSpec]) -> dict[str, str]:
        """Settings that do not fit the labels or each other: name → message."""
        known = {label.key for label in labels}
        named = {
            "kept": settings["kept"],
            "long_only": settings["long_only"],
            "examples": [example["label"] for example in settings["examples"]],
        }
        return {
            field: f"There is no answer whose name in files is {', '.join(sorted(set(keys) - known))}."
            for field, keys in named.items()
            if set(keys) - known and (labels or field != "examples")
        }

    def unaskable(self, before: str | None, text: str) -> str:
        """Why people cannot be asked about this text, made of the one before; empty if they can."""
        return ""

    def beside(self, items: Sequence[ItemVotes], others: Sequence[ItemVotes]) -> list[Table]:
        """What a campaign's answers and those of another one come to side by side; nothing unless `comparable`."""
        return []

    @abstractmethod
    def exposition(self, slot: Slot) -> Exposition:
        """What the slot's item shows."""

    def options(self, slot: Slot) -> list[Option]:
        """The buttons in the order in which they stand, each with its key."""
        labels = self.offered(slot.item)
        keys = keys_of([label.hotkey for label in labels])
        return [Option(key, label, label.name, label.definition) for key, label in zip(keys, labels, strict=True)]

    def labels_of(self, campaign: Campaign) -> list[Label]:
        """The campaign's labels in their order."""
        return sorted(campaign.labels.all(), key=lambda label: label.value)

    def offered(self, item: Item) -> list[Label]:
        """The labels that can be chosen for this item: some are for long texts only."""
        labels, settings = self.labels_of(item.campaign), item.campaign.settings
        if settings["long_only"] and len(sentences(judged_text(item))) < settings["long_from"]:
            labels = [label for label in labels if label.key not in settings["long_only"]]
        return labels

    def read_answer(self, item: Item, data: Mapping[str, Any]) -> Answer:
        """Check a posted answer (`label`: a key of the labels that the item offers; `confidence`: 1–5 where asked).

        Raises AnswerError naming the field that is missing or outside the set.
        """
        labels = {label.key: label for label in self.offered(item)}
        key = str(data.get("label", ""))
        if key not in labels:
            raise AnswerError("Choose one of the answers first." if not key else f"“{key}” is not an answer to this item.")
        return Answer(labels[key], self._read_confidence(item.campaign, data), self._read_comment(data))

    def _read_confidence(self, campaign: Campaign, data: Mapping[str, Any]) -> int | None:
        if not campaign.settings["confidence"]:
            return None
        given = str(data.get("confidence", ""))
        if given not in {"1", "2", "3", "4", "5"}:
            raise AnswerError("Say how sure you are, from 1 to 5.")
        return int(given)

    @staticmethod
    def _read_comment(data: Mapping[str, Any]) -> str:
        comment = clean(data.get("comment") or "")
        if len(comment) > LONGEST_COMMENT:
            raise AnswerError(f"A comment has {LONGEST_COMMENT:,} characters at most; this one has {len(comment):,}. Shorten it.")
        return comment

    def said(self, slot: Slot, judgement: Judgement) -> str:
        """The answer in the words in which its author gave it."""
        return judgement.label.name if judgement.label else ""

    @abstractmethod
    def decide(self, campaign: Campaign, votes: Sequence[CastVote]) -> Outcome:
        """The item's decision from its counted votes, in order of their slots."""

    @abstractmethod
    def human_scores(self, campaign: Campaign, items: Sequence[ItemVotes]) -> dict[int, float]:
        """What people say of each answered item as a number, to hold against what programs say of it; items of which nothing
        follows are left out."""

    @abstractmethod
    def analyse(self, campaign: Campaign, items: Sequence[ItemVotes]) -> Analysis:
        """The figures and tables of the agreement page, the report and `manage.py agreement`."""


def plain(text: str) -> list[Span]:
    """A text with nothing marked."""
    return [Span("same", text)]


def judged_text(item: Item) -> str:
    """The text that the answer is about."""
    return (item.second or item.first).text


def word_by_word(text: str) -> list[Piece]:
    """The text in pieces, its words numbered from 0."""
    found: list[Piece] = []
    words = 0
    for piece in pieces(text):
        found.append(Piece(piece, words if is_word(piece) else None))
        words += is_word(piece)
    return found
