"""Ways to spoil a word of a text, so that a constraint which still accepts the text is fooled (Morris 2020, section 4).

A damage leaves all words their index, so that several can follow one another. Whether a damaged text really is worse is a
question for people; the damages are chosen so that it nearly always is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any, Final, Protocol

import numpy as np

from attacks.errors import AttackError
from attacks.substitutes.antonyms import installed_antonyms
from attacks.substitutes.casing import agree_case
from attacks.substitutes.characters import typos
from attacks.substitutes.parts_of_speech import share_part_of_speech
from attacks.substitutes.source import plain
from attacks.text import Text
from scoring.texts.entities import CAPITALISED
from scoring.texts.frequency import frequencies
from scoring.texts.function_words import FUNCTION_WORDS
from scoring.texts.word_kinds import is_negation, is_number

Generator = np.random.Generator
AUXILIARIES: Final = frozenset((
    "am", "is", "are", "was", "were", "can", "could", "will", "would", "shall", "should", "may", "might", "must", "has", "have",
    "had", "do", "does", "did",
))  # fmt: skip


class Damage(Protocol):
    """One way to spoil a word."""

    @property
    def name(self) -> str: ...

    @property
    def reach(self) -> Sequence[int]:
        """Which words, counted from the spoiled one, must not be spoiled afterwards: what is done there could undo it."""
        ...

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        """The texts in which the ``index``-th word is spoiled, a few at most; none where it cannot be."""
        ...


class Opposite:
    """An antonym in the word's place, by WordNet. Raises `AttackError` where WordNet is not installed."""

    name = "antonym"
    most = 8

    def __init__(self, reach: Sequence[int] = (0,)) -> None:
        self.reach = reach

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        known = installed_antonyms()
        if known is None:
            raise AttackError(
                "antonyms need WordNet: install Debian's wordnet-base, or set WORDNET_DIR to a folder with its files"
            )
        word = text.word(index)
        # Sorted, as sets have no order that would be the same in every process.
        return [text.replace(index, agree_case(word, other)) for other in sorted(known.of(plain(word)))[: self.most]]


class Salad:
    """Another common word that can be the same part of speech, drawn at random: order of speech without sense."""

    name = "word salad"
    reach = (0,)
    draws = 3
    tries = 40

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        word = plain(text.word(index))
        if word in FUNCTION_WORDS:
            return []
        drawn = (_common()[int(place)] for place in rng.integers(len(_common()), size=self.tries))
        fitting = (other for other in drawn if other != word and share_part_of_speech(word, other))
        return [text.replace(index, agree_case(text.word(index), other)) for other in islice(fitting, self.draws)]


class Typo:
    """Characters swapped, replaced, left out and put in (`attacks.substitutes.characters.typos`), in words of four or more."""

    name = "typo"
    reach = (0,)

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        word = text.word(index)
        return [text.replace(index, other) for other in typos(word, rng)] if len(word) >= 4 else []


class Glued:
    """The word and the next one without the spaces between them."""

    name = "glued words"
    reach = (-1, 0, 1)

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        joined = text.joined(index)
        return [] if joined is None else [joined]


class Negation:
    """ "not" behind an auxiliary verb, or a word of negation gone."""

    name = "negation"
    ahead = 3  # so many words further it is likely to be still about what is negated
    reach = range(-1, ahead + 1)

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        word = plain(text.word(index))
        if is_negation(word):
            return [text.emptied(index)]
        negated = index + 1 < len(text.spans) and is_negation(plain(text.word(index + 1)))
        return [text.replace(index, f"{text.word(index)} not")] if word in AUXILIARIES and not negated else []


class OtherNumber:
    """Another number of as many digits."""

    name = "number"
    reach = (0,)

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        word = text.word(index)
        places = [place for place, character in enumerate(word) if character.isascii() and character.isdigit()]
        if not places or not is_number(plain(word)):
            return []
        digits = list(word)
        first = places[0]
        digits[first] = str(1 + (int(digits[first]) + int(rng.integers(1, 8))) % 9)
        return [text.replace(index, "".join(digits))] if "".join(digits) != word else []


class OtherName:
    """A name from another text in the place of a name (`scoring.texts.entities.CAPITALISED`)."""

    name = "name"
    reach = (0,)
    draws = 2

    def __init__(self, texts: Sequence[str]) -> None:
        self.names = sorted({text[start:end] for text in texts for start, end in CAPITALISED.find(text)})

    def at(self, text: Text, index: int, rng: Generator) -> list[Text]:
        others = [name for name in self.names if name != text.word(index)]
        if not others or text.spans[index] not in CAPITALISED.find(text.text):
            return []
        chosen = rng.choice(len(others), size=min(self.draws, len(others)), replace=False)
        return [text.replace(index, others[int(place)]) for place in sorted(chosen)]


def describe(damages: Sequence[Damage]) -> list[dict[str, Any]]:
    """The damages for a report."""
    return [{"name": damage.name, "what": " ".join((type(damage).__doc__ or "").split())} for damage in damages]


@cache
def _common(count: int = 20_000) -> list[str]:
    """The commonest words of letters, without those that carry grammar."""
    return list(islice((word for word in frequencies() if word.isalpha() and word not in FUNCTION_WORDS), count))
