"""What organisers can set in a campaign: one list, read by the settings page, the API, imports and copies alike."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from annotation.errors import SettingsProblem

from .kinds import Choice, Examples, Keys, Kind, Lines, Part, Text, Whole, WrongValue, YesNo

PARTS = {
    "question": "What people are asked",
    "deciding": "How answers become decisions",
    "work": "How the work is handed out",
}
"""The headings under which settings stand, in their order."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. One that `freezes` keeps its value once there are judgements, because another would change what they mean."""

    name: str
    title: str
    kind: Kind
    default: Any
    help: str = ""
    part: str = "question"
    freezes: bool = True


CONFIDENCE = (
    "A guess. The other answers are about as likely.",
    "I lean this way, but would not rely on it.",
    "Fairly sure, though a careful reader might say otherwise.",
    "Sure. Only an unusual reading would give another answer.",
    "Certain. No other answer is possible.",
)
"""What the five degrees of confidence mean, as the people who are asked read it."""
CONSEQUENCES = "1 is better left out of training; 2 is silver: good in bulk, not to be relied on one by one."
"""What the degrees mean to organisers: never shown to those who are asked, or they would answer the consequence."""

_ALL = (
    Setting("question", "Question", Text(300, needed=True), "", "One sentence above the answers."),
    Setting("guidelines", "Guidelines", Text(20_000), "", "How to decide. People can open them at any time.", freezes=False),
    Setting("examples", "Worked examples", Examples(), [], "Shown below the guidelines.", freezes=False),
    Setting(
        "prevalence",
        "How many texts were altered",
        Text(500),
        "",
        "What people are told about it, such as “About half of the texts were altered.” Empty: nothing.",
    ),
    Setting("differences", "Mark the differences", YesNo(), False, "Deleted and inserted words are struck out and underlined."),
    Setting("confidence", "Ask how sure people are", YesNo(), False, "From 1 to 5, after each answer."),
    Setting(
        "confidence_levels",
        "What 1 to 5 mean",
        Lines(5, 200),
        list(CONFIDENCE),
        f"One line each, the least sure first: what people read. What follows from it is for you alone: {CONSEQUENCES}",
    ),
    Setting("comment", "Let people add a comment", YesNo(), False, "", freezes=False),
    Setting("slots", "Answers per item", Whole(1, 50), 2, "How many people judge each item.", part="deciding"),
    Setting(
        "conflicts",
        "When two people differ",
        Choice(
            {
                "third_annotator": "a third person answers without seeing the two answers",
                "adjudicate": "an adjudicator sees both answers and decides",
            }
        ),
        "third_annotator",
        part="deciding",
    ),
    Setting(
        "third_from",
        "Third people come from the team",
        Text(60),
        "",
        "The team's name. Empty: anybody who has not judged the item.",
        part="deciding",
        freezes=False,
    ),
    Setting(
        "conflict_distance",
        "Two answers conflict from a distance of",
        Whole(1, 20),
        1,
        "Counted in the answers' numbers: 1 is any difference, 2 more than one step. Where two answers are closer than that, "
        "the lower one becomes the decision.",
        part="deciding",
    ),
    Setting(
        "tie",
        "When the rule ends in a tie",
        Choice({"unresolved": "the item stays unresolved", "first": "the first of the tied answers counts"}),
        "unresolved",
        part="deciding",
    ),
    Setting(
        "weights",
        "Weights of kappa",
        Choice({"none": "none: all differences count alike", "linear": "linear", "quadratic": "quadratic"}),
        "none",
        "Linear and quadratic ones count a difference by its distance; they need labels in an order.",
        part="deciding",
    ),
    Setting(
        "threshold",
        "A text counts as noticed from a share of",
        Part(low_open=True),
        0.5,
        "Share of the answers that call it altered, from 0 to 1.",
        part="deciding",
    ),
    Setting("kept", "Answers that keep the meaning", Keys(), [], "Their names in files, between commas.", part="deciding"),
    Setting("long_only", "Answers for long texts only", Keys(), [], "Their names in files, between commas.", part="deciding"),
    Setting("long_from", "A text is long from", Whole(2, 1000), 5, "Counted in sentences.", part="deciding"),
    Setting(
        "claim_minutes",
        "Minutes that an item is kept for somebody",
        Whole(5, 10_080),
        60,
        "Then it goes to somebody else. An answer that comes later is still kept.",
        part="work",
        freezes=False,
    ),
    Setting("quota", "Most answers per person", Whole(0, 100_000), 0, "0: no limit.", part="work", freezes=False),
    Setting(
        "attention_every",
        "An attention check after every",
        Whole(0, 1000),
        0,
        "So many answers; 0: never. Needs items for attention checks.",
        part="work",
        freezes=False,
    ),
    Setting(
        "pass_mark",
        "Pass mark of the test",
        Part(),
        0.8,
        "Share of right answers, from 0 to 1. Needs items for the test.",
        part="work",
        freezes=False,
    ),
    Setting("tries", "Tries at the test", Whole(1, 20), 2, "", part="work", freezes=False),
    Setting(
        "idle_seconds",
        "Time without a key or a movement counts as a break after",
        Whole(5, 3600),
        60,
        "Seconds. Breaks are left out of the time that an item took.",
        part="work",
    ),
)

SETTINGS: Mapping[str, Setting] = {setting.name: setting for setting in _ALL}
"""Every campaign has all of them; which ones can be changed is its protocol's to say."""

WORK = frozenset(name for name, setting in SETTINGS.items() if setting.part == "work")
ASKING = frozenset({"question", "guidelines", "examples", "prevalence", "comment", "slots"})
COMMON = WORK | ASKING
"""What can be set whatever the protocol."""


def defaults() -> dict[str, Any]:
    """Every setting with the value that it has where nobody says otherwise."""
    return {name: deepcopy(setting.default) for name, setting in SETTINGS.items()}


def read_settings(changes: Mapping[str, Any], *, offered: frozenset[str], now: Mapping[str, Any]) -> dict[str, Any]:
    """The changes as checked values of the right types, from a form's strings or a program's values.

    A setting that is not `offered` may only say what it says `now`. Raises SettingsProblem with a message for each wrong one.
    """
    values: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for name, given in changes.items():
        if name not in SETTINGS:
            problems[name] = f"There is no setting {name}."
            continue
        try:
            values[name] = SETTINGS[name].kind.read(given)
        except WrongValue as wrong:
            problems[name] = str(wrong)
            continue
        if name not in offered and values[name] != now[name]:
            problems[name] = "Campaigns of this protocol cannot change it."
    if problems:
        raise SettingsProblem(problems, titles())
    return values


def titles() -> dict[str, str]:
    """What each setting is called on pages."""
    return {name: setting.title for name, setting in SETTINGS.items()}


def frozen(names: Mapping[str, Any] | frozenset[str]) -> list[str]:
    """Those of the names that keep their values once there are judgements, in the order of the page."""
    return [name for name, setting in SETTINGS.items() if setting.freezes and name in names]
