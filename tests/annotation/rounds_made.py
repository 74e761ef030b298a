"""A campaign that two people have answered, attack runs on its originals, and people who answer what a round asks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from annotation.errors import NothingToClaim
from annotation.models import AttackRun, Campaign, Example, Item, Membership, Original, Outcome, User, Variant
from annotation.services.answering import submit
from annotation.services.campaigns import NewItem, add_items, create_campaign, open_campaign
from annotation.services.claiming import claim_next
from annotation.services.people import consent
from regressors import training
from regressors.rows import TrainingRows
from regressors.trained import TrainedModel
from tests.annotation.models_made import WORDS

BAE, PWWS = "bae", "pwws"
Score = Callable[[Item], int]
_TRAINED: dict[str, TrainedModel] = {}


def train_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """One repetition of cross-validation is enough here, and what one test has learned from the same judgements, the next one
    does not learn again."""
    real = training.train

    def once(rows: TrainingRows, *, progress: Any = None, keep: Any = None, **asked: Any) -> TrainedModel:
        known = repr((rows, asked))
        if known not in _TRAINED:
            _TRAINED[known] = real(rows, progress=progress, repeats=1, folds=2, **asked)
        return _TRAINED[known]

    monkeypatch.setattr(training, "train", once)


def plain(number: int) -> str:
    return f"{' '.join(WORDS[(number + step * (1 + number % 3)) % 8] for step in range(4))} number {number}"


def spoilt(number: int, letters: str) -> str:
    first, *rest = plain(number).split()
    return " ".join([first[::-1] + letters, *rest])


def judged_campaign(by: User, *, originals: int = 24, name: str = "first", protocol: str = "suspicion") -> Campaign:
    """Every original and one altered text of it, each judged by one of two people."""
    campaign = create_campaign(name=name, title=f"About {name}", protocol=protocol, created_by=by, settings={"slots": 1})
    news = []
    for number in range(originals):
        original = Original.objects.create(task="ferries", key=f"{name}-{number}")
        news.append(NewItem(original, _variant(original, Variant.UNCHANGED, plain(number))))
        news.append(NewItem(original, _variant(original, BAE, spoilt(number, "qx"))))
    add_items(campaign=campaign, items=news)
    open_campaign(campaign=campaign)
    answer_all(campaign, [join(campaign, "ada"), join(campaign, "ben")])
    return campaign


def join(campaign: Campaign, username: str) -> User:
    """Somebody who has agreed to answer."""
    user, _ = User.objects.get_or_create(username=username)
    Membership.objects.create(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR)
    consent(sheet=campaign.sheets.latest("pk"), user=user)
    return user


def suspicious(item: Item) -> int:
    """Most find altered texts suspicious, and a third attacker's a little less."""
    if item.first.kind == Variant.UNCHANGED:
        return 1 + item.number % 2
    return (5 if item.first.kind == BAE else 4) - item.number % 2


def answer_all(campaign: Campaign, people: Iterable[User], score: Score = suspicious) -> int:
    """Let each answer all that they are given. Returns how many answers that makes."""
    given = 0
    for person in people:
        while True:
            try:
                claim = claim_next(campaign=campaign, annotator=person)
            except NothingToClaim:
                break
            submit(claim_id=claim.pk, annotator=person, data={"label": str(score(claim.item))})
            given += 1
    return given


def attack_run(campaign: Campaign, *, name: str = "run", attacker: str = PWWS, aside: Sequence[int] = ()) -> AttackRun:
    """A success for each original of the campaign; those with the numbers `aside` are set aside."""
    run = AttackRun.objects.create(
        name=name,
        task="ferries",
        victim="bilstm",
        attacker=attacker,
        folder="nowhere",
        summary={"set_aside": {"ids": list(aside)}},
    )
    befores = Variant.objects.filter(original__key__startswith=f"{campaign.name}-", kind=Variant.UNCHANGED).order_by("pk")
    for number, before in enumerate(befores.select_related("original")):
        after = _variant(before.original, attacker, spoilt(number, f"z{name}"))
        example = Example.objects.create(run=run, before=before, after=after, status="success")
        Outcome.objects.create(run=run, number=number + 1, before=before, example=example, status="success")
    return run


def _variant(original: Original, kind: str, text: str) -> Variant:
    return Variant.objects.create(original=original, kind=kind, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())
