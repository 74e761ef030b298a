"""A study as rows: made, attacked in parts or at once, recorded, gone on with; and the campaign that asks people about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import AlreadyRunning, DomainError
from annotation.models import (
    AttackRun,
    Campaign,
    ConstraintStudy,
    Item,
    Job,
    LearnedModel,
    StudyCampaign,
    Suspicion,
    Task,
    User,
    Victim,
)
from annotation.services import study_campaigns
from annotation.services.jobs import cancel, go_on
from annotation.services.running import run_job
from annotation.services.studies import carry_out, drop_study, make_study, start_study
from annotation.services.study_campaigns import Asking, ask_people, misspell
from tests.annotation.studies_made import WANTED, finished_study, small_material

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    small_material(settings, tmp_path, monkeypatch)


def run(job: Job) -> Job:
    job.refresh_from_db()
    run_job.call(job.pk, job.attempt)
    job.refresh_from_db()
    return job


def figures(study: ConstraintStudy) -> list[Sequence[object]]:
    return [
        [link.tau, list(link.run.outcomes.order_by("number").values_list("status", "example__after__text", "asked"))]
        for link in study.links.all()
    ]


def test_a_study_becomes_runs_side_by_side(organiser: User) -> None:
    study = make_study(wanted=WANTED, by=organiser)
    assert (study.result, study.taus, study.created_by) == (None, [2.0, 3.0], organiser)
    carry_out(study, lambda *_: None)
    names = {link.tau: link.run.name for link in study.links.all()}
    assert names == {None: "held-without", 2.0: "held-tau-2", 3.0: "held-tau-3"}
    free, strict, mild = (link.run for link in study.links.all())
    assert [(run.baseline, run.constraint) for run in (free, strict, mild)] == [
        (None, "suspicion observed"), (free, "suspicion at most 2"), (free, "suspicion at most 3"),
    ]  # fmt: skip
    assert [each["tau"] for each in study.result] == [2.0, 3.0]
    assert strict.comparison == study.result[0]["comparison"]
    successes = free.outcomes.filter(status="success").count()
    assert successes > 0 and Suspicion.objects.filter(outcome__run=free, model=study.model).count() == successes


def test_in_parts_stopped_and_gone_on_with_it_comes_to_the_same(organiser: User) -> None:
    at_once = finished_study(organiser)
    wanted = replace(WANTED, attack=replace(WANTED.attack, name="divided", parts=2))
    study = make_study(wanted=wanted, by=organiser)
    job = start_study(study=study, by=organiser)
    parts = list(job.parts.order_by("pk"))
    assert [(part.arguments["run"], part.arguments["number"], part.total) for part in parts] == [
        ("without", 1, 6), ("without", 2, 6), ("tau-2", 1, 6), ("tau-2", 2, 6), ("tau-3", 1, 6), ("tau-3", 2, 6),
    ]  # fmt: skip
    with pytest.raises(AlreadyRunning):
        start_study(study=study, by=organiser)
    assert [run(part).state for part in parts[:3]] == ["done"] * 3
    cancel(job=job)
    job.refresh_from_db()
    assert job.state == "cancelled"
    again = go_on(job=job, by=organiser)
    assert [run(part).state for part in again.parts.order_by("pk")] == ["done"] * 6
    assert (run(again).state, again.error) == ("done", "")
    study.refresh_from_db()
    assert figures(study) == figures(at_once)
    assert study.result == at_once.result


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"taus": ()}, "at least one --tau"),
        ({"taus": (2.0, 2.0)}, "a number of its own"),
        ({"taus": (2.0, 2.1234567)}, "six digits at most"),
        ({"taus": tuple(map(float, range(9)))}, "at most 8 limits"),
        ({"attack": replace(WANTED.attack, name="a/b")}, "cannot name a study"),
        ({"attack": replace(WANTED.attack, model=None)}, "no model named"),
        ({"attack": replace(WANTED.attack, attacker="nobody")}, "no attacker “nobody”"),
        ({"attack": replace(WANTED.attack, victim="gone")}, "no victim of that name"),
    ],
)
def test_what_cannot_be_studied_leaves_nothing(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        make_study(wanted=replace(WANTED, **changed))
    assert not ConstraintStudy.objects.exists()


@pytest.mark.parametrize(
    ("kind", "what", "file"),
    [(Task, "task", "attack.tsv"), (Victim, "victim", "card.json"), (LearnedModel, "model", "card.json")],
)
def test_a_folder_that_is_gone_is_told_by_its_name_alone(kind: Any, what: str, file: str) -> None:
    row = kind.objects.get()
    (Path(row.folder) / file).unlink()
    with pytest.raises(DomainError) as refused:
        make_study(wanted=WANTED)
    assert str(refused.value).startswith(f"The folder of the {what} “{row.name}” is missing or damaged. ")
    assert row.folder not in str(refused.value)
    assert not ConstraintStudy.objects.exists()


def test_names_are_taken_once(organiser: User) -> None:
    finished_study(organiser)
    with pytest.raises(DomainError, match="already a study named “held”"):
        make_study(wanted=WANTED)
    AttackRun.objects.create(name="other-tau-2", task="t", victim="v", attacker="a", folder="nowhere")
    with pytest.raises(DomainError, match="already an attack run named “other-tau-2”"):
        make_study(wanted=replace(WANTED, attack=replace(WANTED.attack, name="other")))


def test_people_are_asked_about_the_pairs_with_known_answers_between(organiser: User) -> None:
    study = finished_study(organiser)
    ids = study.result[1]["worth_asking"]
    assert len(ids) > 2
    campaign = ask_people(study=study, asking=Asking(tau=3.0), name="asked", title="Asked", by=organiser)
    assert (campaign.protocol, campaign.state, campaign.settings["slots"], campaign.simulated) == (
        "preference",
        "draft",
        5,
        False,
    )
    work = list(campaign.items.filter(use=Item.Use.WORK).order_by("number").select_related("first", "second"))
    held, free = (
        {row.number - 1: row.example.after for row in study.links.get(tau=tau).run.outcomes.filter(example__isnull=False)}
        for tau in (3.0, None)
    )
    assert [(item.first, item.second) for item in work] == [(held[id], free[id]) for id in ids]
    checks = list(campaign.items.filter(use=Item.Use.ATTENTION).select_related("first", "second", "gold"))
    assert [(check.first.kind, check.second.kind, check.gold.key) for check in checks if check.second and check.gold] == [
        ("original", "misspelt", "first")
    ] * len(checks)
    assert len(checks) == 2
    assert not {check.original_id for check in checks} & {item.original_id for item in work}
    assert campaign.settings["attention_every"] == len(ids) // 3
    link = StudyCampaign.objects.get()
    assert (link.study, link.campaign, link.tau, link.planned) == (study, campaign, 3.0, Asking(tau=3.0).plan.items)


def test_fewer_pairs_are_drawn_by_the_seed(organiser: User) -> None:
    study = finished_study(organiser)
    asked = [
        ask_people(study=study, asking=Asking(tau=3.0, most=2), name=name, title=name, by=organiser) for name in ("one", "two")
    ]
    shown = [list(each.items.filter(use=Item.Use.WORK).values_list("first", "second")) for each in asked]
    assert len(shown[0]) == 2 and shown[0] == shown[1]


def test_simulated_readers_are_asked_in_a_campaign_that_says_so(organiser: User) -> None:
    asking = Asking(tau=3.0, preferred=0.7, power=0.9)
    campaign = ask_people(study=finished_study(organiser), asking=asking, name="drawn", title="Drawn", simulated=True)
    link = StudyCampaign.objects.get()
    assert (campaign.simulated, link.preferred, link.power, link.planned) == (True, 0.7, 0.9, asking.plan.items)


def test_equal_pairs_are_asked_about_once_and_ten_have_one_check(organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    study = finished_study(organiser)
    first, *others = study.result[1]["worth_asking"]
    for tau in (3.0, None):
        run = study.links.get(tau=tau).run
        run.outcomes.filter(number=others[0] + 1).update(example=run.outcomes.get(number=first + 1).example)
    monkeypatch.setattr(study_campaigns, "ITEMS_PER_CHECK", 1)
    monkeypatch.setattr(study_campaigns, "FEWEST_CHECKS", 0)
    campaign = ask_people(study=study, asking=Asking(tau=3.0), name="asked", title="Asked", by=organiser)
    uses = [item.use for item in campaign.items.all()]
    assert (uses.count("work"), uses.count("attention")) == (len(others), len(others))


def test_a_study_needs_a_suspicion_model_and_a_folder_of_its_own(organiser: User) -> None:
    study = make_study(wanted=WANTED)
    before = study.folder
    drop_study(study=study, by=organiser)
    assert make_study(wanted=replace(WANTED, attack=replace(WANTED.attack, seed=1))).folder != before
    LearnedModel.objects.update(kind=LearnedModel.Kind.MEANING)
    with pytest.raises(DomainError, match="needs a suspicion model"):
        make_study(wanted=replace(WANTED, attack=replace(WANTED.attack, name="other")))


def test_nothing_to_ask_makes_no_campaign(organiser: User) -> None:
    study = make_study(wanted=WANTED)
    with pytest.raises(DomainError, match="not finished"):
        ask_people(study=study, asking=Asking(tau=3.0), name="asked", title="Asked")
    carry_out(study, lambda *_: None)
    with pytest.raises(DomainError, match="no limit 4"):
        ask_people(study=study, asking=Asking(tau=4.0), name="asked", title="Asked")
    with pytest.raises(DomainError, match="no preference to be found"):
        ask_people(study=study, asking=Asking(tau=3.0, preferred=0.5), name="asked", title="Asked")
    study.result[1]["worth_asking"] = []
    with pytest.raises(DomainError, match="no pair to ask about"):
        ask_people(study=study, asking=Asking(tau=3.0), name="asked", title="Asked")
    assert not Campaign.objects.exists()


def test_every_longer_word_is_misspelt_and_nothing_else() -> None:
    damaged = misspell("The ferry to Kiel is late, see www.ferry.example now.", 0)
    words, others = damaged.split(), ["The", "ferry", "to", "Kiel", "is", "late,", "see", "www.ferry.example", "now."]
    changed = [other for word, other in zip(words, others, strict=False) if word != other]
    assert changed == ["ferry", "Kiel", "late,"]
    assert misspell("It is so.", 0) == "It is so."
