"""How common a word is: frequencies of wordfreq (Speer, "rspeer/wordfreq", 2022) on the Zipf scale of van Heuven et al. (2014),
log10 of the frequency per billion words: about 1 (rare) to 7.7 ("the"); 0 stands for a word that is not in the list."""

from __future__ import annotations

import math
from functools import cache


@cache
def frequencies() -> dict[str, float]:
    """The English words with their share of all words, the commonest first."""
    from wordfreq import get_frequency_dict

    found: dict[str, float] = get_frequency_dict("en", wordlist="large")
    return found


def zipf(word: str) -> float:
    """The word's Zipf frequency, in lower case; that of the noun for a genitive that is not listed itself."""
    frequency = frequencies().get(word, 0.0)
    if not frequency and word.endswith("'s"):
        frequency = frequencies().get(word[:-2], 0.0)
    return max(0.0, math.log10(frequency) + 9) if frequency else 0.0
