from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attacks.substitutes.source import Place, Word
from attacks.substitutes.words import FunctionWords, LexicalSubstitutes, NoAntonyms, PartOfSpeech
from attacks.text import Text


class Table:
    """A lexicon by hand. Notes what is looked up."""

    def __init__(self, table: dict[str, list[str]]) -> None:
        self.table = table
        self.looked_up: list[list[Word]] = []

    def like(self, words: Sequence[Word]) -> list[list[str]]:
        self.looked_up.append(list(words))
        return [self.table.get(word.plain, []) for word in words]

    def describe(self) -> dict[str, Any]:
        return {"name": "table"}


class Opposites:
    def of(self, word: str) -> frozenset[str]:
        return frozenset({"bad"} if word == "good" else ())

    def __len__(self) -> int:
        return 1


class FirstIsNoun:
    name = "toy tagger"

    def tags(self, places: Sequence[Place]) -> list[str | None]:
        return ["NN" if index == 0 else None for _, index in places]


def places(text: str) -> list[Place]:
    made = Text(text)
    return [(made, i) for i in range(len(made.words))]


def test_words_are_looked_up_plain_and_answered_in_their_case() -> None:
    source = LexicalSubstitutes(Table({"good": ["fine", "good", "nice"], "don't": ["decline"]}))
    assert source.answer(places("Good GOOD: Don’t x")) == [["Fine", "Nice"], ["FINE", "NICE"], ["Decline"], []]
    assert source.answer([]) == []


def test_each_word_is_looked_up_once_and_overlong_ones_never() -> None:
    table = Table({"good": ["fine"]})
    source = LexicalSubstitutes(table)
    source.answer(places("good day good"))
    source.answer(places(f"day night {'a' * 100_000}"))
    assert table.looked_up == [[Word("good"), Word("day")], [Word("night")]]


def test_every_filter_must_keep_a_substitute() -> None:
    table = Table({"good": ["the", "fine", "bad", "quickly", "nice", "great"], "the": ["good"]})
    filters = [FunctionWords(), PartOfSpeech(), NoAntonyms(lambda: Opposites())]  # type: ignore[arg-type]
    assert LexicalSubstitutes(table, filters).answer(places("good the")) == [["fine", "nice", "great"], []]
    assert LexicalSubstitutes(table, filters, most=2).answer(places("good")) == [["fine", "nice"]]


def test_a_tagger_says_what_the_word_is_where_it_stands() -> None:
    table = Table({"saw": ["proverb"]})
    source = LexicalSubstitutes(table, tagger=FirstIsNoun())
    source.answer(places("saw saw"))
    assert table.looked_up == [[Word("saw", "NN"), Word("saw")]]
    assert source.describe() == {"lexicon": {"name": "table"}, "tagger": "toy tagger"}


def test_the_description_names_every_filter_and_what_is_not_filtered() -> None:
    filters = [FunctionWords(), PartOfSpeech(), NoAntonyms(lambda: Opposites())]  # type: ignore[arg-type]
    described = LexicalSubstitutes(Table({}), filters).describe()
    assert list(described) == ["lexicon", "function_words", "parts_of_speech", "antonyms"]
    assert described["antonyms"] == "filtered by WordNet (1 pairs)"
    unfiltered = NoAntonyms(lambda: None)
    assert unfiltered.says == "none filtered: WordNet is not installed"
    assert unfiltered("good", "bad")
