"""What a word is, as far as its meaning hangs on it: a number, a negation, or another word spelled slightly differently."""

from __future__ import annotations

import string
from typing import Final

from rapidfuzz.distance import OSA

from .characters import is_combining, is_invisible, plain
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
_CONTRACTED: Final = frozenset(f"{verb}n{mark}t" for verb in _VERBS for mark in ("'", "")) | {"n't", "nt"}
_LEET: Final = str.maketrans("013457@$", "oleastas")
"""Digits and signs that stand for letters where a word has no digit of its own."""

_LONG: Final = 256


def spelled(word: str) -> str:
    """The word as a reader sees it: in lower case, without accents, invisible characters and look-alikes."""
    if word.isascii() and word.isprintable():
        return word.lower()
    return "".join(plain(char) for char in word if not is_invisible(char) and not is_combining(char)) or word


def is_number(word: str) -> bool:
    """Whether it is a number, in digits ("1,000", "2nd", "1990s") or in words."""
    seen = spelled(word)
    if seen.isalpha():
        return seen in _NUMBERS
    digits = sum(map(str.isdigit, seen))
    return digits > 0 and 2 * digits >= sum(map(str.isalnum, seen))


def is_negation(word: str) -> bool:
    """Whether it says no: "not", "never", "isn't", "isnt" and their like."""
    return (seen := spelled(word)) in _NEGATIONS or seen in _CONTRACTED


def read_as(word: str, original: str) -> str:
    """A spelled word with its digits as the letters that they stand for ("h3llo"), where the original has letters alone."""
    if original.isalpha() and not is_number(word):
        return word.translate(_LEET)
    return word


def is_leet(character: str, original: str) -> bool:
    """Whether a digit or sign stands for that letter."""
    return original in string.ascii_letters and character.translate(_LEET) == original.lower()


def is_misspelling(word: str, original: str) -> bool:
    """Whether a spelled word is the other with up to a third of its letters inserted, deleted, replaced or swapped with their
    neighbour. Numbers and negations are no misspellings of anything else."""
    if word == original:
        return True
    if is_number(word) or is_number(original) or is_negation(word) != is_negation(original):
        return False
    return 3 * _distance(read_as(word, original), original) <= max(len(word), len(original))


def _distance(word: str, original: str) -> int:
    """Letters inserted, deleted, replaced or swapped; in linear time, and then without swaps, for "words" that no space ends."""
    if min(len(word), len(original)) <= _LONG:
        return int(OSA.distance(word, original))
    return sum(max(b - a, d - c) for operation, a, b, c, d in opcodes(original, word) if operation != "equal")
