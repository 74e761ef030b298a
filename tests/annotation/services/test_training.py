"""From judgements to a model: which rows it learns from, and what its card says."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.errors import DomainError
from annotation.exchange.importing import import_judgements
from annotation.jobs import training as training_job
from annotation.models import Campaign, Job, Judgement, LearnedModel, Team
from annotation.queries.training_table import provenance, scale_of, training_rows
from annotation.services import training
from regressors.storage import load
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign
from tests.annotation.exchange.files import MTURK_COLUMNS, MTURK_ROWS, WARM, WIND, WRAM, as_bytes, opinion

pytestmark = pytest.mark.django_db

REVIEWS = (
    "a quiet drama about a lighthouse keeper",
    "the jokes arrive late and leave early",
    "its camera never stops to look at anybody",
    "two strangers share a train and a secret",
    "an hour too long and one plot too few",
    "the orchestra deserves a better film",
    "children will laugh, parents will sleep",
    "every frame of the desert is worth a postcard",
)


@pytest.fixture
def judged(tmp_path: Path) -> Campaign:
    """Sixteen texts of eight originals; the altered ones are judged three times and look altered."""
    rows = []
    for number, review in enumerate(REVIEWS):
        rows.append(opinion(review, 1 + number % 2, "orig"))
        altered = review.replace("e", "3")
        rows.extend(opinion(altered, score, "pruthi_common") for score in (3 + number % 2, 4, 5))
    path = tmp_path / "study.csv"
    path.write_bytes(as_bytes(MTURK_COLUMNS, rows))
    return import_judgements(path, format="mturk-suspicion", name="films")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Path:
    """One repetition of cross-validation is enough here; models go to a folder of this test's own."""
    import regressors.training

    real = regressors.training.train
    monkeypatch.setattr(regressors.training, "train", lambda rows, **more: real(rows, **more, repeats=1, folds=2))
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


def test_one_row_per_judgement_with_the_original_that_variants_share(tmp_path: Path) -> None:
    path = tmp_path / "study.csv"
    path.write_bytes(as_bytes(MTURK_COLUMNS, MTURK_ROWS))
    rows = training_rows(import_judgements(path, format="mturk-suspicion", name="films"))
    assert list(zip(rows.texts, rows.scores, strict=True)) == [(WARM, 1), (WRAM, 4), (WRAM, 5), (WRAM, 2), (WRAM, 2), (WIND, 3)]
    assert rows.originals is not None
    assert rows.originals[0].startswith("rt-polarity/")
    assert [rows.originals.index(original) for original in rows.originals] == [0, 0, 0, 0, 0, 5]


def test_answers_that_do_not_count_are_not_learned_from(judged: Campaign) -> None:
    before = len(training_rows(judged).texts)
    Judgement.objects.filter(pk=Judgement.objects.order_by("pk").first().pk).update(uncounted="surplus")  # type: ignore[union-attr]
    assert len(training_rows(judged).texts) == before - 1 == 31


def test_the_scale_is_the_campaigns(judged: Campaign) -> None:
    assert scale_of(judged) == (1.0, 5.0)
    facts = {"campaign": "films", "source": judged.source, "simulated": False, "confidence_at_least": 1}
    assert provenance(judged, confidence_at_least=1) == facts


def test_campaigns_that_cannot_be_learned_from_are_refused(make_campaign: MakeCampaign, judged: Campaign, quick: Path) -> None:
    with pytest.raises(DomainError, match="did not ask how suspicious"):
        training_rows(make_campaign(items=1))
    empty = make_campaign("suspicion", items=1, name="empty")
    with pytest.raises(DomainError, match="has no judgements yet"):
        training_rows(empty)
    for name in ("a/b", "..", "x" * 121):
        with pytest.raises(DomainError, match="cannot name a model"):
            training.train_suspicion_model(campaign=judged, name=name)
    assert not quick.exists()


def test_too_few_texts_are_refused_for_people(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, quick: Path
) -> None:
    campaign = make_campaign("suspicion", items=1)
    answer(campaign, make_annotator(campaign, "ada"), "4")
    with pytest.raises(DomainError, match="different texts are needed"):
        training.train_suspicion_model(campaign=campaign)
    assert (LearnedModel.objects.count(), quick.exists()) == (0, False)


def test_the_command_trains_keeps_and_says_how_good_it_is(judged: Campaign, quick: Path) -> None:
    out = io.StringIO()
    call_command("train_regressor", "--campaign", "films", "--seed", "3", "--name", "first", stdout=out)
    model = LearnedModel.objects.get()
    assert (model.name, model.campaign, model.simulated, model.folder) == ("first", judged, False, str(quick / "first"))
    loaded = load(quick / "first")
    assert loaded.sha256 == model.sha256
    assert loaded.card == model.card
    assert (model.card["seed"], model.card["campaign"], model.card["source"]["sha256"]) == (3, "films", judged.source["sha256"])
    assert (model.card["data"]["texts"], model.card["data"]["judgements"], model.card["data"]["originals"]) == (16, 32, 8)
    lines = out.getvalue().splitlines()
    assert [line.split(":")[0] for line in lines[:4]] == ["Pearson's r", "RMSE", "RMSE of a constant", "Noise ceiling of r"]
    r = model.card["evaluation"]["r"]
    assert f"{r['value']:.3f}" in lines[0]
    assert "95 % interval" in lines[0]
    assert f"n = {r['n']}" in lines[0]
    assert model.sha256 in lines[4]
    with pytest.raises(CommandError, match="already a model named “first”"):
        call_command("train_regressor", "--campaign", "films", "--name", "first")


def test_simulated_judgements_make_a_model_that_says_so(judged: Campaign, quick: Path) -> None:
    Campaign.objects.update(simulated=True)
    out = io.StringIO()
    call_command("train_regressor", "--campaign", "films", stdout=out)
    model = LearnedModel.objects.get()
    assert (model.name, model.simulated, model.card["simulated"]) == ("films", True, True)
    assert load(quick / "films").card["simulated"] is True
    assert out.getvalue().startswith("Simulated: ")


def test_as_a_job_it_reports_progress_and_a_second_attempt_finds_what_the_first_saved(judged: Campaign, quick: Path) -> None:
    row = Job.objects.create(kind="train")
    told: list[tuple[int, int]] = []
    job: Any = SimpleNamespace(id=row.pk, progress=lambda done, total, message: told.append((done, total)))
    result = training_job.run(job, campaign="films", seed=3)
    model = LearnedModel.objects.get()
    assert result == {"model": "films", "sha256": model.sha256}
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]
    assert training_job.run(job, campaign="films", seed=3) == result
    assert LearnedModel.objects.count() == 1
    later: Any = SimpleNamespace(id=Job.objects.create(kind="train").pk, progress=job.progress)
    with pytest.raises(DomainError, match="already a model"):
        training_job.run(later, campaign="films", seed=3)
    with pytest.raises(DomainError, match="no campaign named “nope”"):
        training_job.run(later, campaign="nope")


def test_a_stopped_training_leaves_nothing(judged: Campaign, quick: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(done: int, total: int, message: str) -> None:
        if done:
            raise Stopped

    with pytest.raises(Stopped):
        training.train_suspicion_model(campaign=judged, progress=stop)
    assert (LearnedModel.objects.count(), quick.exists()) == (0, False)


def test_less_sure_answers_are_left_out_where_that_is_asked(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("suspicion", items=1, settings={"confidence": True})
    for name, score, confidence in (("ada", "1", 1), ("ben", "3", 2), ("cem", "5", 5)):
        answer(campaign, make_annotator(campaign, name), score, confidence)
    scores = {least: list(training_rows(campaign, confidence_at_least=least).scores) for least in (1, 2, 3)}
    assert scores == {1: [1, 3, 5], 2: [3, 5], 3: [5]}
    assert provenance(campaign, confidence_at_least=3)["confidence_at_least"] == 3
    unasked = make_campaign("suspicion", name="unasked")
    with pytest.raises(DomainError, match="did not ask how sure"):
        training_rows(unasked, confidence_at_least=2)


def test_texts_of_withdrawn_teams_and_known_answers_teach_nothing(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("suspicion", items=3)
    ada = make_annotator(campaign, "ada")
    for score in ("1", "2", "3"):
        answer(campaign, ada, score)
    assert len(training_rows(campaign).scores) == 3
    gold, theirs, _ = campaign.items.order_by("number")
    campaign.items.filter(pk=gold.pk).update(use="test", gold=campaign.labels.get(key="1"))
    campaign.items.filter(pk=theirs.pk).update(made_by="team a")
    Team.objects.create(campaign=campaign, name="team a", withdrawn_at=timezone.now())
    assert len(training_rows(campaign).scores) == 1
