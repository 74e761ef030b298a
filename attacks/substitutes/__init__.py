"""What words may stand in for a word."""

from __future__ import annotations

from attacks.substitutes.antonyms import Antonyms, find_wordnet
from attacks.substitutes.casing import agree_case
from attacks.substitutes.neighbours import Neighbours, VectorNeighbours
from attacks.substitutes.parts_of_speech import share_part_of_speech
from attacks.substitutes.protected import Protected
from attacks.substitutes.source import Lexicon, Place, Substitutes, Word
from attacks.substitutes.words import LexicalSubstitutes

__all__ = [
    "Antonyms",
    "LexicalSubstitutes",
    "Lexicon",
    "Neighbours",
    "Place",
    "Protected",
    "Substitutes",
    "VectorNeighbours",
    "Word",
    "agree_case",
    "find_wordnet",
    "share_part_of_speech",
]
