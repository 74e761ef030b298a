"""The labels of a campaign: as presets declare them, and as organisers may change them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from annotation.errors import SettingsProblem

from .kinds import clean

FIELD = "labels"
MOST = 20
KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")
TAKEN_KEYS = frozenset("udsf?")
"""Keys that do something else on the annotate page: undo, differences, skip, flag, help."""


@dataclass(frozen=True, slots=True)
class LabelSpec:
    """A label as a preset or an organiser declares it. Without `hotkey`, its digit in order chooses it."""

    value: int
    key: str
    name: str
    definition: str = ""
    hotkey: str = ""


class Change(Enum):
    """What organisers may change about the labels of a protocol, as long as there are no judgements."""

    ALL = "labels can be added, taken out and renamed"
    WORDING = "what buttons say, definitions and keys can be changed; which answers there are is the protocol's"
    NOTHING = "the protocol says what the answers are"


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is wrong, with which label in order of the values, and with what of it."""

    message: str
    place: int
    field: str


def read_labels(given: Sequence[Mapping[str, Any] | LabelSpec], *, change: Change, now: Sequence[LabelSpec]) -> list[LabelSpec]:
    """The labels, checked, in order of their values. Raises SettingsProblem naming `labels`, and the label where it is one."""
    read = sorted(((_read(label, row), row) for row, label in enumerate(given)), key=lambda each: each[0].value)
    labels = [label for label, _ in read]
    if problem := _problem(labels, change, now):
        raise SettingsProblem({FIELD: problem}, {FIELD: "Labels"})
    if wrong := _first_wrong(labels):
        raise SettingsProblem({FIELD: wrong.message}, {FIELD: "Labels"}, place=(read[wrong.place][1], wrong.field))
    return labels


def _read(given: Mapping[str, Any] | LabelSpec, row: int) -> LabelSpec:
    if isinstance(given, LabelSpec):
        return given
    value = str(given.get("value", "")).strip()
    if not re.fullmatch(r"-?[0-9]{1,4}", value):
        message = f"The number of “{clean(given.get('name', ''))}” is a whole one, at most four digits long."
        raise SettingsProblem({FIELD: message}, {FIELD: "Labels"}, place=(row, "value"))
    return LabelSpec(int(value), *(clean(given.get(name, "")) for name in ("key", "name", "definition", "hotkey")))


def _problem(labels: Sequence[LabelSpec], change: Change, now: Sequence[LabelSpec]) -> str:
    """What is wrong with the labels as a whole; empty if nothing."""
    if change is Change.NOTHING and list(labels) != list(now):
        return f"They cannot be changed: {change.value}."
    if change is Change.WORDING and [(x.value, x.key) for x in labels] != [(x.value, x.key) for x in now]:
        return f"Answers cannot be added or taken out here: {change.value}."
    if change is Change.ALL and not 2 <= len(labels) <= MOST:
        return f"There are from 2 to {MOST} answers, not {len(labels)}."
    return ""


def _first_wrong(labels: Sequence[LabelSpec]) -> _Wrong | None:
    for place, label in enumerate(labels):
        for field, message in _problems_of(label).items():
            return _Wrong(message, place, field)
    return _repeated(labels)


def _problems_of(label: LabelSpec) -> dict[str, str]:
    """What is wrong with a label: field → message."""
    problems = {}
    if not KEY.fullmatch(label.key):
        name = label.name or label.key
        problems["key"] = f"The name in files of “{name}” consists of letters, digits, hyphens and underscores, at most 40."
    if not 1 <= len(label.name) <= 80:
        problems["name"] = f"What the button of “{label.key}” says has from 1 to 80 characters."
    if len(label.definition) > 300:
        problems["definition"] = f"The definition of “{label.name}” has at most 300 characters."
    if label.hotkey.lower() in TAKEN_KEYS:
        problems["hotkey"] = f"The key {label.hotkey} does something else on the page. Choose another for “{label.name}”."
    if label.hotkey and (len(label.hotkey) > 1 or not label.hotkey.isprintable() or label.hotkey.isspace()):
        problems["hotkey"] = f"The key on the keyboard for “{label.name}” is one character."
    return problems


def _repeated(labels: Sequence[LabelSpec]) -> _Wrong | None:
    """The second of two labels that have something in common which only one may have."""
    checked: dict[str, tuple[str, list[Any]]] = {
        "value": ("number", [label.value for label in labels]),
        "key": ("name in files", [label.key.lower() for label in labels]),
        "name": ("button", [label.name.lower() for label in labels]),
        "hotkey": ("key on the keyboard", [key.lower() for key in keys_of([label.hotkey for label in labels])]),
    }
    for field, (what, values) in checked.items():
        for place, value in enumerate(values):
            if value != "" and value in values[:place]:
                return _Wrong(f"Two answers have the same {what}.", place, field)
    return None


def keys_of(hotkeys: Sequence[str]) -> list[str]:
    """The key of each label in order: its own, or its digit; the tenth and later ones have none of themselves."""
    return [hotkey or (str(number) if number <= 9 else "") for number, hotkey in enumerate(hotkeys, start=1)]
