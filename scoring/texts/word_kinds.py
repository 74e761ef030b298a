"""What a word is, as far as its meaning hangs on it: a number, a negation, or another word spelled slightly differently. All but
`spelled` take spelled words."""

from __future__ import annotations

import string
from typing import Final

from rapidfuzz.distance import OSA

from .characters import seen
from .matching import opcodes

_NUMBERS: Final = frozenset((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty",
    "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion", "trillion", "dozen",
    "hundreds", "thousands", "millions", "billions", "trillions", "dozens", "half", "third", "quarter", "twice",
))  # fmt: skip
_NEGATIONS: Final = frozenset((
    "no", "not", "none", "nobody", "nothing", "nowhere", "never", "neither", "nor", "cannot", "without", "hardly",
))  # fmt: skip
_VERBS: Final = (
    "are", "ca", "can", "could", "did", "do", "does", "had", "has", "have", "is", "might", "must", "need", "sha",
    "should", "was", "were", "wo", "would", "ai",
)  # fmt: skip
_NO: Final = _NEGATIONS | {f"{verb}n{mark}t" for verb in _VERBS for mark in ("'", "")} | {"n't", "nt"}
_LEET: Final = str.maketrans("013457@$", "oleastas")
"""Digits and signs that stand for letters where a word has no digit of its own."""

_LONG: Final = 256


def spelled(word: str) -> str:
    """The word as a reader sees it: in lower case, without accents, invisible characters and look-alikes."""
    if word.isascii() and word.isprintable():
        return word.lower()
    return "".join(map(seen, word)) or word


def is_number(word: str) -> bool:
    """Whether it is a number, in digits ("1,000", "2nd", "1990s") or in words."""
    if word.isalpha():
        return word in _NUMBERS
    digits = sum(map(str.isdigit, word))
    return digits > 0 and 2 * digits >= sum(map(str.isalnum, word))


def is_negation(word: str) -> bool:
    """Whether it says no: "not", "never", "isn't", "isnt" and their like."""
    return word in _NO


def read_as(word: str, original: str) -> str:
    """The word with its digits as the letters that they stand for ("h3llo"), where the original has letters alone."""
    if not word.isalpha() and original.isalpha() and not is_number(word):
        return word.translate(_LEET)
    return word


def is_leet(character: str, original: str) -> bool:
    """Whether a digit or sign stands for that letter."""
    return original in string.ascii_letters and character.translate(_LEET) == original.lower()


def is_misspelling(word: str, original: str) -> bool:
    """Whether a word is the other with up to a third of its letters inserted, deleted, replaced or swapped with their
    neighbour. Numbers and negations are no misspellings of anything else."""
    if word == original:
        return True
    # What costs least first: most words that are compared are quite different ones.
    shorter, longer = sorted((len(word), len(original)))
    if longer - shorter > longer // 3 or _distance(read_as(word, original), original) > longer // 3:
        return False
    return not is_number(word) and not is_number(original) and is_negation(word) == is_negation(original)


def _distance(word: str, original: str) -> int:
    """Letters inserted, deleted, replaced or swapped; in linear time, and then without swaps, for "words" that no space ends."""
    if min(len(word), len(original)) <= _LONG:
        return int(OSA.distance(word, original))
    return sum(max(b - a, d - c) for operation, a, b, c, d in opcodes(original, word) if operation != "equal")
