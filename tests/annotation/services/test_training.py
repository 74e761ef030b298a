"""From judgements to a model: which rows it learns from, and what its card says."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import ProtectedError
from django.utils import timezone

from annotation.errors import DomainError
from annotation.exchange.importing import import_judgements
from annotation.jobs import training as training_job
from annotation.models import Campaign, Job, Judgement, LearnedFrom, LearnedModel, Membership, Team
from annotation.queries.training_table import provenance, scale_of, training_rows
from annotation.services import training
from annotation.services.jobs import reap
from annotation.services.model_keeping import check_name
from annotation.services.running import run_job
from annotation.services.training import TRAINERS
from regressors.models import FeatureModel
from regressors.storage import load
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign
from tests.annotation.exchange.files import MTURK_COLUMNS, MTURK_ROWS, WARM, WIND, WRAM, as_bytes, opinion
from tests.annotation.models_made import keep_model

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
    facts = {"campaigns": [{"name": "films", "source": judged.source}], "simulated": False, "confidence_at_least": 1}
    assert provenance(judged, confidence_at_least=1) == facts


def test_campaigns_that_cannot_be_learned_from_are_refused(make_campaign: MakeCampaign, judged: Campaign, quick: Path) -> None:
    with pytest.raises(DomainError, match="did not ask how suspicious"):
        training_rows(make_campaign(items=1))
    empty = make_campaign("suspicion", items=1, name="empty")
    with pytest.raises(DomainError, match="has no judgements yet"):
        training_rows(empty)
    for name in ("a/b", "..", "x" * 121, "\ud800", "名" * 81, "😀" * 61):
        for trainer in TRAINERS.values():
            with pytest.raises(DomainError, match="cannot name a model"):
                trainer(campaigns=[judged], name=name)
    with pytest.raises(CommandError, match="its letters take 360 bytes, and a folder's name has room for 240"):
        call_command("train_regressor", "--campaign", "films", "--name", "名" * 120)
    assert not quick.exists()


@pytest.mark.parametrize("name", ["名" * 80, "😀" * 60, "é" * 120])
def test_the_longest_names_are_those_of_folders_that_can_be_written(name: str, db: None, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    check_name(name)
    assert Path(keep_model(name).folder).is_dir()


def test_too_few_texts_are_refused_for_people(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, quick: Path
) -> None:
    campaign = make_campaign("suspicion", items=1)
    answer(campaign, make_annotator(campaign, "ada"), "4")
    with pytest.raises(DomainError, match="different texts are needed"):
        training.train_suspicion_model(campaigns=[campaign])
    assert (LearnedModel.objects.count(), quick.exists()) == (0, False)


def test_the_command_trains_keeps_and_says_how_good_it_is(judged: Campaign, quick: Path) -> None:
    out = io.StringIO()
    call_command("train_regressor", "--campaign", "films", "--seed", "3", "--name", "first", stdout=out)
    model = LearnedModel.objects.get()
    assert (model.name, model.learned_from, model.simulated, model.folder) == ("first", [judged], False, str(quick / "first"))
    loaded = load(quick / "first")
    assert loaded.sha256 == model.sha256
    assert loaded.card == model.card
    assert (model.card["seed"], model.card["campaigns"]) == (3, [{"name": "films", "source": judged.source}])
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
        training.train_suspicion_model(campaigns=[judged], progress=stop)
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


def test_several_campaigns_are_one_table_in_which_a_person_and_an_original_stay_one(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    first, second = make_campaign("suspicion", items=1), make_campaign("suspicion", items=1, name="pier")
    ada, ben = make_annotator(first, "ada"), make_annotator(first, "ben")
    Membership.objects.create(campaign=second, user=ben, role=Membership.Role.ANNOTATOR)
    answer(first, ada, "1")
    answer(first, ben, "2")
    answer(second, ben, "5")
    rows = training_rows(first, second)
    assert (rows.scores, rows.annotators) == ((1, 2, 5), ["1", "2", "2"])
    assert rows.originals == ["headlines/harbour-1", "headlines/harbour-1", "headlines/pier-1"]
    assert rows.variants == ("deepwordbug",) * 3
    assert [each["name"] for each in provenance(first, second)["campaigns"]] == ["harbour", "pier"]


def test_shares_of_votes_are_learned_from_0_to_1(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, quick: Path
) -> None:
    campaign = make_campaign("binary", items=12)
    for number, name in enumerate(("ada", "ben", "cem")):
        person = make_annotator(campaign, name)
        for item in range(12):
            answer(campaign, person, "altered" if item % 3 <= number else "human")
    model = training.train_suspicion_model(campaigns=[campaign], model="linear")
    data = model.card["data"]
    assert (model.card["model"], data["label"], data["scale"], data["judgements"]) == ("linear", "mean", [0.0, 1.0], 36)
    other = make_campaign("suspicion", items=1, name="points")
    with pytest.raises(DomainError, match="asked different questions"):
        training.train_suspicion_model(campaigns=[campaign, other], name="both")
    with pytest.raises(DomainError, match="There is no model 'oracle'"):
        training.train_suspicion_model(campaigns=[campaign], model="oracle", name="oracle")


def test_a_campaign_that_one_of_several_models_learned_from_stays(judged: Campaign, make_campaign: MakeCampaign) -> None:
    model = LearnedModel.objects.create(name="both", folder="x", sha256="e" * 64)
    other = make_campaign("suspicion", items=0, name="other", opened=False)
    model.campaigns.add(other)
    model.campaigns.add(judged)
    assert model.learned_from == [other, judged]
    with pytest.raises(ProtectedError):
        other.delete()
    model.delete()
    assert not LearnedFrom.objects.exists()


class Killed(BaseException):
    """As when the machine stops in the middle of a step: nothing can be said any more."""


def test_a_training_whose_worker_is_killed_goes_on_with_what_was_done(
    judged: Campaign, quick: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """The next attempt of the job does only what is missing, and comes to the same model as one go."""
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    fits, killed_at = [], 0
    real = FeatureModel.fit_represented

    def fit(self: Any, X: Any, told: Any) -> Any:
        fits.append(len(told))
        if len(fits) == killed_at:
            raise Killed
        return real(self, X, told)

    monkeypatch.setattr(FeatureModel, "fit_represented", fit)
    whole = training.train_suspicion_model(campaigns=[judged], seed=3, model="linear", name="whole")
    needed = killed_at = len(fits)
    fits.clear()
    job = Job.objects.create(kind="train", arguments={"campaign": "films", "seed": 3, "model": "linear"})
    with pytest.raises(Killed):
        run_job.call(job.pk, 1)
    assert LearnedModel.objects.get() == whole
    killed_at = 0
    fits.clear()
    Job.objects.update(state="running", heartbeat_at=timezone.now() - timedelta(hours=1))
    assert reap() == [job]
    run_job.call(job.pk, 2)
    job.refresh_from_db()
    resumed = LearnedModel.objects.get(name="films")
    assert (job.state, len(fits), needed) == ("done", 1, 3)
    assert resumed.card == whole.card
    assert (load(quick / "films").predict(REVIEWS) == load(quick / "whole").predict(REVIEWS)).all()
    assert list((quick.parent / "training").iterdir()) == []
