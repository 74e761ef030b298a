"""Rounds of retraining: whose they are, what each learns from, what is tested on, and what people said in each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from statistics import fmean

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from annotation.models import (
    Campaign,
    Item,
    Judgement,
    LearnedModel,
    Original,
    Round,
    RoundCampaign,
    RoundItem,
    Series,
    User,
    Variant,
)
from annotation.protocols.votes import counted_items
from annotation.queries.training_table import scale_of
from scoring.judgements.rounds import Observation

from .lists import organised_by

Part = RoundItem.Part


def series_seen_by(user: User) -> QuerySet[Series]:
    """Series all of whose campaigns this person organises; the newest first."""
    places = RoundCampaign.objects.filter(round__series=OuterRef("pk"))
    return Series.objects.filter(Exists(places), ~Exists(places.exclude(campaign__in=organised_by(user)))).prefetch_related(
        "rounds__places__campaign", "rounds__model", "rounds__runs"
    )


def rounds_of(series: Series) -> list[Round]:
    """In their order, with campaigns, runs and models."""
    return list(series.rounds.select_related("model").prefetch_related("places__campaign", "runs").order_by("number"))


def campaigns_of(rounds: list[Round]) -> list[Campaign]:
    """Of all rounds, in their order."""
    return [place.campaign for each in rounds for place in each.places.all()]


def versions_of(series: Series) -> list[LearnedModel]:
    """The models of the rounds that have one, the oldest first."""
    return [
        each.model for each in series.rounds.filter(model__isnull=False).select_related("model").order_by("number") if each.model
    ]


def held_out(series: Series) -> QuerySet[Item]:
    return _items(series, Part.TEST)


def anchors_of(series: Series) -> QuerySet[Item]:
    """The anchors as they stand in the first round, in order."""
    return _items(series, Part.ANCHOR).filter(parts__round__number=1).order_by("parts__pk")


def _items(series: Series, part: str) -> QuerySet[Item]:
    return Item.objects.filter(parts__round__series=series, parts__part=part)


def originals_held_out(series: Series) -> QuerySet[Original]:
    return _same_originals(held_out(series))


def originals_anchored(series: Series) -> QuerySet[Original]:
    return _same_originals(anchors_of(series))


def _same_originals(items: QuerySet[Item]) -> QuerySet[Original]:
    """The items' originals, and those of other names whose text is the same: a file names its originals as it likes, an attack
    run by their texts."""
    own = items.order_by().values("original")
    unchanged = Variant.objects.filter(kind=Variant.UNCHANGED)
    same = unchanged.filter(sha256__in=unchanged.filter(original__in=own).values("sha256"))
    return Original.objects.filter(Q(pk__in=own) | Q(pk__in=same.values("original")))


def learned_from(series: Series) -> Q:
    """Which judgements versions learn from: none of a variant of an original in the test set, of a text that is equal to one
    there, or of an anchor in a later round, whose repeated judgements only tell whether people changed."""
    again = RoundItem.objects.filter(round__series=series, round__number__gt=1, part=Part.ANCHOR)
    tested = held_out(series)
    return ~(
        Q(claim__original__in=originals_held_out(series).values("pk"))
        | Q(claim__item__first__sha256__in=tested.values("first__sha256"))
        | Q(claim__item__in=again.values("item"))
    )


def of_held_out(series: Series) -> Q:
    """Which judgements versions are tested on."""
    return Q(claim__item__in=held_out(series).values("pk"))


def attacked_in(round: Round) -> QuerySet[Item]:
    """The altered texts that tell how suspicious the attacks of a round look: all of the first round's campaigns, those selected
    in a later one."""
    if round.number > 1:
        return Item.objects.filter(parts__round=round, parts__part=Part.CHOSEN)
    found = Item.objects.none()
    for place in round.places.all():
        found = found | counted_items(place.campaign)
    return found.exclude(made_by=Variant.UNCHANGED)


def answers_in(round: Round) -> tuple[int, int]:
    """How many answers the round's campaigns have that count, and how many are wanted."""
    items = Item.objects.filter(campaign__places__round=round, use=Item.Use.WORK)
    found = items.aggregate(given=Sum("answered"), wanted=Sum("wanted"))
    return found["given"] or 0, found["wanted"] or 0


Measure = Callable[[list[int]], float]


def measures_of(campaign: Campaign) -> dict[str, Measure]:
    """What is made of a text's judgements in such a campaign: their mean, and the share of them above the middle of the scale."""
    low, high = scale_of(campaign)
    middle = (low + high) / 2
    return {"mean": fmean, "share": lambda values: fmean(value > middle for value in values)}


@dataclass(frozen=True, slots=True)
class Said:
    """What people said in a round: of each judged attack its original, the scores and the probability with which it was selected;
    of each judged anchor, by its original, the scores; how many answers there are, and how many are wanted."""

    attacks: list[tuple[int, list[int], float]]
    anchors: dict[int, list[int]]
    answers: tuple[int, int]

    def observed(self, measure: Measure) -> list[Observation]:
        return [Observation(original, measure(values), probability) for original, values, probability in self.attacks]

    def anchored(self, measure: Measure) -> dict[Hashable, float]:
        return {original: measure(values) for original, values in self.anchors.items()}


def said_in(round: Round) -> Said:
    """In a fixed number of queries."""
    probability = dict(round.items.filter(part=Part.CHOSEN).values_list("item", "probability"))
    attacks = _judged(attacked_in(round)).items()
    anchors = _judged(Item.objects.filter(parts__round=round, parts__part=Part.ANCHOR))
    return Said(
        [(original, values, probability.get(item) or 1.0) for item, (original, values) in attacks],
        dict(anchors.values()),
        answers_in(round),
    )


def _judged(items: QuerySet[Item]) -> dict[int, tuple[int, list[int]]]:
    """Item → its original and the counted scores."""
    answers = Judgement.objects.filter(claim__item__in=items.order_by().values("pk"), uncounted="", label__isnull=False)
    found: dict[int, tuple[int, list[int]]] = {}
    rows = answers.order_by("claim__item", "pk").values_list("claim__item", "claim__original", "label__value")
    for item, original, value in rows:
        found.setdefault(item, (original, []))[1].append(value)
    return found
