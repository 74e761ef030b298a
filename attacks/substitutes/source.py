"""What a source of substitutes is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attacks.text import Text

Place = tuple[Text, int]
"""A text and the index of one of its words."""


class Substitutes(Protocol):
    """Words that may stand in for a word where it stands. Attackers consult it (`attacks.engine.Consult`)."""

    def answer(self, questions: Sequence[Place]) -> list[list[str]]:
        """For each place the words that may stand there instead, the best first, in the case of the word; none where it finds
        none. An answer does not depend on the other questions."""
        ...

    def describe(self) -> dict[str, Any]:
        """Where they come from and how they are filtered, with versions and hashes, ready for JSON."""
        ...
