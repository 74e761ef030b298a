"""Words as classes: what part of speech they can be, and which follow each other in English.

Without a tagger a word's class is all that it can be (an "ambiguity class", Cutting et al. 1992): "run" is NOUN,VERB; "movies" is
NOUN+, an inflected noun. Function words and commas are classes of their own. How often one class follows another was counted in
the example sentences of WordNet 3.0 (Miller 1995): `class_pairs.tsv` beside this file is `as_table(count_pairs(folder))`. These
are mostly parts of sentences, without marks at their ends, so what such a mark divides does not count as side by side.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from scoring.texts.function_words import FUNCTION_WORDS
from scoring.texts.parts_of_speech import parts_of_speech

Pair = tuple[str, str]

TABLE: Final = Path(__file__).with_name("class_pairs.tsv")
_WORD_OR_COMMA: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|,")
_ENDS: Final = re.compile(r"[.;:!?]+")
_EXAMPLE: Final = re.compile(r'"([^"]+)"')
_UNKNOWN: Final = "UNKNOWN"
_NUMBER: Final = "NUMBER"
_SHRINKAGE: Final = 1.0
"""Added to both counts, so that a pair is not odd for its classes being rare. Of 1 to 20, this told apart best the examples held
out of the counting and the same with two words swapped (90 % of pairs)."""


def classes(text: str) -> list[str]:
    """The class of each word and comma."""
    return [_class_of(token.lower().replace("’", "'")) for token in _WORD_OR_COMMA.findall(text)]


@lru_cache(maxsize=200_000)
def _class_of(word: str) -> str:
    if word in FUNCTION_WORDS or not word[0].isalnum():
        return word
    if word[0].isdigit():
        return _NUMBER
    base = word.removesuffix("'s")
    # lemminflect holds some names, and most not.
    tags = sorted(tag + ("" if is_base else "+") for tag, is_base in parts_of_speech(base) if tag != "PROPN")
    return (",".join(tags) or _UNKNOWN) + ("'s" if base != word else "")


def pairs_of(text: str) -> Iterator[Pair]:
    """The classes side by side."""
    for part in _ENDS.split(text):
        yield from pairwise(classes(part))


def oddities(text: str) -> list[float]:
    """How much rarer than by chance each pair of classes is, in bits: log2 of how often it was to be expected, from how often its
    classes begin and end pairs, over how often it was counted. Below 0 for what is common."""
    return [_oddity(first, second) for first, second in pairs_of(text)]


@lru_cache(maxsize=100_000)
def _oddity(first: str, second: str) -> float:
    pairs, firsts, seconds = _counted()
    expected = firsts[first] * seconds[second] / firsts.total()
    return math.log2((expected + _SHRINKAGE) / (pairs[first, second] + _SHRINKAGE))


@cache
def _counted() -> tuple[Counter[Pair], Counter[str], Counter[str]]:
    """Pairs of classes, and those that begin and that end with a class."""
    pairs: Counter[Pair] = Counter()
    firsts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        first, second, number = line.split("\t")
        pairs[first, second] = count = int(number)
        firsts[first] += count
        seconds[second] += count
    return pairs, firsts, seconds


def count_pairs(wordnet: Path) -> Counter[Pair]:
    """How often classes are side by side in the examples of WordNet's database files."""
    return Counter(pair for example in examples(wordnet) for pair in pairs_of(example))


def examples(wordnet: Path) -> Iterator[str]:
    for part in ("noun", "verb", "adj", "adv"):
        for line in (wordnet / f"data.{part}").read_text(encoding="latin-1").split("\n"):
            _, bar, gloss = line.partition(" | ")
            if bar:
                yield from _EXAMPLE.findall(gloss)


def as_table(pairs: Counter[Pair]) -> str:
    """The contents of the file, the same for the same counts."""
    return "".join(f"{first}\t{second}\t{count}\n" for (first, second), count in sorted(pairs.items()))
