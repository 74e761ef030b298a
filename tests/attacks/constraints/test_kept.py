from __future__ import annotations

from attacks.constraints import PartOfSpeechKept, ProtectedWordsKept
from attacks.constraints.kept import replaced
from attacks.substitutes.protected import Protected


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


def test_protected_words_kept() -> None:
    constraint = ProtectedWordsKept(Protected.of("numbers,names", ["never"]))
    assert constraint.describe() == {
        "name": "protected_words",
        "numbers": True,
        "names": "capitalised span",
        "words": ["never"],
    }
    scores, verdicts = constraint.check(
        "We never met Anna Berg, who met Anna 12 times",
        [
            "Anna Berg, whom we saw 12 times, never met Anna",  # all there, elsewhere
            "we never saw Anna Berg, who saw anna 12 times",
            "We never met Anna Berg, who met her 13 times",
            "We ever met Аnna Bеrg, who met Anna 1 2 times",  # Cyrillic letters; a number split
        ],
    )
    assert scores.tolist() == [0, 1, 2, 4]
    assert verdicts.tolist() == [True, False, False, False]


def test_without_anything_protected_everything_passes() -> None:
    assert ProtectedWordsKept(Protected()).check("Anna 12", ["", "x"])[1].tolist() == [True, True]
