from __future__ import annotations

import numpy as np
import pytest

from attacks.errors import AttackError
from attacks.robustness import damage as module
from attacks.robustness.damage import Damage, Glued, Negation, Opposite, OtherName, OtherNumber, Salad, Typo, describe
from attacks.substitutes.parts_of_speech import share_part_of_speech
from attacks.text import Text

TEXT = Text("Maria said that 35 Good doctors were not in the old town.")
NAMES = ["A man met Peter Smith in Paris yesterday.", "She said that Ann is here."]
ALL: list[Damage] = [Opposite(), Salad(), Typo(), Glued(), Negation(), OtherNumber(), OtherName(NAMES)]


def spoiled(damage: Damage, word: str, text: Text = TEXT, seed: int = 0) -> list[str]:
    return [new.text for new in damage.at(text, text.words.index(word), np.random.default_rng(seed))]


def test_antonyms_in_the_case_of_the_word() -> None:
    assert "Maria said that 35 Bad doctors were not in the old town." in spoiled(Opposite(), "Good")
    assert spoiled(Opposite(), "Good") == sorted(spoiled(Opposite(), "Good"))
    assert spoiled(Opposite(), "that") == []


def test_antonyms_without_wordnet_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "installed_antonyms", lambda: None)
    with pytest.raises(AttackError, match="install Debian's wordnet-base"):
        spoiled(Opposite(), "Good")


def test_a_salad_keeps_the_part_of_speech_and_leaves_function_words() -> None:
    found = [Text(new).words[5] for new in spoiled(Salad(), "doctors")]
    assert len(found) == 3
    assert all(share_part_of_speech("doctors", word) and word != "doctors" for word in found)
    assert spoiled(Salad(), "that") == []
    assert spoiled(Salad(), "doctors", seed=1) != spoiled(Salad(), "doctors")


def test_typos_in_words_of_four_letters_or_more() -> None:
    assert len(spoiled(Typo(), "town")) == 4
    assert spoiled(Typo(), "old") == []


def test_words_are_glued_over_spaces_only() -> None:
    assert spoiled(Glued(), "old") == ["Maria said that 35 Good doctors were not in the oldtown."]
    assert spoiled(Glued(), "town") == []


def test_a_negation_comes_or_goes() -> None:
    assert spoiled(Negation(), "not") == ["Maria said that 35 Good doctors were in the old town."]
    assert spoiled(Negation(), "were") == []  # negated already
    assert spoiled(Negation(), "were", Text("They were here.")) == ["They were not here."]
    assert spoiled(Negation(), "Good") == []


def test_another_number_of_as_many_digits() -> None:
    found = {spoiled(OtherNumber(), "35", seed=seed)[0] for seed in range(40)}
    assert len(found) == 7
    assert all(new.startswith("Maria said that ") and new[16] != "3" and new[16] != "0" and new[17] == "5" for new in found)
    assert spoiled(OtherNumber(), "town") == []


def test_names_come_from_other_texts() -> None:
    damage = OtherName(NAMES)
    assert damage.names == ["Ann", "Paris", "Peter", "Smith"]
    text = Text("We know that Ann was there.")
    assert sorted(spoiled(damage, "Ann", text)) == sorted(set(spoiled(damage, "Ann", text)))
    assert len(spoiled(damage, "Ann", text)) == 2
    assert all("Ann" not in new for new in spoiled(damage, "Ann", text))
    assert spoiled(damage, "know", text) == []
    assert spoiled(OtherName([]), "Ann", text) == []


@pytest.mark.parametrize("damage", ALL, ids=lambda damage: damage.name)
@pytest.mark.parametrize("text", ["", "?!", "word", "\u200b \ud800", "Ünïcödé cafe\u0301 " * 3, "a" * 20_000])
def test_words_keep_their_index_whatever_the_text(damage: Damage, text: str) -> None:
    before = Text(text)
    for index in range(len(before.spans)):
        for after in damage.at(before, index, np.random.default_rng(index)):
            assert len(after.spans) == len(before.spans)
            assert after.text != before.text


def test_each_damage_is_described() -> None:
    assert [each["name"] for each in describe(ALL)] == [damage.name for damage in ALL]
    assert all(each["what"] for each in describe(ALL))
