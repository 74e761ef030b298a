"""What attackers of words have in common: a source of substitutes, and words that stay."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, Self

from attacks.attackers.base import NamedAttacker
from attacks.engine.asks import Admitted, Consult
from attacks.resources import Resources
from attacks.substitutes import neighbours, synonyms
from attacks.substitutes.protected import Protected
from attacks.substitutes.source import Lexicon, Substitutes
from attacks.substitutes.words import FunctionWords, LexicalSubstitutes, NoAntonyms, PartOfSpeech
from attacks.text import Text

_CHARACTERS_AT_ONCE = 1_000_000


class WordAttacker(NamedAttacker):
    """An attacker that puts substitutes in the place of words.

    ``keep`` names what stays besides function words: "numbers", "names", both with a comma between, or "" for neither.
    ``substitutes`` stands in for the attacker's own source.
    """

    unit = "words"
    resources = Resources()

    def __init__(self, keep: str, substitutes: Substitutes | None) -> None:
        self.keep = keep
        self.protected = Protected.of(keep)
        self._given = substitutes

    @classmethod
    def made_with(cls, resources: Resources, **parameters: Any) -> Self:
        attacker = cls(**parameters)
        attacker.resources = resources
        return attacker

    @abstractmethod
    def own_substitutes(self) -> Substitutes:
        """The source that is consulted where no other is given, made of ``resources``."""

    @cached_property
    def substitutes(self) -> Substitutes:
        return self.own_substitutes() if self._given is None else self._given

    def describe(self) -> dict[str, Any]:
        described = super().describe() | {"substitutes": self.substitutes.describe()}
        return described | ({"protected": self.protected.describe()} if self.keep else {})

    def options(self, text: Text) -> Generator[Consult, Any, list[list[str]]]:
        """What may stand in for each word of a text: a list for every word, an empty one where it stays."""
        return (yield from self.options_at(text, range(len(text.spans))))

    def options_at(self, text: Text, indices: Iterable[int]) -> Generator[Consult, Any, list[list[str]]]:
        """The same for the words at some indices, in their order."""
        asked = list(indices)
        stay = self.protected.indices(text)
        places = [(text, i) for i in asked if i not in stay]
        found = iter((yield Consult(self.substitutes, places)) if places else ())
        return [[] if i in stay else next(found) for i in asked]

    def numbers_of_options(self, text: Text) -> list[int]:
        """How many substitutes each word of a text has. Not for a search, which consults: this asks the source at once."""
        stay = self.protected.indices(text)
        answers = self.substitutes.answer([(text, i) for i in range(len(text.spans))])
        return [0 if i in stay else len(answer) for i, answer in enumerate(answers)]


def nearest_words(resources: Resources, count: int, nearness: float) -> LexicalSubstitutes:
    """Content words of the same part of speech, no antonyms, among the ``count`` nearest by vectors."""
    given = resources.vectors
    vectors = neighbours.embedded_neighbours if given is None else partial(neighbours.neighbours_of, given)
    lexicon = neighbours.NearestWords(vectors, count, nearness)
    return LexicalSubstitutes(lexicon, [FunctionWords(), PartOfSpeech(), NoAntonyms()])


def wordnet_synonyms() -> LexicalSubstitutes:
    """Synonyms by WordNet, inflected as the word; no antonyms of another sense, and no function words."""
    return _same_meaning(synonyms.Synonyms(synonyms.installed_words))


def sememe_words(resources: Resources) -> LexicalSubstitutes:
    """Words of the same sememes, inflected as the word; synonyms by WordNet where no file of sememes is given."""
    if resources.sememes is None:
        return wordnet_synonyms()
    return _same_meaning(synonyms.Synonyms(partial(synonyms.sememes_of, resources.sememes)))


def _same_meaning(lexicon: Lexicon) -> LexicalSubstitutes:
    return LexicalSubstitutes(lexicon, [FunctionWords(), NoAntonyms()])


def in_portions(text: Text, options: Sequence[Sequence[str]]) -> Iterator[list[tuple[int, str]]]:
    """Every single replacement that the options allow, index and word, in the order of the text: so many at once that all texts
    that they make fit into memory for many examples under way. A text of 100 words is asked about in one portion."""
    changes = [(index, word) for index, words in enumerate(options) for word in words]
    size = max(1, _CHARACTERS_AT_ONCE // max(1, len(text.text)))
    for start in range(0, len(changes), size):
        yield changes[start : start + size]


def places_of(admitted: Sequence[Admitted], candidates: Sequence[Text]) -> list[int]:
    """Where among the candidates those stand that were admitted."""
    rest = iter(enumerate(candidates))
    return [next(place for place, candidate in rest if candidate is each.text) for each in admitted]
