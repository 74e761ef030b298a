"""METEOR (Banerjee and Lavie 2005; parameters of Lavie and Agarwal, WMT 2007), in linear time.

Words are matched in three stages: equal, of one stem (Porter, as nltk has it), synonyms in WordNet. nltk's own METEOR hands stems
to the last stage, where most words are then unknown ("movi"), and asks only for synonyms of the base form.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

from .wordnet import WordNet

ALPHA: Final = 0.9
BETA: Final = 3.0
GAMMA: Final = 0.5

Match = tuple[int, int]


def meteor_score(original: Sequence[str], modified: Sequence[str], wordnet: WordNet) -> float:
    """How well the words of the modified text match those of the original, and how little their order was broken: 0 to 1."""
    matches = sorted(_matches([word.lower() for word in original], [word.lower() for word in modified], wordnet))
    if not matches:
        return 0.0
    precision, recall = len(matches) / len(modified), len(matches) / len(original)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    chunks = 1 + sum((b[0] - a[0], b[1] - a[1]) != (1, 1) for a, b in pairwise(matches))
    return mean * (1 - GAMMA * (chunks / len(matches)) ** BETA)


def _matches(original: list[str], modified: list[str], wordnet: WordNet) -> list[Match]:
    """Places in the modified text, each with its place in the original."""
    found: list[Match] = []
    old, new = dict(enumerate(original)), dict(enumerate(modified))
    stages: tuple[Callable[[str], Iterable[Hashable]], ...] = (lambda word: (word,), lambda word: (_stem(word),), wordnet.senses)
    for keys in stages:
        matched = _stage(old, new, keys)
        for place, partner in matched:
            del new[place], old[partner]
        found += matched
    return found


def _stage(old: dict[int, str], new: dict[int, str], keys: Callable[[str], Iterable[Hashable]]) -> list[Match]:
    """From the end of the modified text, each word to the last word of the original that shares a key and is still free."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, word in old.items():
        for key in keys(word):
            places[key].append(place)
    taken: set[int] = set()
    matched = []
    for place in reversed(new):
        stacks = [places[key] for key in keys(new[place]) if key in places]
        for stack in stacks:
            while stack and stack[-1] in taken:
                stack.pop()
        partner = max((stack[-1] for stack in stacks if stack), default=None)
        if partner is not None:
            taken.add(partner)
            matched.append((place, partner))
    return matched


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    stem: str = _stemmer().stem(word)
    return stem
