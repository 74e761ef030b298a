from __future__ import annotations

import pytest

from attacks import AttackError
from attacks.substitutes import Protected
from attacks.text import Text

TEXT = Text("We met Angela Merkel in 2,000 towns, said Bob. Twenty ~ see https://Names.example/3 NOW")


@pytest.mark.parametrize(
    ("protected", "words"),
    [
        (Protected(), []),
        (Protected(numbers=True), ["2", "000", "Twenty"]),
        (Protected(names=True), ["Angela", "Merkel", "Bob", "NOW"]),
        (Protected(words=frozenset({"towns", "we"})), ["We", "towns"]),
        (Protected.of(" names, numbers", ["TOWNS"]), ["Angela", "Merkel", "2", "000", "towns", "Bob", "Twenty", "NOW"]),
        (Protected.of(""), []),
    ],
)
def test_words_that_stay(protected: Protected, words: list[str]) -> None:
    assert [TEXT.words[i] for i in sorted(protected.indices(TEXT))] == words


def test_a_name_begins_with_its_capital() -> None:
    text = Text("the pro-Merkel camp and O’Neill’s men")
    assert [text.words[i] for i in sorted(Protected(names=True).indices(text))] == ["O’Neill’s"]


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(AttackError, match="'verbs' cannot be protected; there are numbers, names"):
        Protected.of("numbers,verbs")


def test_description_says_how_names_are_found() -> None:
    assert Protected.of("names").describe() == {"numbers": False, "names": "capitalised span", "words": []}
