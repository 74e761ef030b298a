"""The settings page's form: from the list of settings to fields, and from what was posted to changes. What may be is checked by
the protocol, for this form as for the API."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.http import QueryDict

from annotation.models import Campaign
from annotation.protocols import protocol_of
from annotation.protocols.kinds import Examples
from annotation.protocols.labels import FIELD, Change, LabelSpec
from annotation.protocols.settings import PARTS, SETTINGS, Setting, frozen

BLANK_LABELS = 2
LABEL_FIELDS = ("value", "key", "name", "definition", "hotkey")


@dataclass(frozen=True, slots=True)
class Field:
    """One setting as the page shows it: with the value to be shown, what is wrong with it, and the names of labels by key."""

    setting: Setting
    value: Any
    problem: str
    names: Mapping[str, str]

    @property
    def id(self) -> str:
        return f"id_{self.setting.name}"

    @property
    def described_by(self) -> str:
        """The ids of what the page says about the field, for the field to name."""
        said = {"error": self.problem, "help": self.setting.help}
        return " ".join(f"{self.id}_{part}" for part, text in said.items() if text)

    @property
    def shown(self) -> list[str]:
        """The value in words, in lines, where it cannot be changed; none where it is empty."""
        return self.setting.kind.said(self.value, self.names)


@dataclass(frozen=True, slots=True)
class Part:
    """The settings below one heading: those that can be changed, and those that are frozen."""

    key: str
    title: str
    open: Sequence[Field]
    frozen: Sequence[Field]


def parts_of(
    campaign: Campaign, values: Mapping[str, Any], problems: Mapping[str, str], *, is_frozen: bool, names: Mapping[str, str]
) -> list[Part]:
    """All settings that the campaign's protocol offers, under their headings. `names`: key of a label → what it is called."""
    offered = protocol_of(campaign).offered_settings
    closed = set(frozen(offered)) if is_frozen else set()
    fields = [Field(SETTINGS[name], values[name], problems.get(name, ""), names) for name in SETTINGS if name in offered]
    return [
        Part(
            key,
            title,
            [field for field in fields if field.setting.part == key and field.setting.name not in closed],
            [field for field in fields if field.setting.part == key and field.setting.name in closed],
        )
        for key, title in PARTS.items()
    ]


def posted_changes(campaign: Campaign, data: QueryDict, *, is_frozen: bool) -> dict[str, Any]:
    """What was posted for each setting that the page offered, and the title."""
    changes: dict[str, Any] = {"title": data.get("title", campaign.title)}
    for part in parts_of(campaign, campaign.settings, {}, is_frozen=is_frozen, names={}):
        for field in part.open:
            name, widget = field.setting.name, field.setting.kind.widget
            if widget == "yes_no":
                # A box that is not ticked is not sent, so there is a hidden field that says that it was there.
                if f"{name}-asked" in data:
                    changes[name] = name in data
            elif widget == "lines":
                if name in data:
                    changes[name] = data.getlist(name)
            elif widget == "examples":
                if f"{name}-asked" in data:
                    changes[name] = _rows(data, name, Examples.FIELDS)
            elif name in data:
                changes[name] = data[name]
    return changes


def posted_labels(data: QueryDict) -> list[dict[str, str]] | None:
    """The labels that were posted, None if none were asked for. One whose name was emptied is taken out."""
    if f"{FIELD}-asked" not in data:
        return None
    return [row for row in _rows(data, FIELD, LABEL_FIELDS) if row["name"].strip()]


def label_rows(
    protocol_change: Change, labels: Sequence[LabelSpec | Mapping[str, str]], wrong: tuple[int, str] | None = None
) -> list[dict[str, Any]]:
    """The labels as rows of the form, with empty ones for more where labels can be added. `wrong`: of which row what."""
    rows = [dict(asdict(label) if isinstance(label, LabelSpec) else label) for label in labels]
    if wrong is not None:
        rows[wrong[0]]["wrong"] = wrong[1]
    blank = [dict.fromkeys(LABEL_FIELDS, "")] * (BLANK_LABELS if protocol_change is Change.ALL else 0)
    return rows + blank


def _rows(data: QueryDict, prefix: str, fields: Sequence[str]) -> list[dict[str, str]]:
    """Rows of fields named prefix-number-field, in order of their numbers."""
    named = (re.fullmatch(rf"{prefix}-([0-9]{{1,3}})-[a-z]+", name) for name in data)
    numbers = sorted({int(match[1]) for match in named if match})
    return [{field: data.get(f"{prefix}-{number}-{field}", "") for field in fields} for number in numbers]
