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
_LEET: Final = {"0": "o", "1": "li", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "@": "a", "$": "s"}
"""Digits and signs by the letters that they stand for, the usual one first, where a word has no digit of its own."""
_USUAL: Final = str.maketrans({sign: letters[0] for sign, letters in _LEET.items()})
_SUFFIX: Final = 2
"""So many letters behind digits leave them a number: "2nd", "5kg"."""

_LONG: Final = 256


def spelled(word: str) -> str:
    """The word as a reader sees it: in lower case, without accents, invisible characters and look-alikes."""
    if word.isascii() and word.isprintable():
        return word.lower()
    return "".join(map(seen, word)) or word


def is_number(word: str) -> bool:
    """Whether it is a number, in digits ("1,000", "2nd", "1990s", "G8") or in words. Digits between letters ("g00d") are none."""
    if word.isalpha():
        return word in _NUMBERS
    letters = [place for place, character in enumerate(word) if character.isalpha()]
    if letters and any(map(str.isdigit, word[letters[0] : letters[-1]])):
        return False
    digits = sum(map(str.isdigit, word))
    return digits > 0 and (2 * digits >= sum(map(str.isalnum, word)) or (word[0].isdigit() and len(letters) <= _SUFFIX))


def is_negation(word: str) -> bool:
    """Whether it says no: "not", "never", "isn't", "isnt" and their like."""
    return word in _NO


def read_as(word: str, original: str) -> str:
    """The word with its digits as the letters that they stand for ("h3llo"), where the original has letters alone. A word that
    might be a number ("0f", "10s") is read so only where that makes it the original, and one of nothing but digits never."""
    if word.isalpha() or not original.isalpha():
        return word
    read = word
    if len(word) == len(original) and any(map(str.isalpha, word)):
        read = "".join(letter if is_leet(sign, letter) else sign for sign, letter in zip(word, original, strict=True))
    return read.translate(_USUAL) if read == original or not is_number(word) else word


def is_leet(character: str, original: str) -> bool:
    """Whether a digit or sign stands for that letter."""
    return original in string.ascii_letters and original.lower() in _LEET.get(character, "")


def is_misspelling(word: str, original: str) -> bool:
    """Whether a word is the other with up to a third of its letters inserted, deleted, replaced or swapped with their
    neighbour. Numbers and negations are no misspellings of anything else, but "tw0" is one of "two"."""
    if word == original:
        return True
    # What costs least first: most words that are compared are quite different ones.
    shorter, longer = sorted((len(word), len(original)))
    if longer - shorter > longer // 3:
        return False
    read, meant = read_as(word, original), read_as(original, word)
    if read == meant:
        return True
    if _distance(read, meant) > longer // 3:
        return False
    return not is_number(read) and not is_number(meant) and is_negation(read) == is_negation(meant)


def _distance(word: str, original: str) -> int:
    """Letters inserted, deleted, replaced or swapped; in linear time, and then without swaps, for "words" that no space ends."""
    if min(len(word), len(original)) <= _LONG:
        return int(OSA.distance(word, original))
    return sum(max(b - a, d - c) for operation, a, b, c, d in opcodes(original, word) if operation != "equal")
