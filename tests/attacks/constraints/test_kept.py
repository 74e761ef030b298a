from __future__ import annotations

from attacks.constraints import PartOfSpeechKept
from attacks.constraints.kept import replaced


def test_words_are_set_against_those_whose_place_they_take() -> None:
    original = "Two old films, said Anna"
    assert list(replaced(original, "two OLD films! said Anna")) == []
    assert list(replaced(original, "Two bad movies, said Anna")) == [("old", "bad"), ("films", "movies")]
    assert list(replaced(original, "Two films, said young Anna")) == []
    assert list(replaced("one two three", "one 2 and three")) in ([("two", "2")], [("two", "and")])


def test_part_of_speech_kept() -> None:
    constraint = PartOfSpeechKept()
    assert constraint.describe() == {
        "name": "part_of_speech",
        "method": "lemminflect dictionary: a part of speech in common, both as its base form or both inflected",
    }
    scores, verdicts = constraint.check(
        "The film ran well in Kraków",
        [
            "The movie ran well in Kraków",
            "THE movie sprinted well in KRAKÓW",
            "The movies ran quickly in Kraków",  # a plural for a singular
            "The flim ran good in Kraków",  # an unknown word; an adjective for an adverb that can be a noun as well
            "The old film very ran well",
        ],
    )
    assert scores.tolist() == [0, 0, 1, 1, 0]
    assert verdicts.tolist() == [True, True, False, False, True]
