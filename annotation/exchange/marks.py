"""Taking the marks of changed words out of a pair of texts: `<…>` in BODEGA's raw files, `[[…]]` in TextAttack's logs."""

from __future__ import annotations

import re
from dataclasses import dataclass


class MarksDiffer(ValueError):
    """The texts are not equal outside the marks, so the marks cannot be told from the text."""


@dataclass(frozen=True, slots=True)
class Marks:
    """One way of marking. `aligned`: what stands outside the marks is the same on both sides."""

    pattern: re.Pattern[str]
    aligned: bool

    def removed(self, before: str, after: str) -> tuple[str, str]:
        """Both texts without marks. What is marked in the same words on both sides at one place is no change, so these signs are
        the text's own and stay. Raises MarksDiffer."""
        first, second = _split(self.pattern, before), _split(self.pattern, after)
        if self.aligned and "".join(first[0::2]) != "".join(second[0::2]):
            raise MarksDiffer
        kept = _places(first) & _places(second)
        return _joined(self.pattern, before, first, kept), _joined(self.pattern, after, second, kept)


ANGLES = Marks(re.compile(r"<([^<>]*)>"), aligned=True)
SQUARES = Marks(re.compile(r"\[\[(.*?)\]\]", re.DOTALL), aligned=False)


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    """What stands outside and inside of marks, in turn."""
    return pattern.split(text)


def _places(parts: list[str]) -> set[tuple[str, str, str]]:
    """Each mark with what stands before and after it outside of marks."""
    return {
        (outside_before[-20:], inside, outside_after[:20])
        for outside_before, inside, outside_after in zip(parts[0::2], parts[1::2], parts[2::2], strict=False)
    }


def _joined(pattern: re.Pattern[str], text: str, parts: list[str], kept: set[tuple[str, str, str]]) -> str:
    found = list(pattern.finditer(text))
    out = [parts[0]]
    for number, mark in enumerate(found):
        before, inside, after = parts[2 * number : 2 * number + 3]
        out += [mark[0] if (before[-20:], inside, after[:20]) in kept else inside, after]
    return "".join(out)
