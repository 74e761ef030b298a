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


def read_labels(given: Sequence[Mapping[str, Any] | LabelSpec], *, change: Change, now: Sequence[LabelSpec]) -> list[LabelSpec]:
    """The labels, checked, in order of their values. Raises SettingsProblem naming `labels`."""
    labels = sorted((_read(label) for label in given), key=lambda label: label.value)
    if problem := _problem(labels, change, now):
        raise SettingsProblem({FIELD: problem}, {FIELD: "Labels"})
    return labels


def _read(given: Mapping[str, Any] | LabelSpec) -> LabelSpec:
    if isinstance(given, LabelSpec):
        return given
    value = str(given.get("value", "")).strip()
    if not re.fullmatch(r"-?[0-9]{1,4}", value):
        message = f"The number of “{clean(given.get('name', ''))}” is a whole one, at most four digits long."
        raise SettingsProblem({FIELD: message}, {FIELD: "Labels"})
    return LabelSpec(int(value), *(clean(given.get(name, "")) for name in ("key", "name", "definition", "hotkey")))


def _problem(labels: Sequence[LabelSpec], change: Change, now: Sequence[LabelSpec]) -> str:
    """What is wrong with the labels; empty if nothing."""
    if change is Change.NOTHING and list(labels) != list(now):
        return f"They cannot be changed: {change.value}."
    if change is Change.WORDING and [(x.value, x.key) for x in labels] != [(x.value, x.key) for x in now]:
        return f"Answers cannot be added or taken out here: {change.value}."
    if change is Change.ALL and not 2 <= len(labels) <= MOST:
        return f"There are from 2 to {MOST} answers, not {len(labels)}."
    return next(filter(None, map(_problem_of, labels)), "") or _repeated(labels)


def _problem_of(label: LabelSpec) -> str:
    if not KEY.fullmatch(label.key):
        return (
            f"The name in files of “{label.name or label.key}” consists of letters, digits, hyphens and underscores, at most 40."
        )
    if not 1 <= len(label.name) <= 80:
        return f"What the button of “{label.key}” says has from 1 to 80 characters."
    if len(label.definition) > 300:
        return f"The definition of “{label.name}” has at most 300 characters."
    if label.hotkey and (len(label.hotkey) > 1 or not label.hotkey.isprintable() or label.hotkey.isspace()):
        return f"The key on the keyboard for “{label.name}” is one character."
    if label.hotkey.lower() in TAKEN_KEYS and label.hotkey:
        return f"The key {label.hotkey} does something else on the page. Choose another for “{label.name}”."
    return ""


def _repeated(labels: Sequence[LabelSpec]) -> str:
    keys = [key.lower() for key in keys_of([label.hotkey for label in labels]) if key]
    checked: dict[str, list[Any]] = {
        "number": [label.value for label in labels],
        "name in files": [label.key.lower() for label in labels],
        "button": [label.name.lower() for label in labels],
        "key on the keyboard": keys,
    }
    return next((f"Two answers have the same {what}." for what, values in checked.items() if len(set(values)) < len(values)), "")


def keys_of(hotkeys: Sequence[str]) -> list[str]:
    """The key of each label in order: its own, or its digit; the tenth and later ones have none of themselves."""
    return [hotkey or (str(number) if number <= 9 else "") for number, hotkey in enumerate(hotkeys, start=1)]
