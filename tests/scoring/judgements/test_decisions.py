from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from scoring.judgements.decisions import Outcome, Tie, Vote, decide_third_annotator
from scoring.result import ScoringError


def votes(*given: tuple[str, int | None]) -> list[Vote]:
    return [Vote(label, confidence) for label, confidence in given]


@pytest.mark.parametrize(
    ("given", "unresolved", "first"),
    [
        ([], (None, "open"), (None, "open")),
        ([("a", 5)], (None, "open"), (None, "open")),
        ([("a", 1), ("a", 1)], ("a", "agreed"), ("a", "agreed")),
        ([("a", 1), ("a", 1), ("b", 5)], ("a", "agreed"), ("a", "agreed")),
        ([("a", 1), ("b", 5)], (None, "open"), (None, "open")),
        ([("a", 1), ("b", 5), ("a", 1)], ("a", "majority"), ("a", "majority")),
        ([("a", 5), ("b", 1), ("b", 1)], ("b", "majority"), ("b", "majority")),
        ([("a", None), ("b", None), ("b", None)], ("b", "majority"), ("b", "majority")),
        ([("a", 3), ("b", 4), ("c", 1)], ("b", "confidence"), ("b", "confidence")),
        ([("a", 1), ("b", 4), ("c", 4)], (None, "unresolved"), ("b", "first")),
        ([("a", 4), ("b", 2), ("c", 4)], (None, "unresolved"), ("a", "first")),
        ([("a", 4), ("b", 4), ("c", 2)], (None, "unresolved"), ("a", "first")),
        ([("a", 3), ("b", 3), ("c", 3)], (None, "unresolved"), ("a", "first")),
        ([("a", 3), ("b", 3), ("c", 5)], ("c", "confidence"), ("c", "confidence")),
        ([("a", 1), ("b", None), ("c", 5)], (None, "unresolved"), ("a", "first")),
        ([("a", None), ("b", None), ("c", None)], (None, "unresolved"), ("a", "first")),
        ([("a", 1), ("b", 2), ("c", 3), ("a", 5)], ("c", "confidence"), ("c", "confidence")),
        ([("a", 1), ("b", 4), ("c", 4), ("a", 5)], ("a", "majority"), ("b", "first")),
        ([("a", None), ("b", None), ("c", None), ("b", None)], ("b", "majority"), ("a", "first")),
        ([("a", None), ("b", None), ("c", None), ("d", None)], (None, "unresolved"), ("a", "first")),
        ([("a", 1), ("b", 1), ("c", 1), ("d", 1), ("d", 1)], ("d", "majority"), ("a", "first")),
        ([("a", 1), ("b", 1), ("c", 1), ("a", 1), ("b", 1)], (None, "unresolved"), ("a", "first")),
    ],
)
def test_the_rule(given: list[tuple[str, int | None]], unresolved: tuple[str | None, str], first: tuple[str | None, str]) -> None:
    for tie, (label, how) in (("unresolved", unresolved), ("first", first)):
        found = decide_third_annotator(votes(*given), tie=tie)  # type: ignore[arg-type]
        assert (found.label, found.how) == (label, how)


def test_a_third_vote_on_an_agreed_item_never_changes_it() -> None:
    for label, confidence, tie in product("abc", (None, 1, 5), ("unresolved", "first")):
        rule: Tie = "first" if tie == "first" else "unresolved"
        assert decide_third_annotator(votes(("a", 2), ("a", 2), (label, confidence)), rule) == Outcome("a", "agreed")


def test_an_unknown_tie_rule_is_refused() -> None:
    with pytest.raises(ScoringError, match="'random'"):
        decide_third_annotator([], tie="random")  # type: ignore[arg-type]


@pytest.mark.published_data
def test_the_published_decisions(published_data: Callable[[str], Path]) -> None:
    """InCrediblAE: 318 preserve, 246 change, 116 no sense; one three-way split is tied and won by the first."""
    decided, thirds = [], Counter[bool]()
    with published_data("incrediblae_manual_evaluation.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cells = [(row[f"annotator{i}_stance"], row[f"annotator{i}_confidence"]) for i in (1, 2, 3)]
            given = votes(*[(label, int(float(confidence))) for label, confidence in cells if label])
            outcome = decide_third_annotator(given, tie="first")
            assert outcome.label == row["agreed_labels"]
            decided.append(outcome)
            if len(given) == 3:
                thirds[given[0].label != given[1].label] += 1
    assert Counter(outcome.label for outcome in decided) == {"0.0": 318, "1.0": 246, "2.0": 116}
    assert Counter(outcome.how for outcome in decided) == {"agreed": 477, "majority": 195, "confidence": 7, "first": 1}
    assert thirds == {True: 203, False: 63}
