"""DeepWordBug: a few characters of the most important words (Gao et al. 2018, "Black-box Generation of Adversarial Text
Sequences to Evade Deep Learning Classifiers", IEEE SPW), as the paper has it and greedily, as TextAttack does."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from attacks.attackers.base import NamedAttacker, Recipe
from attacks.attackers.greedy import greedily
from attacks.attackers.importance import Ranking, by_deletion, by_masking, ranked
from attacks.attackers.steps import First, choice_of
from attacks.constraints.edits import EditDistanceAtMost
from attacks.engine.asks import Admit, Goal, Query, Search
from attacks.errors import AttackError
from attacks.resources import Resources
from attacks.stop_words import STOP_WORDS
from attacks.substitutes.characters import TYPOS, delete, insert, substitute, swap, typos
from attacks.text import Text

MASK = "[UNK]"
_PRICED_EDITS = {"substitute": (substitute, 1), "swap": (swap, 2), "delete": (delete, 1), "insert": (insert, 1)}
"""Edits with the edit distance that one of them costs."""


class DeepWordBug(NamedAttacker):
    """The paper's algorithm: words are ranked once, the first ones edited at once, and the victim asked about the result.

    ``score`` ranks words by what they do to the probability of the victim's answer (section III.A): "replace-1" puts an
    unknown word in their place, "head" compares the text up to a word with the text before it, "tail" the text from a word
    on with the text behind it, "combined" adds the latter two. ``edit`` (section III.B) is "substitute", "swap", "delete"
    or "insert", at a random place of every word of two characters or more, until edits would cost more than
    ``max_distance``. The defaults are those of the paper's main result.

    Asks 1 + (2 for "combined", else 1) · words + 1 + 1 queries.
    """

    name = "deepwordbug"
    unit = "characters"
    variant = "top words edited at once, one check at the end"
    source = "Gao et al. 2018, algorithm 1"
    keeps_its_path = True

    def __init__(self, score: str = "combined", edit: str = "substitute", max_distance: int = 30) -> None:
        for given, kinds, what in ((score, _RANKINGS, "score"), (edit, _PRICED_EDITS, "edit")):
            if given not in kinds:
                raise AttackError(f"deepwordbug knows no {what} {given!r}; there are {', '.join(kinds)}")
        self.score = score
        self.edit = edit
        self.max_distance = max_distance
        self.constraints = (EditDistanceAtMost(max_distance),)

    def most_queries(self, text: Text) -> int:
        return 1 + (2 if self.score == "combined" else 1) * len(text.spans) + 1 + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        order = yield from _RANKINGS[self.score](text, goal)
        edit, price = _PRICED_EDITS[self.edit]
        editable = [i for i in order if len(text.word(i)) >= 2]
        edited = text.replace_each({i: edit(text.word(i), rng) for i in editable[: self.max_distance // price]})
        if edited == text or not (yield Admit([edited])):
            return None
        return edited if goal.reached((yield Query([edited])))[0] else None


def by_replacing(text: Text, goal: Goal) -> Ranking:
    """Word indices, most important first, by equation 1. One query per word."""
    return (yield from by_masking(text, goal, MASK))


def by_head(text: Text, goal: Goal) -> Ranking:
    """By equation 2, the temporal head score. One query per word."""
    return ranked((yield from _head_scores(text, goal)))


def by_tail(text: Text, goal: Goal) -> Ranking:
    """By equation 3, the temporal tail score. One query per word."""
    return ranked((yield from _tail_scores(text, goal)))


def by_head_and_tail(text: Text, goal: Goal) -> Ranking:
    """By equation 4, the sum of both temporal scores. Two queries per word."""
    head = yield from _head_scores(text, goal)
    tail = yield from _tail_scores(text, goal)
    return ranked(head + tail)


_RANKINGS: dict[str, Callable[[Text, Goal], Ranking]] = {
    "combined": by_head_and_tail,
    "replace-1": by_replacing,
    "head": by_head,
    "tail": by_tail,
}


def _head_scores(text: Text, goal: Goal) -> Generator[Query, Any, np.ndarray]:
    """P(answer | text up to the word) - P(answer | text before the word), float64 [words]. The whole text's is known."""
    before = goal.scores((yield Query(text.before_each())))
    return before - np.append(before[1:], goal.start)


def _tail_scores(text: Text, goal: Goal) -> Generator[Query, Any, np.ndarray]:
    """P(answer | text from the word on) - P(answer | text behind the word), float64 [words]."""
    behind = goal.scores((yield Query(text.after_each())))
    return behind - np.insert(behind[:-1], 0, goal.start)


class GreedyDeepWordBug(NamedAttacker):
    """Greedy DeepWordBug with a check per word, the variant that TextAttack made common.

    Words are ranked by ``importance``, "deletion" or "masking"; unless ``stop_words``, those of NLTK are left out. For each of
    at least two characters, most important first: swap two neighbouring characters, substitute one, delete one, insert one,
    each at a random place; of the results within ``max_distance`` edits of the original keep the one nearest to the goal, if it
    is nearer than the text so far; stop when the victim's answer changes. ``first`` says whether constraints or victim are asked
    first: both come to the same text. Asks 1 + words ranked + (edits of the words tried, at most four each, with "constraints"
    only the admitted ones) + 1 queries.
    """

    name = "deepwordbug-greedy"
    unit = "characters"
    variant = "greedy, a check per word"
    source = "Gao et al. 2018; Morris et al. 2020 (the search)"
    keeps_its_path = True

    def __init__(
        self, max_distance: int = 30, importance: str = "deletion", stop_words: bool = True, first: First = "constraints"
    ) -> None:
        if importance not in ("deletion", "masking"):
            raise AttackError(f"deepwordbug-greedy knows no importance {importance!r}; there are deletion, masking")
        self.max_distance = max_distance
        self.importance = importance
        self.stop_words = stop_words
        self.first = first
        self._choose = choice_of(first, alike=False)
        self.constraints = (EditDistanceAtMost(max_distance),)

    def most_queries(self, text: Text) -> int:
        words = len(self._editable(text))
        return 1 + words + len(TYPOS) * words + 1

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        words = self._editable(text)
        order = (
            yield from by_deletion(text, goal, words) if self.importance == "deletion" else by_masking(text, goal, MASK, words)
        )
        return (yield from greedily(text, goal, order, lambda current, i: _with_typos(current, i, rng), self._choose))

    def _editable(self, text: Text) -> Sequence[int]:
        if self.stop_words:
            return range(len(text.spans))
        return [i for i, word in enumerate(text.words) if word not in STOP_WORDS]


def _with_typos(text: Text, index: int, rng: np.random.Generator) -> list[Text]:
    return [text.replace(index, word) for word in typos(text.word(index), rng)]


def _textattack(resources: Resources, max_distance: int = 30, first: First = "constraints") -> NamedAttacker:
    return GreedyDeepWordBug(max_distance, importance="masking", stop_words=False, first=first)


TEXTATTACK = Recipe(
    "textattack:deepwordbug",
    "characters",
    "Gao et al. 2018; TextAttack 0.3.11, recipe deepwordbug (Morris et al. 2020)",
    _textattack,
)
"""What differs from TextAttack, whose queries are counted without the last one, the verification: a new letter takes the case of
the one beside it (there it is any of A-Z and a-z); words with ``_``, ``*`` or ``@`` inside are two words, and web addresses none;
words of equal importance stay in the order of the text; of equally good edits the first of the above order is kept."""
