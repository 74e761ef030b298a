"""The sample study from one end to the other: complete, the same after interruptions, and simulated wherever it shows."""

from __future__ import annotations

import fcntl
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from annotation.demo.latent import known_kappa
from annotation.demo.plan import Study, study_exists
from annotation.demo.report import as_dict, as_text, write_demo_report
from annotation.demo.results import results_of
from annotation.demo.study import STAGES, build_study
from annotation.errors import DomainError, NothingToClaim
from annotation.exchange.origin import SIMULATED
from annotation.jobs import demo as demo_job
from annotation.models import (
    AttackRun,
    Campaign,
    ConstraintStudy,
    Decision,
    Item,
    Judgement,
    LearnedModel,
    Membership,
    RobustnessMeasurement,
    Slot,
    User,
)
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from annotation.services.claiming import claim_next
from annotation.services.people import invite, join
from regressors.storage import load
from regressors.trained import TrainedModel
from scoring.model_folder import read_model_folder
from tests.annotation.demo.small import SMALL, build_small_study, quiet

pytestmark = pytest.mark.django_db


class Interrupted(Exception):
    pass


class PowerCuts:
    """Progress that raises once in the middle of every stage."""

    def __init__(self) -> None:
        total = sum(stage.weight for stage in STAGES)
        ends = [sum(stage.weight for stage in STAGES[: number + 1]) / total for number in range(len(STAGES))]
        self.ahead = [end - stage.weight / total / 2 for stage, end in zip(STAGES, ends, strict=True)]
        self.messages: list[str] = []

    def __call__(self, done: int, total: int, message: str) -> None:
        # Rounded to whole steps, as `done` is.
        if self.ahead and done >= round(self.ahead[0] * total):
            self.ahead.pop(0)
            self.messages.append(message)
            raise Interrupted


def everything(study: Study) -> dict[str, Any]:
    """All that the study made, without times and places."""
    item = ("claim__item__campaign__name", "claim__item__number")
    answer = ("claim__slot__position", "claim__annotator__username", "label__key", "confidence", "uncounted")
    decision = ("item__campaign__name", "item__number", "label__key", "value", "how")
    texts = ("campaign__name", "number", "first__text", "second__text")
    return {
        "victims": [read_model_folder(study.victim_folder(kind)).sha256 for kind in study.plan.victims],
        "runs": [
            [run.name, *run.examples.order_by("pk").values_list("after__text", "queries", "bodega_score")]
            for run in AttackRun.objects.order_by("name")
        ],
        "items": list(Item.objects.order_by(*texts[:2]).values_list(*texts)),
        "judgements": list(Judgement.objects.order_by(*item, answer[0]).values_list(*item, *answer)),
        "decisions": list(Decision.objects.order_by(*decision[:2]).values_list(*decision)),
        "models": list(LearnedModel.objects.values_list("name", "simulated")),
        "people": User.objects.count(),
    }


def test_the_study_survives_interruptions_and_keeps_its_promises(
    tmp_path: Path, organiser: User, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    """One test for all that is asked of a study, since building one takes seconds."""
    with transaction.atomic():
        whole = build_small_study(tmp_path / "whole")
        expected, model = everything(whole), load(Path(LearnedModel.objects.get().folder))
        # Ids start anew, since the order in which items are handed out is drawn from them.
        transaction.set_rollback(True)
    study = built_with_interruptions(tmp_path / "cut")
    assert everything(study) == expected
    assert predictions(load(Path(LearnedModel.objects.get().folder))) == pytest.approx(predictions(model), abs=1e-3)
    complete(study)
    simulated(study)
    people_stay_out(study, organiser)
    kappa_is_near_the_known_one(study)
    building_again_changes_nothing(study)
    reported(study, tmp_path / "report")
    monkeypatch.setattr("annotation.demo.plan.StudyPlan", lambda: SMALL)
    settings.DATA_DIR = study.data  # type: ignore[attr-defined]
    command_prints_json_and_nothing_else(tmp_path / "report")
    job_has_nothing_left_to_do(study)


def built_with_interruptions(data: Path) -> Study:
    cuts, study = PowerCuts(), Study(SMALL, data)
    while cuts.ahead:
        with pytest.raises(Interrupted):
            build_study(study, cuts)
    build_study(study, quiet)
    assert len(cuts.messages) == len(STAGES)
    return study


def predictions(model: TrainedModel) -> list[float]:
    return model.predict(list(Item.objects.order_by("pk").values_list("first__text", flat=True))).tolist()


def complete(study: Study) -> None:
    assert study_exists(study.plan)
    assert Slot.objects.exclude(state=Slot.State.FILLED).count() == 0
    assert {campaign.name: campaign.state for campaign in Campaign.objects.all()} == {
        "headlines-constraint": "closed",
        "headlines-meaning": "closed",
        "headlines-preference": "closed",
        "headlines-suspicion": "closed",
    }
    assert Decision.objects.count() == Item.objects.filter(use=Item.Use.WORK).count() > 0
    assert list(Decision.objects.filter(how="open")) == []
    conflicts = [
        item for item in votes_of(Campaign.objects.get(name="headlines-meaning")) if item.label_at(1, 2) != item.label_at(2, 2)
    ]
    assert [len(item.votes) for item in conflicts] == [3] * len(conflicts)
    assert Judgement.objects.exclude(uncounted="").count() == 0


def simulated(study: Study) -> None:
    assert set(Campaign.objects.values_list("simulated", flat=True)) == {True}
    assert set(User.objects.filter(claims__judgement__isnull=False).values_list("kind", "is_active")) == {("simulated", False)}
    assert not any(user.has_usable_password() is True for user in User.objects.filter(kind="simulated"))
    model = LearnedModel.objects.get()
    assert (model.simulated, model.card["simulated"]) == (True, True)
    again = AttackRun.objects.get(name="headlines-linear-deepwordbug-greedy-suspicion")
    assert (again.model, again.baseline) == (model, AttackRun.objects.get(name="headlines-linear-deepwordbug-greedy"))
    assert again.comparison != {}
    constraint = ConstraintStudy.objects.get()
    assert (constraint.simulated, constraint.name, constraint.campaigns.get().simulated) == (True, "headlines-constraint", True)


def people_stay_out(study: Study, organiser: User) -> None:
    for campaign in Campaign.objects.all():
        campaign.state = Campaign.State.OPEN
        campaign.save()
        person = User.objects.create_user(username=f"paula-{campaign.name}")
        join(token=invite(campaign=campaign, by=organiser), user=person)
        with pytest.raises(DomainError, match="never answer in the same campaign"):
            claim_next(campaign=campaign, annotator=person)
        campaign.state = Campaign.State.CLOSED
        campaign.save()
        reader = Membership.objects.filter(campaign=campaign, user__kind="simulated").first()
        assert reader is not None
        with pytest.raises(NothingToClaim, match="not open"):
            claim_next(campaign=campaign, annotator=reader.user)


def kappa_is_near_the_known_one(study: Study) -> None:
    campaign = Campaign.objects.get(name="headlines-meaning")
    analysis = protocol_of(campaign).analyse(campaign, votes_of(campaign))
    measured = next(figure.estimate for figure in analysis.figures if figure.key == "kappa")
    known = known_kappa(campaign).value
    assert measured.interval is not None and known is not None
    assert measured.interval.low <= known <= measured.interval.high


def building_again_changes_nothing(study: Study) -> None:
    before, messages = everything(study), []
    seconds = build_study(study, lambda done, total, message: messages.append(message))
    assert everything(study) == before
    assert sum(seconds.values()) < 2


def reported(study: Study, folder: Path) -> None:
    results = results_of(study, {"Attacking": 1.5})
    page = write_demo_report(results, folder).read_text()
    parts = {
        "victims": False,
        "attacks": False,
        "readers": True,
        "model": True,
        "again": True,
        "constraint": True,
        "robustness": True,
    }
    found = as_dict(results)
    assert {key: found[key]["simulated"] for key in parts} == parts
    assert json.loads((folder / "summary.json").read_text()) == json.loads(json.dumps(found))
    for shown in (page, as_text(results)):
        assert shown.count("Simulated:") >= 3
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    drawn = sum(table.plot is not None for part in results.parts for table in part.tables)
    assert page.count('<svg class="plot"') == drawn > 1 and "How robust each constraint is" in page
    [measured] = RobustnessMeasurement.objects.all()
    assert (measured.simulated, [found["name"] for found in measured.result]) == (True, ["suspicion", "encoder", "character"])
    assert sorted(path.name for path in folder.iterdir()) == [
        "constraint-study",
        *(
            f"headlines-{campaign}{part}"
            for campaign in ("constraint", "meaning", "preference", "suspicion")
            for part in ("", "-tables", ".html", ".pdf")
        ),
        "index.html",
        "summary.json",
    ]
    asked = found["constraint"]["tables"]["votes"]["rows"]
    assert [row[0] for row in asked] == ["Sample study: with or without the suspicion constraint (simulated readers) (simulated)"]
    assert SIMULATED in (folder / "constraint-study" / "study.html").read_text()
    assert SIMULATED in (folder / "headlines-meaning.html").read_text()


def command_prints_json_and_nothing_else(folder: Path) -> None:
    out, progress = StringIO(), StringIO()
    call_command("demo", "--json", "--out", str(folder), stdout=out, stderr=progress)
    printed = json.loads(out.getvalue())
    assert printed["note"].startswith("Simulated:")
    assert printed == json.loads((folder / "summary.json").read_text())
    text = StringIO()
    call_command("demo", "--out", str(folder), stdout=text, stderr=progress)
    assert text.getvalue().rstrip().endswith(f"Report: {folder / 'index.html'}")


def job_has_nothing_left_to_do(study: Study) -> None:
    class Handle:
        progress = staticmethod(quiet)

    before = everything(study)
    assert set(demo_job.run(Handle())["seconds"]) == {stage.title for stage in STAGES}  # type: ignore[arg-type]
    assert everything(study) == before


def test_a_second_builder_waits_for_the_first(tmp_path: Path) -> None:
    tmp_path.joinpath("study.lock").touch()
    messages = []

    def give_up(done: int, total: int, message: str) -> None:
        messages.append(message)
        raise Interrupted

    with held(tmp_path / "study.lock"), pytest.raises(Interrupted):
        build_study(Study(SMALL, tmp_path), give_up)
    assert messages == ["Another process is building the sample study; waiting for it"]
    assert not Campaign.objects.exists()


class held:
    """The lock in other hands."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w")

    def __enter__(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        self._file.close()
