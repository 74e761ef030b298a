"""Rounds of retraining: beginning a series, selecting what people judge next, and taking that back.

The test set is drawn at random, by originals, from what had been judged when the series began, and never changes. What models
select enters no test set, and no variant of a test original is selected or learned from. Anchors are drawn at random likewise,
and stand in every later round.

The campaigns of a series are linked: nobody sees two variants of one original in any of its rounds. An anchor is the same text
again, so whoever judged it before may judge it again; whoever saw another variant of its original may not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.db.models import Q

from annotation.errors import DomainError
from annotation.models import (
    AttackRun,
    Campaign,
    Example,
    Item,
    LearnedModel,
    Round,
    RoundCampaign,
    RoundItem,
    Series,
    User,
    Variant,
)
from annotation.protocols import protocol_of
from annotation.protocols.votes import counted_items
from annotation.queries.campaigns import name_for
from annotation.queries.rounds import (
    anchors_of,
    campaigns_of,
    held_out,
    originals_anchored,
    originals_held_out,
    rounds_of,
    versions_of,
)
from annotation.queries.training_table import scale_of
from regressors.errors import RegressorError
from regressors.names import DEFAULT
from scoring.wording import counted

from .campaigns import CAMPAIGN_NAME, NewItem, add_items, refuse_unaskable
from .copying import copy_frame
from .linking import link_campaigns
from .sampling import successes_of
from .sending import set_aside_in

if TYPE_CHECKING:
    from regressors.selection import Selection
    from regressors.trained import TrainedModel

FEWEST_TESTED: Final = 5
"""Originals of a test set: of fewer no interval is known."""
LONGEST_NAME: Final = 60
Part = RoundItem.Part
Progress = Callable[[int, int, str], None]


@transaction.atomic
def start_series(
    *,
    name: str,
    campaigns: Sequence[Campaign],
    learner: str = DEFAULT,
    test_share: float = 0.25,
    anchors: int = 20,
    seed: int = 0,
    by: User | None = None,
) -> Series:
    """A series whose first round is what was judged in the campaigns: `test_share`, in (0, 1), of their originals are the test
    set, and one text each of `anchors` other originals are the anchors.

    Raises DomainError when the name is taken, no model can learn from the campaigns together, simulated and real people would
    mix, or too little has been judged.
    """
    if not CAMPAIGN_NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise DomainError(f"A series' name consists of letters, digits, hyphens and underscores, at most {LONGEST_NAME}.")
    if not 0 < test_share < 1:
        raise DomainError("The test set is a part of the originals between none and all of them.")
    scale_of(*campaigns)
    if unfit := [each for each in campaigns if protocol_of(each).learns != LearnedModel.Kind.SUSPICION]:
        raise DomainError(
            f"“{unfit[0].name}” did not ask how suspicious single texts look; no suspicion model can learn from it."
        )
    if len({campaign.simulated for campaign in campaigns}) > 1:
        raise DomainError("Simulated readers and people never mix: choose campaigns of the one or the other.")
    judged = _judged_by_original(campaigns)
    order = sorted(judged, key=lambda original: _lot(seed, "test", original))
    tested = round(test_share * len(order))
    if tested < FEWEST_TESTED or len(order) - tested < max(anchors, FEWEST_TESTED):
        raise DomainError(
            f"Texts of {counted(len(order), 'original')} have been judged. The test set would have {tested} of them, and needs "
            f"{FEWEST_TESTED} at least; as many have to be left, and one for each of {counted(anchors, 'anchor')}."
        )
    try:
        with transaction.atomic():
            series = Series.objects.create(name=name, learner=learner, seed=seed, simulated=campaigns[0].simulated, created_by=by)
    except IntegrityError as clash:
        raise DomainError(f"There is already a series named “{name}”. Choose another name.") from clash
    first = Round.objects.create(series=series, number=1, strategy=Round.Strategy.GIVEN, seed=seed)
    RoundCampaign.objects.bulk_create(RoundCampaign(round=first, campaign=campaign) for campaign in campaigns)
    drawn = sorted(order[tested:], key=lambda original: _lot(seed, "anchor", original))[:anchors]
    rows = [RoundItem(round=first, item=item, part=Part.TEST) for original in order[:tested] for item in judged[original]]
    rows += [RoundItem(round=first, item=_by_lot(judged[original], seed), part=Part.ANCHOR) for original in drawn]
    RoundItem.objects.bulk_create(rows)
    return series


def _judged_by_original(campaigns: Sequence[Campaign]) -> dict[str, list[Item]]:
    """Items that have been judged, by what names their original everywhere. Originals of one text are one, named as the first."""
    judged = [
        item
        for campaign in campaigns
        for item in counted_items(campaign).filter(answered__gt=0).select_related("original").order_by("number")
    ]
    named = {item.original_id: f"{item.original.task}/{item.original.key}" for item in judged}
    unchanged = Variant.objects.filter(kind=Variant.UNCHANGED, original__items__campaign__in=campaigns).distinct()
    texts = [(original, text) for original, text in unchanged.values_list("original", "sha256") if original in named]
    of_text: dict[str, str] = {}
    for original, text in sorted(texts, key=lambda each: (named[each[0]], each[1])):
        named[original] = of_text.setdefault(text, named[original])
    found: dict[str, list[Item]] = {}
    for item in judged:
        found.setdefault(named[item.original_id], []).append(item)
    return found


def _by_lot(items: Iterable[Item], seed: int) -> Item:
    return min(items, key=lambda item: _lot(seed, "text", item.content_sha256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """What is to be judged next: `size` successes of the runs, selected by the strategy."""

    runs: Sequence[AttackRun]
    strategy: str
    size: int
    seed: int = 0


def candidates_for(series: Series, runs: Sequence[AttackRun]) -> list[Example]:
    """The successes that may be selected, each text once, in an order of their own. Left out: those that a run has set aside,
    texts that were judged in an earlier round, and variants of originals in the test set or of anchors."""
    aside = {example for run in runs for example in set_aside_in(run)}
    apart = {original.pk for found in (originals_held_out(series), originals_anchored(series)) for original in found}
    there = Item.objects.filter(Q(campaign__places__round__series=series) | Q(pk__in=held_out(series)))
    known = set(there.values_list("first__sha256", flat=True))
    fresh: dict[str, Example] = {}
    for example in sorted(successes_of(runs, ()), key=lambda each: (each.after.sha256, each.after.kind, each.pk)):
        if example.pk not in aside and example.after.original_id not in apart and example.after.sha256 not in known:
            fresh.setdefault(example.after.sha256, example)
    return list(fresh.values())


def check_next(series: Series, wanted: Next) -> list[Example]:
    """The candidates. Raises DomainError where there is no next round yet, or not so many texts to select."""
    rounds = rounds_of(series)
    if rounds[-1].model is None:
        raise DomainError(f"No version has learned from round {rounds[-1].number} yet. Train it first.")
    if wanted.strategy not in set(Round.Strategy.values) - {Round.Strategy.GIVEN}:
        raise DomainError(f"There is no strategy “{wanted.strategy}”.")
    if wanted.strategy == Round.Strategy.DISAGREEING and len(versions_of(series)) < 2:
        raise DomainError("It takes two versions to disagree, and there is one. Select the most uncertain, or at random.")
    candidates = candidates_for(series, wanted.runs)
    if not 1 <= wanted.size <= len(candidates):
        raise DomainError(
            f"These runs have {counted(len(candidates), 'text')} that may be judged next, not {wanted.size}. Left out are texts "
            "set aside or judged before, and variants of test originals and anchors."
        )
    return candidates


def next_round(
    *, series: Series, wanted: Next, by: User | None = None, progress: Progress = lambda done, total, message: None
) -> Round:
    """Select what people judge next, and make the round with its campaign, a draft that asks as the first round's did, with the
    anchors among its items. Raises DomainError as `check_next` does, and where the models cannot say what the strategy asks."""
    from regressors.selection import select

    candidates = check_next(series, wanted)
    progress(0, 2, "Reading the texts")
    versions = versions_of(series)
    asked = {"random": [], "uncertain": versions[-1:], "disagreeing": versions}[wanted.strategy]
    texts = [example.after.text for example in candidates]
    try:
        found = select(
            texts,
            wanted.size,
            strategy=wanted.strategy,  # type: ignore[arg-type]
            models=[loaded(model) for model in asked],
            seed=wanted.seed,
        )
    except RegressorError as refused:
        raise DomainError(str(refused)) from refused
    progress(1, 2, "Making the campaign")
    return _made(series, wanted, candidates, found, asked, by)


def loaded(model: LearnedModel) -> TrainedModel:
    """The model from its folder. Raises DomainError where that is not what it was."""
    from regressors.storage import load

    trained = load(Path(model.folder))
    if trained.sha256 != model.sha256:
        raise DomainError(f"The folder of the model “{model.name}” was changed since it was kept; it is not used.")
    return trained


@transaction.atomic
def _made(
    series: Series,
    wanted: Next,
    candidates: Sequence[Example],
    found: Selection,
    asked: Sequence[LearnedModel],
    by: User | None,
) -> Round:
    Series.objects.select_for_update().get(pk=series.pk)
    before = rounds_of(series)
    if before[-1].model is None:
        raise DomainError("Somebody has begun this round meanwhile.")
    made = Round.objects.create(
        series=series,
        number=before[-1].number + 1,
        strategy=wanted.strategy,
        seed=wanted.seed,
        asked=[{"name": model.name, "sha256": model.sha256} for model in asked],
        candidates=len(candidates),
        planned=wanted.size,
    )
    made.runs.set(wanted.runs)
    campaign = _campaign(series, made, campaigns_of(before), by)
    RoundCampaign.objects.create(round=made, campaign=campaign)
    made.unlinked = _link(series, campaign, campaigns_of(before), by)
    made.save(update_fields=["unlinked"])
    chosen = [candidates[place] for place in found.chosen.nonzero()[0].tolist()]
    refuse_unaskable(campaign, ((example.before.text, example.after.text) for example in chosen))
    news = [NewItem(example.after.original, example.after, example=example) for example in chosen]
    anchors = [
        NewItem(item.original, item.first, example=item.example, copied=item, repeated=True)
        for item in anchors_of(series).select_related("original", "first", "example")
    ]
    items = add_items(campaign=campaign, items=[*news, *anchors], seed=wanted.seed)
    numbers = zip(items, found.probabilities[found.chosen].tolist(), found.sizes[found.chosen].tolist(), strict=False)
    rows = [RoundItem(round=made, item=item, part=Part.CHOSEN, probability=p, size=size) for item, p, size in numbers]
    rows += [RoundItem(round=made, item=item, part=Part.ANCHOR) for item in items[len(news) :]]
    RoundItem.objects.bulk_create(rows)
    return made


def _campaign(series: Series, made: Round, before: Sequence[Campaign], by: User | None) -> Campaign:
    return copy_frame(
        campaign=before[0],
        by=by,
        name=name_for(f"{series.name}-{made.number}"),
        title=f"{series.name}, round {made.number}",
        source={"series": series.name, "round": made.number, "attack_runs": sorted(run.name for run in made.runs.all())},
        simulated=series.simulated,
    )


def _link(series: Series, campaign: Campaign, before: Sequence[Campaign], by: User | None) -> str:
    """Link the campaign with those before in which people are asked. Returns why that cannot be, or nothing."""
    asking = [each for each in before if not each.imported and not each.simulated]
    if not asking:
        return ""
    group = next((each.link_group for each in asking if each.link_group), series.name)
    try:
        link_campaigns(campaigns=[*asking, campaign], by=by, group=group)
    except DomainError as refused:
        return str(refused)
    return ""


@transaction.atomic
def drop_round(*, series: Series, number: int) -> None:
    """Take back the last round; its campaign stays, and can be deleted like any other. Raises DomainError once there are
    answers, or a version has learned from it."""
    last = series.rounds.select_for_update().order_by("number").last()
    if last is None or last.number != number or number == 1:
        raise DomainError("Only the last round can be taken back, and never the first.")
    if last.model_id is not None:
        raise DomainError("A version has learned from this round, so it stays.")
    if Item.objects.filter(campaign__places__round=last, answered__gt=0).exists():
        raise DomainError("People have answered in this round, so it stays.")
    last.delete()


def _lot(seed: int, *names: str) -> bytes:
    """A random number of the names' own: what else was judged does not move it."""
    return hashlib.sha256("\0".join([str(seed), *names]).encode()).digest()
