"""What a model says of one text: asked for here, computed by a worker, dropped after an hour."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Job, LearnedModel, User
from annotation.queries.jobs import PREDICTION, TRIED_KEPT_FOR

from . import limits
from .jobs import enqueue

LONGEST = 2_000
"""Characters of a text that somebody may try."""
PREDICTIONS = limits.Limit("predict", 20, timedelta(minutes=1))
"""By person."""


def ask_prediction(*, model: LearnedModel, text: str, by: User) -> Job:
    """Have a worker score the text and say which words drive the score. Raises DomainError for an empty or too long text and
    for a model of something else, TooMany for somebody who asks too often."""
    check(model, text)
    limits.count((PREDICTIONS, str(by.pk)))
    arguments: dict[str, Any] = {"model": model.pk, "text": text}
    return enqueue(kind=PREDICTION, arguments=arguments, by=by)


def check(model: LearnedModel, text: str) -> None:
    """Raise DomainError where the model can say nothing of the text."""
    if model.kind != LearnedModel.Kind.SUSPICION:
        raise DomainError("Only suspicion models score a single text.")
    if not text.strip():
        raise DomainError("There is no text yet. Type one.")
    if len(text) > LONGEST:
        raise DomainError(f"The text has {len(text):,} characters; {LONGEST:,} are the most that can be tried here.")


def drop_predictions() -> None:
    """Forget the texts that were tried more than an hour ago, and what came of them."""
    Job.objects.filter(kind=PREDICTION, created_at__lt=timezone.now() - TRIED_KEPT_FOR).delete()
