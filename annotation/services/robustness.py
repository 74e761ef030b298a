"""Measuring how easily constraints are fooled, and asking people about texts that fool them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.errors import DomainError
from annotation.models import (
    Campaign,
    Job,
    JudgedSample,
    LearnedModel,
    RobustnessMeasurement,
    SpoiledText,
    User,
    Variant,
)
from annotation.queries.jobs import ROBUSTNESS

from .activity import log
from .attacking import AttackWanted
from .campaigns import create_campaign
from .jobs import enqueue
from .leftovers import ATTACKING
from .naming import refuse_unfit
from .recording import AT_ONCE, RecordedItem, RecordedText, key_of, record_items

if TYPE_CHECKING:
    from attacks.robustness.kinds import Kind
    from attacks.robustness.measure import Robustness

LONGEST = 120
WITH_MODEL: Mapping[str, LearnedModel.Kind] = {
    "suspicion": LearnedModel.Kind.SUSPICION,
    "meaning": LearnedModel.Kind.MEANING,
}
"""Kinds of constraints that a learned model of the database sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessWanted:
    """A measurement as a job is told of it: an attack without constraints, constraints as (kind, name of the model or empty),
    and how many words of a text are spoiled."""

    name: str
    attack: Mapping[str, Any]
    constraints: Sequence[Sequence[str]]
    damages: int

    @property
    def setting(self) -> AttackWanted:
        return AttackWanted(**self.attack)

    @property
    def folder(self) -> Path:
        """Where the measurement works until it is recorded: another one's, if anything of it is another."""
        said = json.dumps({**asdict(self), "resources": settings.ATTACK_RESOURCES}, sort_keys=True)
        folder: Path = settings.DATA_DIR / ATTACKING / f"{self.name}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        return folder


def check_name(name: str) -> None:
    """Raise DomainError where no measurement can have this name."""
    refuse_unfit(name, what="a measurement", longest=LONGEST)
    if RobustnessMeasurement.objects.filter(name=name).exists():
        raise _taken(name)


def start_measurement(*, wanted: RobustnessWanted, by: User) -> Job:
    """Queue the measurement. Raises DomainError when the name is taken, AlreadyRunning while one of that name is under way."""
    check_name(wanted.name)
    return enqueue(kind=ROBUSTNESS, arguments=asdict(wanted), by=by, alone=f"{ROBUSTNESS}:{wanted.name}")


@transaction.atomic
def record_measurement(
    *,
    name: str,
    asked: Mapping[str, Any],
    constraints: Sequence[Sequence[str]],
    folder: Path,
    found: Sequence[Robustness],
    learned: Sequence[LearnedModel],
    by: User | None = None,
) -> RobustnessMeasurement:
    """Store what came of each constraint, with its spoiled texts. Raises DomainError when the name is taken."""
    from attacks.robustness.kinds import Examined

    try:
        with transaction.atomic():
            row = RobustnessMeasurement.objects.create(
                name=name,
                asked=dict(asked),
                constraints=[list(each) for each in constraints],
                folder=str(folder),
                result=[each.as_dict() for each in found],
                simulated=any(model.simulated for model in learned),
                created_by=by,
            )
    except IntegrityError as clash:
        raise _taken(name) from clash
    row.learned.set(learned)
    for each, (kind, _) in zip(found, constraints, strict=True):
        tested = Examined.of_kind(kind)
        SpoiledText.objects.bulk_create(
            (
                SpoiledText(
                    measurement=row,
                    constraint=each.name,
                    number=spoiled.id + 1,
                    original=spoiled.original,
                    text=spoiled.text,
                    score=score,
                    damages=list(spoiled.damages),
                )
                for spoiled in each.spoiled
                if spoiled.text is not None and (score := tested.score(spoiled)) is not None
            ),
            batch_size=AT_ONCE,
        )
    return row


@dataclass(frozen=True, slots=True)
class Draw:
    """Which spoiled texts are to be judged: those that the constraint admits at a threshold, `size` of them at most, by lot."""

    measurement: RobustnessMeasurement
    constraint: str
    threshold: float
    size: int
    seed: int

    @property
    def admitted(self) -> list[SpoiledText]:
        """All that could be drawn, in order of their numbers."""
        limit = "score__lte" if kind_of(self.measurement, self.constraint).loosest == "highest" else "score__gte"
        return list(self.measurement.spoiled.filter(constraint=self.constraint, **{limit: self.threshold}))

    @property
    def drawn(self) -> list[SpoiledText]:
        """The draw depends on texts and seed alone. Of equal texts one is enough."""
        different = {(each.original, each.text): each for each in reversed(self.admitted)}
        return sorted(different.values(), key=self._lot)[: self.size]

    def _lot(self, spoiled: SpoiledText) -> bytes:
        return hashlib.sha256("\0".join([str(self.seed), spoiled.original, spoiled.text]).encode()).digest()


@transaction.atomic
def send_sample(*, draw: Draw, name: str, title: str, by: User) -> Campaign:
    """Make a draft of a suspicion campaign with the drawn texts and the original of each, once. Raises DomainError where nothing
    is admitted, or the name is taken."""
    drawn, admitted = draw.drawn, len(draw.admitted)
    if not drawn:
        raise DomainError("The constraint admits no spoiled text at this threshold, so there is nothing to judge.")
    measurement = draw.measurement
    source = {
        "robustness": measurement.name, "constraint": draw.constraint, "threshold": draw.threshold, "admitted": admitted,
        "drawn": len(drawn), "seed": draw.seed,
    }  # fmt: skip
    campaign = create_campaign(name=name, title=title, protocol="suspicion", created_by=by, source=source)
    kind = spoiled_kind(draw.constraint)
    originals = dict.fromkeys(each.original for each in drawn)
    items = [RecordedItem(key_of(text), RecordedText(Variant.UNCHANGED, text)) for text in originals]
    items += [RecordedItem(key_of(each.original), RecordedText(kind, each.text)) for each in drawn]
    record_items(campaign=campaign, task=measurement.asked["task"], items=items)
    JudgedSample.objects.create(
        measurement=measurement,
        campaign=campaign,
        constraint=draw.constraint,
        threshold=draw.threshold,
        admitted=admitted,
        drawn=len(drawn),
        seed=draw.seed,
    )
    log(campaign=campaign, by=by, verb="sampled", added=len(items))
    return campaign


def kind_of(measurement: RobustnessMeasurement, constraint: str) -> Kind:
    """What kind of constraint it is that has this name in the result."""
    from attacks.robustness.kinds import KINDS

    names = [found["name"] for found in measurement.result]
    return KINDS[measurement.constraints[names.index(constraint)][0]]


def spoiled_kind(constraint: str) -> str:
    """What variants are called that fool the constraint."""
    return f"second-order {constraint}"


def _taken(name: str) -> DomainError:
    return DomainError(f"There is already a measurement named “{name}”. Choose another name.")
