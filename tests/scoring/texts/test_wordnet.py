from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scoring.result import ScoringError
from scoring.texts.wordnet import WordNet, find_wordnet

INSTALLED = find_wordnet()
WORDS = "movies film geese ran running better worst boxes men ladies quickly good U.S. dog's axes left"


@pytest.fixture(scope="module")
def wordnet() -> WordNet:
    assert INSTALLED, "the tests need wordnet-base (make test installs it)"
    return WordNet(INSTALLED)


def synonyms(wordnet: WordNet, first: str, second: str) -> bool:
    return not wordnet.senses(first).isdisjoint(wordnet.senses(second))


def test_words_that_share_a_sense_are_synonyms_in_any_form(wordnet: WordNet) -> None:
    assert synonyms(wordnet, "movies", "film")
    assert synonyms(wordnet, "geese", "goose")  # from the list of exceptions
    assert synonyms(wordnet, "Ran", "runs")
    assert not synonyms(wordnet, "movie", "rain")
    assert wordnet.senses("xyzzy") == wordnet.senses("") == wordnet.senses("a b") == frozenset()


def test_synonyms_by_part_of_speech_come_in_the_order_of_senses(wordnet: WordNet) -> None:
    assert wordnet.synonyms("movie", "noun") == [
        "film", "picture", "moving picture", "moving-picture show", "motion picture", "motion-picture show", "picture show",
        "pic", "flick",
    ]  # fmt: skip
    assert wordnet.synonyms("Film", "verb") == ["shoot", "take"]
    assert wordnet.synonyms("wet", "adj")[:2] == ["lactating", "besotted"]
    assert wordnet.synonyms("motion picture", "noun")[:2] == ["movie", "film"]
    assert wordnet.synonyms("movies", "noun") == wordnet.synonyms("movie", "adv") == wordnet.synonyms("", "noun") == []
    assert wordnet.synonyms("abounding", "adj") == ["galore"]  # written as galore(ip)


def test_they_are_those_that_nltk_reads(wordnet: WordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nltk's own reader wants a file that Debian leaves out, of names of lexicographers' files, which nobody asks for."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    assert INSTALLED
    for file in INSTALLED.iterdir():
        shutil.copy(file, tmp_path / file.name)
    (tmp_path / "lexnames").write_text("".join(f"{number:02d}\tname{number}\t1\n" for number in range(45)))
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    # Debian's version looks like another one, for which it would want yet more files.
    monkeypatch.setattr(WordNetCorpusReader, "map_wn", lambda self: None)
    with pytest.warns(UserWarning, match="multilingual functions are not available"):
        reader = WordNetCorpusReader(str(tmp_path), None)
    parts = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
    try:
        for word in WORDS.split():
            theirs = {(parts[synset.pos()], synset.offset()) for synset in reader.synsets(word)}
            assert wordnet.senses(word) == theirs, word
    finally:
        for file in reader._data_file_map.values():
            file.close()


def test_broken_files_are_told(tmp_path: Path) -> None:
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("film n many 0 1 0 00000003\n")
        (tmp_path / f"{part}.exc").write_text("")
    with pytest.raises(ScoringError, match="the index holds 'film' in a way that is not WordNet's"):
        WordNet(tmp_path).senses("film")
    (tmp_path / "index.noun").write_text("film n 1 0 1 0 00000003\n")
    (tmp_path / "data.noun").write_text("00000007 03 n 01 film 0 000 | not where the index says\n")
    with pytest.raises(ScoringError, match="the synsets of 'film' are written in a way that is not WordNet's"):
        WordNet(tmp_path).synonyms("film", "noun")
    (tmp_path / "noun.exc").unlink()
    with pytest.raises(ScoringError, match=r"noun\.exc: WordNet's file cannot be read"):
        WordNet(tmp_path)
