"""Constraints by name, as the command line, shards and pages want them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attacks.commands import _FORMS
from attacks.constraints.wanted import WANTED, make_constraints
from attacks.errors import AttackError
from tests.attacks.toys import SuspicionByLength


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Suspicion and meaning models load from any folder; the folders asked for."""
    folders: list[Path] = []

    def load(folder: Path) -> SuspicionByLength:
        folders.append(folder)
        return SuspicionByLength()

    monkeypatch.setattr("regressors.storage.load", load)
    monkeypatch.setattr("scoring.texts.meaning.trained.MeaningModel.load", load)
    return folders


def described(**wanted: Any) -> list[dict[str, Any]]:
    return [constraint.describe() for constraint in make_constraints(wanted)]


def test_every_constraint_by_name(models: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {"words_changed": 0.4, "character": 0.9, "similarity": 0.8, "preserved": 0.6, "tau": 3.0}
    monkeypatch.setattr("scoring.texts.bert_score.BertScore", lambda folder: models.append(folder))
    found = make_constraints(
        {"bertscore": "b", "f1": 0.7, "suspicion": "s", "meaning": "m", "part_of_speech": True, "keep": "names", **numbers}
    )
    limits = [vars(each).get("share", vars(each).get("threshold", vars(each).get("tau"))) for each in found]
    assert [(each.name, limit) for each, limit in zip(found, limits, strict=True)] == [
        ("words_changed", 0.4),
        ("character", 0.9),
        ("protected_words", None),
        ("part_of_speech", None),
        ("encoder_similarity", 0.8),
        ("bert_score", 0.7),
        ("suspicion", 3.0),
        ("meaning", 0.6),
    ]
    assert models == [Path("b"), Path("s"), Path("m")]


def test_protected_words_by_kind_and_by_name() -> None:
    assert described(keep="numbers, names") == [
        {"name": "protected_words", "numbers": True, "names": "capitalised span", "words": []}
    ]
    assert described(keep_words="NATO, don’t,,")[0] == {
        "name": "protected_words",
        "numbers": False,
        "names": False,
        "words": ["don't", "nato"],
    }
    assert len(described(keep="numbers", keep_words="a")) == 1


def test_rules_of_suspicion() -> None:
    assert described(suspicion="s")[0]["tau"] == 2.5
    assert described(suspicion="s", tau=0.0)[0]["tau"] == 0.0
    assert described(suspicion="s", margin=0.3)[0]["margin"] == 0.3
    assert described(suspicion="s", observe=True)[0]["rule"] == "observed: every candidate passes"


def test_what_is_none_false_or_empty_is_not_wanted() -> None:
    nothing = dict.fromkeys(WANTED) | {"observe": False, "part_of_speech": False, "keep": "", "meaning": ""}
    assert described(**nothing) == []
    assert described(words_changed=0.0) == [{"name": "words_changed", "share": 0.0}]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"tau": 2.0}, "--tau needs --suspicion MODEL"),
        ({"margin": 0.0}, "--margin needs --suspicion MODEL"),
        ({"observe": True}, "--observe needs --suspicion MODEL"),
        ({"preserved": 0.5}, "--preserved needs --meaning MODEL"),
        ({"suspicion": "s", "tau": 2.0, "margin": 0.3}, "--tau and --margin are different rules for --suspicion; give one"),
        ({"suspicion": "s", "margin": 0.3, "observe": True}, "--margin and --observe are different rules"),
        ({"suspicious": "s"}, "unknown constraint 'suspicious'; there are suspicion, tau"),
        ({"keep": "numbers,verbs"}, "'verbs' cannot be protected; there are numbers, names"),
        ({"words_changed": 1.4}, "the share of words changed must be between 0 and 1, not 1.4"),
    ],
)
def test_what_cannot_be_is_refused_in_words(wanted: dict[str, Any], message: str, models: list[Path]) -> None:
    with pytest.raises(AttackError, match=message):
        make_constraints(wanted)
    assert models == []


def test_every_constraint_has_an_option() -> None:
    assert list(_FORMS) == list(WANTED)
