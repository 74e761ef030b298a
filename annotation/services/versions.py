"""Versions of a series' model: training the next one, and measuring all of them on the test set."""

from __future__ import annotations

from django.db import transaction

from annotation.errors import DomainError
from annotation.models import LearnedModel, Round, Series
from annotation.queries.rounds import answers_in, campaigns_of, learned_from, of_held_out, rounds_of, versions_of
from annotation.queries.training_table import training_rows
from regressors.errors import RegressorError

from .rounds import loaded
from .training import Progress, train_suspicion_model

NAMED = "series"
"""The field of a card that names series and round of a version."""


def check_trainable(series: Series) -> Round:
    """The last round. Raises DomainError where a version has learned from it, or nobody has answered in it."""
    last = rounds_of(series)[-1]
    if last.model is not None:
        raise DomainError(f"A version has learned from round {last.number} already. Begin the next round.")
    if not answers_in(last)[0]:
        raise DomainError(f"Nobody has answered in round {last.number} yet.")
    return last


def train_version(*, series: Series, progress: Progress | None = None) -> LearnedModel:
    """Train the version of the last round on all rounds, without the test set and repeated anchors, and measure all versions.

    Called again after it was stopped, it goes on. Raises DomainError as `check_trainable` does, and where the judgements cannot
    be learned from.
    """
    last = check_trainable(series)
    rounds = rounds_of(series)
    model = _made_before(series, last)
    if model is None:
        model = train_suspicion_model(
            campaigns=campaigns_of(rounds),
            seed=series.seed,
            name=f"{series.name}-{last.number}",
            model=series.learner,
            only=learned_from(series),
            said={NAMED: {"name": series.name, "round": last.number}},
            progress=progress,
        )
    with transaction.atomic():
        Round.objects.filter(pk=last.pk, model=None).update(model=model)
        measure_versions(series=series)
    return model


def _made_before(series: Series, last: Round) -> LearnedModel | None:
    """The version, if the worker was lost after it was kept."""
    made = {"name": series.name, "round": last.number}
    found = LearnedModel.objects.filter(name=f"{series.name}-{last.number}", round=None).first()
    return found if found is not None and found.card.get(NAMED) == made else None


def measure_versions(*, series: Series) -> None:
    """Store how all versions do on the test set, as it is judged now. Raises DomainError where one has seen some of it."""
    from regressors.versions import compare_versions

    versions = versions_of(series)
    rows = training_rows(*campaigns_of(rounds_of(series)[:1]), only=of_held_out(series))
    try:
        found = compare_versions({model.name: loaded(model) for model in versions}, rows, seed=series.seed)
    except RegressorError as refused:
        raise DomainError(str(refused)) from refused
    series.measured = found.as_dict() | {"models": {model.name: model.sha256 for model in versions}}
    series.save(update_fields=["measured"])
