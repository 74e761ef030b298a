"""Suspicion models, attack runs and their figures, as their pages need them."""

from __future__ import annotations

import hashlib
from typing import Any

from annotation.exchange.formats import guess
from annotation.exchange.sheets import SourceFile
from annotation.models import (
    AttackRun,
    Campaign,
    ConstraintStudy,
    Example,
    Item,
    Job,
    JudgedSample,
    LearnedModel,
    Original,
    Outcome,
    Round,
    RoundItem,
    Series,
    StudyCampaign,
    StudyRun,
    Suspicion,
    Task,
    User,
    Variant,
    Victim,
)
from annotation.services.campaigns import create_campaign
from annotation.services.uploads import describe_upload, store_upload
from scoring.result import Estimate, Interval
from tests.annotation.robustness_made import keep_measurement

from .marks import mark

PAIRS = "original,adversarial,attacker\nFerries run all day.,Ferr1es run all day.,deepwordbug\n"


def learn_and_attack(campaign: Campaign, size: int) -> None:
    """`size` models of the campaign, each with an attack that obeys it, the same attack without, and a measurement of it as a
    constraint; texts of the last one are judged in the campaign."""
    for number in range(1, size + 1):
        _bring(campaign, number)
        model = LearnedModel.objects.create(
            name=f"{campaign.name}-{number}", folder="nowhere", sha256="e" * 64, card=_card(campaign)
        )
        model.campaigns.add(campaign)
        Job.objects.create(
            kind="predict", arguments={"model": model.pk, "text": TRIED}, created_by=campaign.created_by, state=Job.State.DONE,
            result=PREDICTION,
        )  # fmt: skip
        common = {"task": "headlines", "victim": "bilstm", "attacker": "deepwordbug", "folder": "nowhere", "summary": SUMMARY}
        baseline = AttackRun.objects.create(name=f"{campaign.name}-plain-{number}", **common)
        bound = AttackRun.objects.create(
            name=f"{campaign.name}-bound-{number}", constraint="suspicion at most 2.5", model=model, baseline=baseline,
            comparison=COMPARISON, **common,
        )  # fmt: skip
        _succeed(baseline, model)
        _succeed(bound, model)
        _study(campaign, number, model, baseline, bound)
        measured = keep_measurement(f"{campaign.name}-{number}", by=campaign.created_by, learned=[model])
    JudgedSample.objects.create(
        measurement=measured, campaign=campaign, constraint="suspicion", threshold=2.5, admitted=4, drawn=2, seed=1
    )


def retrain(campaign: Campaign, size: int) -> None:
    """Series that began with the campaign, each with a version of two rounds; the last of `size` and one more has a third round,
    which nobody has answered."""
    items = list(campaign.items.filter(use="work").order_by("number"))
    for number in range(1, size + 2):
        series = Series.objects.create(
            name=f"{campaign.name}-series-{number}", learner="forest", created_by=campaign.created_by, measured=VERSIONS
        )
        _round(campaign, series, 1, items, strategy="given", part={"part": "anchor"})
        _round(campaign, series, 2, items, strategy="random", part={"part": "chosen", "probability": 0.5, "size": 0.3})
    draft = create_campaign(
        name=f"{campaign.name}-round", title="Round", protocol=campaign.protocol, created_by=campaign.created_by
    )
    Round.objects.create(series=series, number=3, strategy="random").campaigns.add(draft)


def _round(campaign: Campaign, series: Series, number: int, items: list[Item], *, strategy: str, part: dict[str, Any]) -> None:
    name = f"{series.name}-{number}"
    model = LearnedModel.objects.create(name=name, folder="nowhere", sha256="e" * 64, card=_card(campaign))
    model.campaigns.add(campaign)
    made = Round.objects.create(series=series, number=number, strategy=strategy, model=model)
    made.campaigns.add(campaign)
    RoundItem.objects.bulk_create(RoundItem(round=made, item=item, **part) for item in items[:2])


def _bring(campaign: Campaign, number: int) -> None:
    """A task and a victim."""
    name = f"of-{campaign.pk}-{number}"
    counts = {"train": [10, 10], "dev": [5, 5], "attack": [6, 6]}
    Task.objects.create(name=name, folder="nowhere", sha256="f" * 64, counts=counts, created_by=campaign.created_by)
    card = {"results": {"accuracy": 0.9, "f1": 0.8}}
    Victim.objects.create(name=name, kind="linear", trained_on=name, folder="nowhere", sha256="f" * 64, card=card)


def _succeed(run: AttackRun, model: LearnedModel) -> None:
    """One successful example, of which the model was asked, and one text that withstood."""
    original = Original.objects.create(task=run.task, key=run.name)
    before, after = (
        Variant.objects.create(original=original, kind=kind, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())
        for kind, text in ((Variant.UNCHANGED, f"{run.name} sails."), (run.attacker, f"{run.name} sa1ls."))
    )
    example = Example.objects.create(run=run, before=before, after=after, status="success", bodega_score=0.7, queries=31)
    success = Outcome.objects.create(run=run, number=1, before=before, example=example, status="success", asked=31)
    Outcome.objects.create(run=run, number=2, before=before, status="failed", asked=40)
    Suspicion.objects.create(outcome=success, model=model, before=1.5, after=2.5)


def _study(campaign: Campaign, number: int, model: LearnedModel, free: AttackRun, held: AttackRun) -> None:
    """A finished study, whose pair the campaign asks about as far as a page can tell. A campaign belongs to one study."""
    study = ConstraintStudy.objects.create(
        name=f"{campaign.name}-study-{number}", asked=ASKED | {"model": model.name}, taus=[2.5], model=model, folder="nowhere",
        result=[AT_LIMIT], created_by=campaign.created_by,
    )  # fmt: skip
    for run, tau in ((free, None), (held, 2.5)):
        StudyRun.objects.create(study=study, run=run, tau=tau)
    if campaign.protocol == "preference" and number == 1:
        StudyCampaign.objects.create(study=study, campaign=campaign, tau=2.5, planned=43, preferred=0.65, power=0.8)


def upload_file(campaign: Campaign, *, by: User) -> None:
    """A file of examples that waits to be imported."""
    file = SourceFile(f"{mark(campaign.name, 'person')}.csv", PAIRS.encode())
    likely = guess(file)
    kept = store_upload(campaign=campaign, name=file.name, chunks=[PAIRS.encode()], most=10_000, by=by)
    found = {"columns": list(likely.columns), "rows": [list(row) for row in likely.rows]}
    describe_upload(upload=kept, format=likely.format, encoding="", mapping=likely.reading.as_dict | {"found": found}, kept=False)


def sample_study() -> Job:
    """The sample study while it is being built: the one job that anybody may watch."""
    return Job.objects.create(kind="demo", state=Job.State.RUNNING, done=30, total=100, message="Attacking")


def _estimate(value: float) -> dict[str, Any]:
    return Estimate(value, None, 40, "mean", interval=Interval(value - 0.1, value + 0.1, "bootstrap")).as_dict()


def _side(shift: float) -> dict[str, Any]:
    means = {"success": 0.8, "success_kept": 0.7, "bodega": 0.6, "queries": 31.0, "suspicion": 2.5}
    return {name: _estimate(value + shift) for name, value in means.items()} | {"set_aside": 3}


COMPARISON: dict[str, Any] = {
    "first": _side(0.0),
    "second": _side(0.1),
    "paired": {"first": _estimate(2.5), "second": _estimate(2.3), "difference": _estimate(-0.2)},
    "model_sha256": "e" * 64,
    "lowered": 9,
    "equal": 12,
    "raised": 1,
    "tau": 2.5,
    "to_lower": 12,
    "brought_under": 7,
}
SUMMARY: dict[str, Any] = {
    "statuses": {"success": 22, "failed": 3},
    **{name: _estimate(0.5) for name in ("success", "bodega", "semantic", "character")},
    "queries": {kind: _estimate(31.0) for kind in ("asked", "unique", "sent")},
    "run": {
        "task": {"name": "headlines", "n": 25},
        "victim": {"name": "bilstm", "sha256": "a" * 64},
        "attacker": {"name": "deepwordbug", "parameters": {"max_distance": 30}},
        "constraints": [{"name": "suspicion", "tau": 2.5}],
        "scenario": "untargeted",
        "budget": None,
        "seed": 7,
        "semantic_scorer": {"name": "cosine of MiniLM", "version": "1", "sha256": "b" * 64},
    },
}
ASKED: dict[str, Any] = {
    "name": "study", "task": "headlines", "victim": "bilstm", "attacker": "deepwordbug", "parameters": {}, "targeted": False,
    "budget": None, "seed": 7, "texts": None, "constraints": {}, "parts": 1,
}  # fmt: skip
AT_LIMIT: dict[str, Any] = {
    "tau": 2.5,
    "comparison": COMPARISON,
    "costs": {
        measure: {"difference": _estimate(-0.1), "p_value": Estimate(0.04, None, 80, "p of McNemar's exact test").as_dict()}
        for measure in ("success", "bodega", "queries")
    },
    "flow": {"over": 9, "lowered": 6, "kept": 4, "share_lowered": _estimate(0.67)},
    "intervals": {"bounds": [1, 2, 3, 4, 5], "before": [1, 2, 3, 4], "after": [4, 3, 2, 1]},
    "scores": [[0, 1.5, 3.5, 2.4]],
    "worth_asking": [0],
}
TRIED = "Ferries rnu all day."
PREDICTION: dict[str, Any] = {
    "score": 3.4, "low": 1.9, "high": 4.8, "no_interval": "", "words_in_text": 4,
    "words": [
        {"word": "rnu", "start": 8, "end": 11, "effect": 0.9},
        {"word": "day", "start": 16, "end": 19, "effect": -0.1},
        {"word": "all", "start": 12, "end": 15, "effect": 0.0},
    ],
}  # fmt: skip
CARD: dict[str, Any] = {
    "model": "text+num",
    "data": {"judgements": 120, "texts": 40, "originals": 20, "label": "median", "scale": [1, 5], "sha256": "d" * 64},
    "evaluation": {
        **{key: _estimate(0.6) for key in ("r", "noise_ceiling", "share_of_ceiling", "rmse", "rmse_constant", "rmse_gain")},
        "protocol": {"kind": "repeated grouped cross-validation", "folds": 5, "repeats": 5},
    },
    "features": [{"group": "sentence encoder", "name": "MiniLM", "version": "1"}],
    "seed": 0,
    "libraries": {"numpy": "2"},
    "calibration": {"level": 0.9, "lower_residual": -1.4, "upper_residual": 1.5, "method": "quantiles of residuals"},
    "distribution": [
        {"low": 1 + part * 0.4, "high": 1.4 + part * 0.4, "predicted": part % 5, "judged": 4, "labels": 3.0} for part in range(10)
    ],
}


def _card(campaign: Campaign) -> dict[str, Any]:
    """The card of a model that fails on texts of the campaign, and on one that is not there."""
    texts = campaign.items.order_by("number").values_list("first__sha256", flat=True)[:20]
    fails = [{"text": each[:32], "judged": 5.0, "predicted": 1.5, "judgements": 3} for each in ["f" * 64, *texts]]
    return CARD | {"fails": fails}


def _version(name: str, **before: Any) -> dict[str, Any]:
    first = {"name": name, **{key: _estimate(0.6) for key in ("r", "spearman", "mae")}}
    return first | dict.fromkeys(("r_gain", "error_change", "p_value", "p_corrected")) | before


VERSIONS: dict[str, Any] = {
    "data": {"texts": 12, "originals": 6},
    "versions": [
        _version("first"),
        _version("second", **{key: _estimate(-0.1) for key in ("r_gain", "error_change", "p_value", "p_corrected")}),
    ],
}
