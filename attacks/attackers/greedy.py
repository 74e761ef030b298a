"""Searches that ask about many single edits and keep the best."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from attacks.attackers.steps import Choice
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.text import Text

_CHARACTERS_AT_ONCE = 2_000_000  # bounds what is held in memory when a long text has very many edits


class Scored(NamedTuple):
    """A candidate by its number among those asked about, how near it comes, and whether it reaches the goal."""

    number: int
    score: float
    reached: bool


def scored(candidates: Iterable[Text], goal: Goal) -> Generator[Admit | Query, Any, list[Scored]]:
    """Ask the constraints about candidates, then the victim about the admitted ones. In the candidates' order."""
    found: list[Scored] = []
    for numbers, texts in _in_portions(candidates):
        admitted = yield Admit(texts)
        if not admitted:
            continue
        probabilities = yield Query([each.text for each in admitted])
        number_of = {text.text: number for number, text in zip(numbers, texts, strict=True)}
        rows = zip(admitted, goal.scores(probabilities).tolist(), goal.reached(probabilities).tolist(), strict=True)
        found += [Scored(number_of[each.text.text], score, reached) for each, score, reached in rows]
    return found


def nearest(found: Sequence[Scored]) -> Scored:
    """The one with the highest score, the first of equals."""
    return max(found, key=lambda each: each.score)


def greedily(
    text: Text,
    goal: Goal,
    order: Iterable[int],
    variants: Callable[[Text, int], Sequence[Text]],
    choose: Choice,
    most: int | None = None,
) -> Search:
    """For each word in ``order`` keep the variant that ``choose`` takes, if any.

    ``variants`` makes texts of the text so far and a word's index. Stops when the victim's answer changes, or when ``most``
    variants were kept. Asks as many queries as there are variants of the words tried, admitted ones if constraints go first.
    """
    current, score, kept = text, goal.start, 0
    for index in order:
        if kept == most:
            break
        step = yield from choose(variants(current, index), goal, score)
        if step is not None:
            current, score, reached = step
            if reached:
                return current
            kept += 1
    return None


def _in_portions(candidates: Iterable[Text]) -> Iterator[tuple[list[int], list[Text]]]:
    numbered = enumerate(candidates)
    for first in numbered:
        numbers, texts, size = [], [], 0
        for number, text in chain([first], numbered):
            numbers.append(number)
            texts.append(text)
            size += len(text.text)
            if size >= _CHARACTERS_AT_ONCE:
                break
        yield numbers, texts
