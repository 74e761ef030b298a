"""Which sentence of the modified text stands for which of the original, as BODEGA pairs them for its semantic score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import extractOne

from scoring.result import ScoringError

from .tokens import normalise, sentences

NOT_GENERATED: Final = "NOT_GENERATED"
"""What an original sentence is compared with when the modified text has no sentence at all."""


@dataclass(frozen=True, slots=True)
class Segmenter:
    """A way to cut a text into sentences; its name belongs into every result that rests on it."""

    name: str
    cut: Callable[[str], list[str]]


def _whole(text: str) -> list[str]:
    return [text]


def _at_tildes(text: str) -> list[str]:
    return text.split("~")


_WHOLE = Segmenter("whole text", _whole)
_TILDE = Segmenter("cut at ~", _at_tildes)
_PUNKT = Segmenter("Punkt English (BODEGA uses LAMBO here)", sentences)

TASKS: Final = ("PR", "FC", "HN", "RD", "C19")
"""BODEGA's: propaganda, fact checking, hyperpartisan news, rumours, COVID-19."""


def segmenter_for(task: str) -> Segmenter:
    """The task's segmenter: for HN, RD and C19 LAMBO (Przybyła 2022) where it is installed, as in BODEGA, else Punkt.

    ScoringError for an unknown task, and for a LAMBO whose English model cannot be loaded.
    """
    if task not in TASKS:
        raise ScoringError(f"Unknown task {task!r}: it is one of {', '.join(TASKS)}.")
    if task == "PR":
        return _WHOLE
    if task == "FC":
        return _TILDE
    return _lambo() if find_spec("lambo") else _PUNKT


@cache
def _lambo() -> Segmenter:
    from lambo.segmenter.lambo import Lambo

    try:
        model: Any = Lambo.get("English")
    except Exception as error:  # it downloads its model, and tells problems of the network and of files in its own ways
        raise ScoringError(f"LAMBO is installed, but its English model cannot be loaded: {error}") from None

    def cut(text: str) -> list[str]:
        return [sentence.text for turn in model.segment(text).turns for sentence in turn.sentences]

    return Segmenter(f"LAMBO English {version('lambo')}", cut)


def split(text: str, task: str) -> list[str]:
    """The sentences of a text as the task cuts them; spaces around a cut stay for FC."""
    return segmenter_for(task).cut(text)


def align(original_sentences: Sequence[str], modified_sentences: Sequence[str]) -> list[tuple[str, str]]:
    """For each original sentence the nearest modified one: smallest Levenshtein distance over the longer length, both
    normalised and lower-cased; ties go to the first.

    One modified sentence may serve several originals, others none. Without any, the partner is `NOT_GENERATED`.
    """
    if len(original_sentences) == len(modified_sentences) == 1:
        return [(original_sentences[0], modified_sentences[0])]
    # Equal sentences are compared once: a text may hold thousands of them.
    candidates: dict[str, str] = {}
    for sentence in modified_sentences:
        candidates.setdefault(normalise(sentence), sentence)
    normalised = [normalise(sentence) for sentence in original_sentences]
    partner = {sentence: _nearest(sentence, candidates) for sentence in dict.fromkeys(normalised)}
    return [(sentence, partner[key]) for sentence, key in zip(original_sentences, normalised, strict=True)]


def _nearest(original: str, candidates: dict[str, str]) -> str:
    """The nearest of the modified sentences, which are given by their normalised forms."""
    if original in candidates:
        return candidates[original]
    nearest = extractOne(original, list(candidates), scorer=Levenshtein.normalized_distance)
    return candidates[nearest[0]] if nearest else NOT_GENERATED
