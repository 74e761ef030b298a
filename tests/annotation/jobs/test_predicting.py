"""A text that somebody tries on a model: asked for, scored by a worker, dropped."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation.errors import DomainError, TooMany
from annotation.jobs import predicting as predicting_job
from annotation.management.commands import start
from annotation.models import Job, LearnedModel, User
from annotation.queries.jobs import jobs_of, tried_by
from annotation.services import predicting
from annotation.services.predicting import ask_prediction, drop_predictions
from annotation.services.running import run_job
from regressors import storage
from tests.annotation.models_made import keep_model, trained

TEXT = "ferry brigde harbour morning"


@pytest.fixture
def model(db: None, settings: Any, tmp_path: Path) -> LearnedModel:
    settings.DATA_DIR = tmp_path
    predicting_job._loaded.cache_clear()
    return keep_model("small")


def asked(model: LearnedModel, by: User, text: str = TEXT) -> Job:
    job = ask_prediction(model=model, text=text, by=by)
    run_job.call(job.pk, job.attempt)
    job.refresh_from_db()
    return job


def test_the_answer_is_the_models_with_its_interval_and_the_words_by_effect(model: LearnedModel, organiser: User) -> None:
    found = asked(model, organiser).result
    score, low, high = (float(each[0]) for each in trained().predict_interval([TEXT]))
    assert found is not None
    assert (found["score"], found["low"], found["high"], found["no_interval"]) == (score, low, high, "")
    assert found["words_in_text"] == 4
    assert found["words"][0]["word"] == "brigde"
    without = float(trained().predict(["ferry harbour morning"])[0])
    assert found["words"][0]["effect"] == pytest.approx(score - without)
    assert TEXT[found["words"][0]["start"] : found["words"][0]["end"]] == "brigde"


def test_a_worker_reads_a_model_once(model: LearnedModel, organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    real, read = storage.load, []

    def load(folder: Path) -> Any:
        read.append(folder)
        return real(folder)

    monkeypatch.setattr(storage, "load", load)
    for text in (TEXT, "another text"):
        assert asked(model, organiser, text).state == "done"
    assert read == [Path(model.folder)]


def test_a_folder_that_was_changed_is_refused(model: LearnedModel, organiser: User) -> None:
    card = Path(model.folder) / "card.json"
    card.write_text(card.read_text().replace('"seed": 0', '"seed": 1', 1))
    job = asked(model, organiser)
    assert (job.state, "was changed" in job.error) == ("failed", True)
    keep_model("other")
    LearnedModel.objects.filter(pk=model.pk).update(folder=LearnedModel.objects.get(name="other").folder, sha256="e" * 64)
    job = asked(model, organiser)
    assert (job.state, job.error.split(";")[0]) == ("failed", "The model's folder was changed since it was trained")


def test_a_model_without_an_interval_says_why(model: LearnedModel, organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"reason": {"code": "too_few_residuals", "message": "there are 9."}}
    monkeypatch.setitem(predicting_job._loaded(model.folder, model.sha256).card, "calibration", few)
    found = asked(model, organiser).result
    assert found is not None
    assert (found["low"], found["high"], found["no_interval"]) == (None, None, "there are 9.")


@pytest.mark.parametrize("text", ["", " \n", "x" * 2_001])
def test_no_text_and_too_long_a_text_are_refused(text: str, model: LearnedModel, organiser: User) -> None:
    with pytest.raises(DomainError, match=r"no text yet|2,000 are the most"):
        ask_prediction(model=model, text=text, by=organiser)
    assert not Job.objects.exists()


def test_a_meaning_model_scores_no_single_text(model: LearnedModel, organiser: User) -> None:
    model.kind = LearnedModel.Kind.MEANING
    with pytest.raises(DomainError, match="Only suspicion models"):
        ask_prediction(model=model, text=TEXT, by=organiser)


def test_one_person_asks_so_often_and_others_are_not_kept_waiting(
    model: LearnedModel, organiser: User, other_organiser: User
) -> None:
    for _ in range(predicting.PREDICTIONS.most):
        ask_prediction(model=model, text=TEXT, by=organiser)
    with pytest.raises(TooMany):
        ask_prediction(model=model, text=TEXT, by=organiser)
    assert ask_prediction(model=model, text=TEXT, by=other_organiser).state == "queued"


def test_it_stands_in_no_list_of_jobs_and_is_gone_after_an_hour(model: LearnedModel, organiser: User) -> None:
    job = asked(model, organiser)
    assert (list(jobs_of(organiser)), list(tried_by(organiser))) == ([], [job])
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    assert list(tried_by(organiser)) == []
    other = Job.objects.create(kind="train", created_at=timezone.now() - timedelta(hours=2))
    drop_predictions()
    assert list(Job.objects.all()) == [other]


def test_the_servers_regular_duty_drops_them(model: LearnedModel, organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "empty_journal", lambda: None)  # which cannot be done within a transaction, as tests are
    asked(model, organiser)
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    start.RegularDuty()()
    assert not Job.objects.exists()
