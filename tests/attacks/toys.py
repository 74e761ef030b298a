"""Small victims, attackers and constraints whose every answer can be worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np

from attacks.constraints import PairConstraint
from attacks.engine import Admit, Goal, Query, Search
from attacks.substitutes import Place, agree_case
from attacks.substitutes.masked_model import Blank, Prediction
from attacks.substitutes.source import word_at
from attacks.text import Text


class WordVictim:
    """P(1) = clip(0.5 + the weights of the text's words); unknown words weigh nothing. Notes every call."""

    name = "toy"
    sha256 = "toy"

    def __init__(self, weights: Mapping[str, float], base: float = 0.5) -> None:
        self.weights = weights
        self.base = base
        self.calls: list[list[str]] = []

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(list(texts))
        positive = [min(max(self.base + sum(self.weights.get(w, 0.0) for w in Text(t).words), 0.0), 1.0) for t in texts]
        return np.array([[1 - p, p] for p in positive]).reshape(-1, 2)

    @property
    def sent(self) -> list[str]:
        return [text for call in self.calls for text in call]


class Scripted:
    """An attacker that tries given texts one after another; asks the constraints about each first."""

    name = "scripted"
    unit = "words"
    constraints: tuple[Any, ...] = ()

    def __init__(self, *attempts: str, admit: bool = True) -> None:
        self.attempts = attempts
        self.admit = admit

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "attempts": list(self.attempts)}

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        for attempt in self.attempts:
            candidates = [Text(attempt, text)]
            if self.admit:
                candidates = [admitted.text for admitted in (yield Admit(candidates))]
            if candidates and goal.reached((yield Query(candidates)))[0]:
                return candidates[0]
        return None


class RandomWalk:
    """Replaces random words by random letters a–e: any dependence on what ran beside an example would show."""

    name = "random-walk"
    unit = "words"
    constraints: tuple[Any, ...] = ()

    def describe(self) -> dict[str, Any]:
        return {"name": self.name}

    def search(self, text: Text, goal: Goal, rng: np.random.Generator) -> Search:
        current = text
        for _ in range(int(rng.integers(1, 12))):
            letters = rng.choice(list("abcde"), size=int(rng.integers(1, 4)))
            i = int(rng.integers(len(text.words)))
            admitted = yield Admit([current.replace(i, str(letter)) for letter in letters])
            if not admitted:
                continue
            probabilities = yield Query([candidate.text for candidate in admitted])
            if goal.reached(probabilities).any():
                return admitted[int(np.argmax(goal.reached(probabilities)))].text
            current = admitted[int(goal.scores(probabilities).argmax())].text
        return None


class Listed:
    """A source of substitutes that reads them from a table by lower-case words, in the case of the word. Notes what is asked."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self.table = table
        self.calls: list[list[str]] = []

    def answer(self, questions: Sequence[Place]) -> list[list[str]]:
        words = [word_at(place) for place in questions]
        self.calls.append(words)
        return [[agree_case(word, other) for other in self.table.get(word.lower(), ())] for word in words]

    def describe(self) -> dict[str, Any]:
        return {"name": "toy"}


class Forbids(PairConstraint):
    """Lets through candidates without a certain word. Its score is the number of words. Notes every candidate scored."""

    def __init__(self, word: str, name: str = "forbids", cost: float = 1.0) -> None:
        self.word, self.name, self.cost = word, name, cost
        self.scored: list[str] = []

    def check_pairs(self, originals: Sequence[str], candidates: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        self.scored += candidates
        words = [Text(candidate).words for candidate in candidates]
        return np.array([float(len(w)) for w in words]), np.array([self.word not in w for w in words], dtype=bool)

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "word": self.word}


class SuspicionByLength:
    """A suspicion model: 1 plus a tenth of the characters."""

    card: Mapping[str, Any] = {}

    def __init__(self, sha256: str | None = "by-length") -> None:
        self.sha256 = sha256

    def predict(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([1 + len(text) / 10 for text in texts])


class MaskedToy:
    """A masked language model that has a list of words for each word that it cannot see, sees, or ("") for what is put in: with
    the probabilities 1/2, 1/4, and so on. Notes what it was asked."""

    def __init__(self, likely: Mapping[str, Sequence[str]]) -> None:
        self.likely = likely
        self.asked: list[Blank] = []

    def predictions(self, blanks: Sequence[Blank], count: int) -> list[list[Prediction]]:
        self.asked += blanks
        words = [self.likely.get(blank.text[blank.start : blank.end], ())[:count] for blank in blanks]
        return [[Prediction(word, -(i + 1) * math.log(2)) for i, word in enumerate(of)] for of in words]

    def describe(self) -> dict[str, Any]:
        return {"name": "toy"}


class Opposites:
    """Antonyms that are given as pairs."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs = pairs

    def of(self, word: str) -> frozenset[str]:
        return frozenset(other for pair in self.pairs if word in pair for other in pair if other != word)

    def __len__(self) -> int:
        return len(self.pairs)


class Always0:
    """A generator that always draws 0: the first place, the letter a, the first of a list."""

    def integers(self, *_: int) -> int:
        return 0


def answered(asking: Generator[Any, Any, Any], victim: Any) -> Any:
    """What a generator that asks the victim only comes to."""
    try:
        query = next(asking)
        while True:
            query = asking.send(victim.predict_proba([text.text for text in query.texts]))
    except StopIteration as finished:
        return finished.value
