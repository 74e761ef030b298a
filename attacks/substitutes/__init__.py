"""What words may stand in for a word."""

from __future__ import annotations

from attacks.substitutes.antonyms import Antonyms, find_wordnet
from attacks.substitutes.casing import agree_case
from attacks.substitutes.neighbours import GloveNeighbours, Neighbours
from attacks.substitutes.parts_of_speech import share_part_of_speech

__all__ = [
    "Antonyms",
    "GloveNeighbours",
    "Neighbours",
    "agree_case",
    "find_wordnet",
    "share_part_of_speech",
]
