"""An annotator's side of the pages: requests and what to take from the answers, reading no more of them than needed."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(rb'action="(/campaigns/[\w-]+/work/\d+/)"')
_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')


@dataclass(frozen=True, slots=True)
class Question:
    """Where the page in front of the annotator sends its answer, and the token that goes with it."""

    action: str
    token: str


def question_on(page: bytes) -> Question | None:
    """The question that a page asks; None on a page that asks nothing."""
    form, token = _FORM.search(page), _TOKEN.search(page)
    return Question(form[1].decode(), token[1].decode()) if form and token else None


def reply(question: Question, label: str) -> dict[str, str]:
    """The form as an annotator would send it."""
    return {"csrfmiddlewaretoken": question.token, "label": label, "confidence": "4"}
