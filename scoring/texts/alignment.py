"""Which sentence of the modified text stands for which of the original, as BODEGA pairs them for its semantic score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.result import ScoringError

from .character import similarity
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

SEGMENTERS: Final = {"PR": _WHOLE, "FC": _TILDE, "HN": _PUNKT, "RD": _PUNKT, "C19": _PUNKT}
"""By BODEGA's task: propaganda, fact checking, hyperpartisan news, rumours, COVID-19."""


def segmenter_for(task: str) -> Segmenter:
    """The task's segmenter. ScoringError for an unknown task."""
    if task not in SEGMENTERS:
        raise ScoringError(f"Unknown task {task!r}: it is one of {', '.join(SEGMENTERS)}.")
    return SEGMENTERS[task]


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
    candidates = [normalise(sentence) for sentence in modified_sentences]
    return [(sentence, _nearest(normalise(sentence), candidates, modified_sentences)) for sentence in original_sentences]


def _nearest(original: str, candidates: Sequence[str], sentences: Sequence[str]) -> str:
    if not candidates:
        return NOT_GENERATED
    if original in candidates:
        return sentences[candidates.index(original)]
    best = max(range(len(candidates)), key=lambda index: similarity(original, candidates[index]))
    return sentences[best]
