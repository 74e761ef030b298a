"""Words that no attacker touches: numbers and names where asked for, and given words.

Web addresses and the separator of pairs, ``~``, need no protection: they belong to no word (`attacks.text.Text`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from attacks.errors import AttackError
from attacks.substitutes.source import plain
from attacks.text import Text
from scoring.texts.entities import CAPITALISED
from scoring.texts.word_kinds import is_number

KINDS: Final = ("numbers", "names")


@dataclass(frozen=True, slots=True)
class Protected:
    """Which words of a text stay.

    ``numbers``: in digits or in words (`scoring.texts.word_kinds.is_number`). ``names``: capitalised words that do not
    begin a sentence (`scoring.texts.entities.CAPITALISED`; in a headline, where most words have a capital, there are none).
    ``words``: these, in any case.
    """

    numbers: bool = False
    names: bool = False
    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, kinds: str, words: Iterable[str] = ()) -> Protected:
        """From "numbers", "names", both with a comma between, or neither. Raises `AttackError` for anything else."""
        given = [kind.strip() for kind in kinds.split(",") if kind.strip()]
        if unknown := [kind for kind in given if kind not in KINDS]:
            raise AttackError(f"{unknown[0]!r} cannot be protected; there are {', '.join(KINDS)}")
        return cls("numbers" in given, "names" in given, frozenset(map(plain, words)))

    def indices(self, text: Text) -> frozenset[int]:
        """The indices of the words that stay."""
        found: set[int] = set()
        if self.numbers or self.words:
            for index, word in enumerate(map(plain, text.words)):
                if word in self.words or (self.numbers and is_number(word)):
                    found.add(index)
        if self.names:
            found.update(_inside(text.spans, CAPITALISED.find(text.text)))
        return frozenset(found)

    def describe(self) -> dict[str, Any]:
        return {"numbers": self.numbers, "names": CAPITALISED.name if self.names else False, "words": sorted(self.words)}


def _inside(words: list[tuple[int, int]], spans: list[tuple[int, int]]) -> Iterable[int]:
    """The indices of the words that overlap one of the spans; both are in order."""
    rest = iter(spans)
    span = next(rest, None)
    for index, (start, end) in enumerate(words):
        while span is not None and span[1] <= start:
            span = next(rest, None)
        if span is not None and span[0] < end:
            yield index
