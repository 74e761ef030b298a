"""The kinds of values that settings have. Each reads a form's strings and a program's values into the same value."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


class WrongValue(ValueError):
    """What was given is not a value of this kind; the message says what is wanted."""


class Kind(ABC):
    """How a setting's value is read; `widget` names the control that asks for it."""

    widget: ClassVar[str]

    @abstractmethod
    def read(self, given: Any) -> Any:
        """The value. Raises WrongValue."""

    def said(self, value: Any, names: Mapping[str, str]) -> list[str]:
        """The value in words, a line each; none where it is empty. `names`: key of a label → what it is called."""
        return [str(value)] if value != "" else []


@dataclass(frozen=True, slots=True)
class Text(Kind):
    longest: int
    needed: bool = False
    widget: ClassVar[str] = "text"

    @property
    def long(self) -> bool:
        """Whether it takes more than a line."""
        return self.longest > 300

    def read(self, given: Any) -> str:
        text = clean(_text(given))
        if self.needed and not text:
            raise WrongValue("This may not be empty.")
        if len(text) > self.longest:
            raise WrongValue(f"At most {self.longest:,} characters; these are {len(text):,}.")
        return text


@dataclass(frozen=True, slots=True)
class YesNo(Kind):
    widget: ClassVar[str] = "yes_no"

    def read(self, given: Any) -> bool:
        known = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "": False, "0": False}
        if (value := known.get(str(given).strip().lower())) is None:
            raise WrongValue("Yes or no.")
        return value

    def said(self, value: Any, names: Mapping[str, str]) -> list[str]:
        return ["yes" if value in (True, "yes") else "no"]


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    least: int
    most: int
    widget: ClassVar[str] = "number"
    step: ClassVar[str] = "1"

    def read(self, given: Any) -> int:
        if isinstance(given, bool) or not re.fullmatch(r"-?[0-9]{1,9}", str(given).strip()):
            raise WrongValue(f"A whole number from {self.least:,} to {self.most:,}.")
        value = int(given)
        if not self.least <= value <= self.most:
            raise WrongValue(f"A whole number from {self.least:,} to {self.most:,}, not {value:,}.")
        return value


@dataclass(frozen=True, slots=True)
class Part(Kind):
    """A part of a whole, from 0 to 1; where `low_open`, 0 itself is none."""

    low_open: bool = False
    widget: ClassVar[str] = "number"
    step: ClassVar[str] = "0.01"
    least: ClassVar[int] = 0
    most: ClassVar[int] = 1

    def read(self, given: Any) -> float:
        try:
            value = float("nan") if isinstance(given, bool) else float(given)
        except (TypeError, ValueError):
            value = float("nan")
        if not (0 < value <= 1 or (value == 0 and not self.low_open)):
            raise WrongValue(f"A number {'above' if self.low_open else 'from'} 0, up to 1, such as 0.8.")
        return value


@dataclass(frozen=True, slots=True)
class Choice(Kind):
    choices: Mapping[str, str]
    widget: ClassVar[str] = "choice"

    def read(self, given: Any) -> str:
        if str(given) not in self.choices:
            raise WrongValue(f"One of {', '.join(self.choices)}.")
        return str(given)

    def said(self, value: Any, names: Mapping[str, str]) -> list[str]:
        return [self.choices.get(value, str(value))]


@dataclass(frozen=True, slots=True)
class Lines(Kind):
    """So many lines of text, none of them empty."""

    count: int
    longest: int
    widget: ClassVar[str] = "lines"

    def read(self, given: Any) -> list[str]:
        lines = clean(given).splitlines() if isinstance(given, str) else given
        if not _is_list(lines):
            raise WrongValue(f"{self.count} lines.")
        found = [line for line in (clean(_text(line)) for line in lines) if line]
        if len(found) != self.count:
            raise WrongValue(f"{self.count} lines, one for each; these are {len(found)}.")
        if any(len(line) > self.longest for line in found):
            raise WrongValue(f"At most {self.longest} characters a line.")
        return found

    def said(self, value: Any, names: Mapping[str, str]) -> list[str]:
        return list(value)


@dataclass(frozen=True, slots=True)
class Keys(Kind):
    """Keys of labels. Whether the campaign has such labels is checked with the labels."""

    widget: ClassVar[str] = "keys"

    def read(self, given: Any) -> list[str]:
        keys = re.split(r"[,\s]+", given.strip()) if isinstance(given, str) else given
        if not _is_list(keys):
            raise WrongValue("A list of labels' keys.")
        return list(dict.fromkeys(key for key in map(_text, keys) if key))

    def said(self, value: Any, names: Mapping[str, str]) -> list[str]:
        return [names.get(key, key) for key in value]


@dataclass(frozen=True, slots=True)
class Examples(Kind):
    """Worked examples: `before` (empty where one text is judged), `after`, the key of the right `label`, and `why`."""

    widget: ClassVar[str] = "examples"
    FIELDS: ClassVar[tuple[str, ...]] = ("before", "after", "label", "why")
    MOST: ClassVar[int] = 30

    def read(self, given: Any) -> list[dict[str, str]]:
        if not _is_list(given) or not all(isinstance(example, Mapping) for example in given):
            raise WrongValue(f"A list of examples, each with {', '.join(self.FIELDS)}.")
        read = [{name: clean(_text(example.get(name, ""))) for name in self.FIELDS} for example in given]
        found = [example for example in read if example["after"] or example["before"]]
        if any(not (example["after"] and example["label"]) for example in found):
            raise WrongValue("Each example needs the text that is judged and its right answer.")
        if len(found) > self.MOST or any(len(example[name]) > 5000 for example in found for name in self.FIELDS):
            raise WrongValue(f"At most {self.MOST} examples of at most 5,000 characters a text.")
        return found

    def said(self, value: Any, names: Mapping[str, str]) -> list[str]:
        return [
            f"“{' → '.join(text for text in (example['before'], example['after']) if text)}”: "
            f"{names.get(example['label'], example['label'])}"
            for example in value
        ]


def clean(given: Any) -> str:
    """Text without what no database and no page can hold, and with one kind of line ends."""
    text = str(given).replace("\r\n", "\n").replace("\r", "\n").strip()
    return text.encode("utf-8", "replace").decode()


def _text(given: Any) -> str:
    """What was given, if it is text: anything else would be stored as Python writes it."""
    if not isinstance(given, str):
        raise WrongValue("Text is wanted here.")
    return given


def _is_list(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str | bytes)
