from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from importlib import metadata
from types import ModuleType, SimpleNamespace

import Levenshtein
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.result import ScoringError
from scoring.texts import alignment
from scoring.texts.alignment import NOT_GENERATED, align, segmenter_for, split
from scoring.texts.tokens import normalise


def test_fact_checking_is_cut_at_bare_tildes_and_aligned_to_the_nearest() -> None:
    assert align(split("A ~ B ~ C", "FC"), split("B ~ A", "FC")) == [("A ", " A"), (" B ", "B "), (" C", "B ")]


def test_propaganda_is_one_sentence() -> None:
    assert align(split("One. Two.", "PR"), split("Three.", "PR")) == [("One. Two.", "Three.")]


@pytest.mark.parametrize("task", ["HN", "RD", "C19"])
def test_documents_are_cut_into_sentences(task: str) -> None:
    assert split("The U.S. Senate met. Then it left.", task) == ["The U.S. Senate met.", "Then it left."]


def test_ties_go_to_the_first_and_extra_sentences_are_ignored() -> None:
    assert align(["ab"], ["ax", "ay", "zzzz"]) == [("ab", "ax")]


def test_distance_is_that_of_normalised_lower_cased_sentences() -> None:
    assert align(["hello , world"], ["hello , wxrld", "HELLO,WORLD"]) == [("hello , world", "HELLO,WORLD")]


def test_without_a_partner() -> None:
    assert align(["a", "b"], []) == [("a", NOT_GENERATED), ("b", NOT_GENERATED)]
    assert align([], ["a"]) == []


def as_bodega_does(original: list[str], modified: list[str]) -> list[tuple[str, str]]:
    found = []
    for sentence in original:
        best, least = NOT_GENERATED, float("inf")
        for other in modified:
            one, two = normalise(sentence), normalise(other)
            distance = Levenshtein.distance(one, two) / max(len(one), len(two))
            if distance < least:
                best, least = other, distance
        found.append((sentence, best))
    return found


SENTENCES = st.lists(st.text("abc .!", min_size=1, max_size=8).filter(lambda text: text.strip()), max_size=5)


@settings(max_examples=60, deadline=None)
@given(SENTENCES, SENTENCES)
def test_it_is_bodegas_alignment(original: list[str], modified: list[str]) -> None:
    assert align(original, modified) == as_bodega_does(original, modified)


def test_a_hundred_thousand_characters_of_sentences_are_aligned_soon() -> None:
    start = time.process_time()
    assert len(align(["a"] * 50_000, ["b"] * 50_000 + [""])) == 50_000
    assert len(align([f"number {n}" for n in range(2_000)], [f"numb {n}" for n in range(2_000)])) == 2_000
    assert time.process_time() - start < 20


@pytest.fixture
def lambo(monkeypatch: pytest.MonkeyPatch) -> Iterator[type]:
    """LAMBO as its documentation shows it: a document of turns of sentences with a text each."""

    class Lambo:
        @classmethod
        def get(cls, name: str) -> Lambo:
            assert name == "English"
            return cls()

        def segment(self, text: str) -> SimpleNamespace:
            turns = [SimpleNamespace(sentences=[SimpleNamespace(text=s) for s in turn.split("|")]) for turn in text.split("\n")]
            return SimpleNamespace(turns=turns)

    modules = {name: ModuleType(name) for name in ("lambo", "lambo.segmenter", "lambo.segmenter.lambo")}
    modules["lambo.segmenter.lambo"].Lambo = Lambo  # type: ignore[attr-defined]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(alignment, "find_spec", lambda name: name == "lambo")
    monkeypatch.setattr(alignment, "version", lambda name: {"lambo": "2.3.1"}[name])
    alignment._lambo.cache_clear()
    yield Lambo
    alignment._lambo.cache_clear()


def test_lambo_is_taken_where_it_is_installed_and_is_named(lambo: type) -> None:
    assert split("One|two\nThree", "C19") == ["One", "two", "Three"]
    assert segmenter_for("RD").name == "LAMBO English 2.3.1"
    assert (segmenter_for("PR").name, segmenter_for("FC").name) == ("whole text", "cut at ~")


def test_a_lambo_without_its_model_is_told(lambo: type, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise OSError("no network")

    monkeypatch.setattr(lambo, "get", fail)
    with pytest.raises(ScoringError, match="LAMBO is installed, but its English model cannot be loaded: no network"):
        split("a", "HN")


def test_without_lambo_punkt_is_named() -> None:
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.version("lambo")
    assert segmenter_for("HN").name == "Punkt English (BODEGA uses LAMBO here)"


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(ScoringError, match="Unknown task 'XY': it is one of PR, FC, HN, RD, C19"):
        split("a", "XY")
