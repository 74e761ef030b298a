"""Answering what many examples ask of sources of substitutes, in one call for each source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attacks.engine.asks import Consult, Source
from attacks.engine.walk import Walk
from attacks.errors import AttackError

Asked = tuple[Walk, Consult]


def answer_consultations(walks: Sequence[Walk]) -> None:
    """Answer every walk that consults a source. A failed call is made again for one example at a time."""
    asked = [(walk, walk.ask) for walk in walks if isinstance(walk.ask, Consult)]
    sources = {id(consult.source): consult.source for _, consult in asked}
    answers: dict[int, list[Any]] = {}
    for key, source in sources.items():
        of_source = [(walk, consult) for walk, consult in asked if id(consult.source) == key]
        try:
            answers.update(_answers(source, of_source))
        except Exception:
            for walk, consult in of_source:
                try:
                    answers.update(_answers(source, [(walk, consult)]))
                except Exception as failure:
                    walk.failure = failure
    for walk, _ in asked:
        walk.resume(answers.get(id(walk)))


def _answers(source: Source, asked: Sequence[Asked]) -> dict[int, list[Any]]:
    questions = [question for _, consult in asked for question in consult.questions]
    given = list(source.answer(questions)) if questions else []
    if len(given) != len(questions):
        raise AttackError(f"{type(source).__name__} answered {len(questions)} questions with {len(given)} answers")
    rest = iter(given)
    return {id(walk): [next(rest) for _ in consult.questions] for walk, consult in asked}
