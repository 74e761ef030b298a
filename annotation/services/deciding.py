"""Decisions: what an item's judgements come to, or what an adjudicator said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from annotation.models import Campaign, Decision, Item, Ruling, Slot
from annotation.protocols import Outcome, protocol_of
from annotation.protocols.votes import CastVote, votes_of, votes_on
from annotation.queries.labels import with_labels
from annotation.written import insert, update

from .campaigns import open_extra_slot
from .holding import hold_items

Basis = list[list[object]]
"""The answers behind a decision: the id of each judgement and what it said."""

AT_ONCE = 1000


@transaction.atomic
def decide(*, item: Item) -> Decision:
    """Decide the item anew from its counted judgements, and ask for one more where the protocol needs it.

    What an adjudicator ruled stands: when the answers are no longer those that were seen, it is marked stale.
    """
    # Two last answers may arrive at once: each must see the other's judgement, so they pass here one after the other.
    [held] = hold_items(Item.objects.filter(pk=item.pk))
    return decide_held(item=held)


def decide_held(*, item: Item, reopened: bool = False) -> Decision:
    """The same for a caller whose transaction holds the item's row already. Storing an answer does this each time, so it takes
    three statements, one more where a further judgement is needed, and one more where an adjudicator may have ruled.
    `reopened`: an answer has come back into a slot that was closed, so that another one may be open for nothing."""
    campaign = item.campaign
    with_labels(campaign)
    votes = votes_on(item)
    outcome = protocol_of(campaign).decide(campaign, votes)
    decision = _decision(campaign, item.pk, votes, outcome, _ruling(campaign, item))
    wanted = max(item.wanted, len(votes))
    lost = reopened or (item.disagreed and len(votes) <= item.answered)
    if outcome.open:
        wanted = max(wanted, len(votes) + 1)
        if item.wanted < wanted:
            open_extra_slot(item=item)
        elif lost:
            _let_the_further_answer_stand_in(item)
    elif lost and decision.how != "unresolved":
        # An answer was changed, erased or taken out: the further judgement that its conflict asked for may not be needed any
        # more, or it is there and stands in for the one that went. At a tie an organiser may have asked for one, which is.
        wanted -= _close_needless_slots(item, votes)
    _open_while_wanted(campaign, decision, wanted, item.slots.filter(extra=False).count)
    insert(decision, instead="item")
    _describe(item, campaign, votes, decision, wanted=wanted)
    update(item, *DESCRIBED)
    return decision


@transaction.atomic
def decide_all(*, campaign: Campaign) -> int:
    """Decide every item of the campaign at once; opens no slots. Returns how many items there are.

    Items that figures leave out keep the decision that they have.
    """
    with_labels(campaign)
    decides = protocol_of(campaign).decide
    entries = votes_of(campaign)
    rulings = {
        ruling.item_id: ruling
        for ruling in Ruling.objects.filter(item__campaign=campaign, superseded=False).select_related("label")
    }
    slots = Slot.objects.filter(campaign=campaign).exclude(state=Slot.State.CLOSED, extra=True)
    wanted = dict(slots.values_list("item").annotate(Count("pk")))
    planned = Counter(dict(slots.filter(extra=False).values_list("item").annotate(Count("pk"))))
    for start in range(0, len(entries), AT_ONCE):
        part = entries[start : start + AT_ONCE]
        items = Item.objects.in_bulk([entry.item_id for entry in part])
        decisions = [
            _decision(campaign, entry.item_id, entry.votes, decides(campaign, entry.votes), rulings.get(entry.item_id))
            for entry in part
        ]
        for decision in decisions:
            pk = decision.item_id
            _open_while_wanted(campaign, decision, wanted.get(pk, 0), partial(planned.__getitem__, pk))
        Decision.objects.bulk_create(
            decisions,
            update_conflicts=True,
            unique_fields=["item"],
            update_fields=["label", "value", "how", "stale", "n_judgements", "decided_at"],
        )
        for entry, decision in zip(part, decisions, strict=True):
            item = items[entry.item_id]
            _describe(item, campaign, entry.votes, decision, wanted=wanted.get(item.pk, 0))
        # One statement for a thousand rows; `bulk_update` would send a condition for each row and column.
        Item.objects.bulk_create(items.values(), update_conflicts=True, unique_fields=["pk"], update_fields=DESCRIBED)
    return len(entries)


def adjudicates(campaign: Campaign) -> bool:
    """Whether conflicts of the campaign go to an adjudicator."""
    return bool(campaign.settings.get("conflicts") == "adjudicate")


def basis_of(votes: Iterable[CastVote]) -> Basis:
    """The answers that a decision rests on, as a ruling keeps them."""
    return [[vote.judgement_id, vote.label if vote.words is None else list(vote.words)] for vote in votes]


DESCRIBED = ["wanted", "answered", "complete", "disagreed", "agreement", "how", "decided"]
"""The columns of an item by which lists filter and count; see the model."""


def _ruling(campaign: Campaign, item: Item) -> Ruling | None:
    if not adjudicates(campaign):
        return None
    return Ruling.objects.filter(item=item, superseded=False).select_related("label").first()


def _describe(item: Item, campaign: Campaign, votes: Sequence[CastVote], decision: Decision, *, wanted: int) -> None:
    first = campaign.settings["slots"] if protocol_of(campaign).third else None
    asked_of_all = votes[:first]
    # A third answer comes because the first ones differ, and says nothing about how they agree.
    agreeing = [vote for vote in votes if first is None or vote.is_first(first)]
    item.wanted = wanted
    item.answered = len(votes)
    item.complete = 0 < wanted <= len(votes)
    item.disagreed = len({(vote.label, vote.words) for vote in asked_of_all}) > 1
    item.agreement = item_agreement(agreeing, weights=campaign.settings.get("weights", "none"), span=_span(campaign))
    item.how = decision.how
    item.decided_id = decision.label_id


def item_agreement(votes: Sequence[CastVote], *, weights: str, span: int) -> float | None:
    """How far the answers to one item agree: the mean over their pairs, each 1 if equal, else 0 or what the weights leave of the
    distance on a scale that is `span` wide. None for fewer than two answers."""
    power = {"linear": 1, "quadratic": 2}.get(weights)

    def of(one: CastVote, other: CastVote) -> float:
        if (one.label, one.words) == (other.label, other.words):
            return 1.0
        return 1 - (abs(one.value - other.value) / span) ** power if power and span else 0.0

    pairs = [of(one, other) for one, other in combinations(votes, 2)]
    return sum(pairs) / len(pairs) if pairs else None


def _span(campaign: Campaign) -> int:
    values = [label.value for label in campaign.labels.all()]
    return max(values) - min(values) if values else 0


def _close_needless_slots(item: Item, votes: Sequence[CastVote]) -> int:
    """Close open slots that are more than the item had from the start and more than its answers need. Returns how many.

    One that somebody is taking at this moment is theirs: it is not waited for, since they may be waiting for the item. A slot is
    closed, not deleted: late answers, and answers that were taken out, may belong to it.
    """
    surplus = item.wanted - max(item.slots.filter(extra=False).count(), len(votes))
    free = item.slots.select_for_update(skip_locked=True, of=("self",)).filter(state=Slot.State.OPEN)
    needless = list(free.order_by("-extra", "-position")[: max(surplus, 0)])
    stand_ins = sum(not slot.extra for slot in needless)
    Slot.objects.filter(pk__in=[slot.pk for slot in needless]).update(state=Slot.State.CLOSED, extra=True)
    if stand_ins:
        further = item.slots.filter(extra=True, state=Slot.State.FILLED).order_by("position")[:stand_ins]
        Slot.objects.filter(pk__in=[slot.pk for slot in further]).update(extra=False)
    return len(needless)


def _let_the_further_answer_stand_in(item: Item) -> None:
    """One of two first answers went, and the other differs from the further one, which stands in for it now. So the slot that is
    open again is for whoever decides between the two: for the people of whom further answers are wanted."""
    further = item.slots.filter(extra=True, state=Slot.State.FILLED).order_by("position").first()
    free = item.slots.select_for_update(skip_locked=True, of=("self",)).filter(state=Slot.State.OPEN, extra=False)
    again = free.order_by("-position").first() if further is not None else None
    if further is not None and again is not None:
        Slot.objects.filter(pk=again.pk).update(extra=True)
        Slot.objects.filter(pk=further.pk).update(extra=False)


def _decision(campaign: Campaign, item_id: int, votes: Sequence[CastVote], outcome: Outcome, ruling: Ruling | None) -> Decision:
    decision = Decision(item_id=item_id, n_judgements=len(votes), decided_at=timezone.now())
    if ruling is not None:
        decision.how, decision.label, decision.decided_at = "adjudicated", ruling.label, ruling.made_at
        decision.stale = ruling.basis != basis_of(votes)
        return decision
    decision.how, decision.value = outcome.how, outcome.value
    if outcome.label is not None:
        decision.label_id = _label_ids(campaign)[outcome.label]
    return decision


def _open_while_wanted(campaign: Campaign, decision: Decision, wanted: int, planned: Callable[[], int]) -> None:
    """Before all answers that are wanted are in, there is neither a result nor a tie: the next one may change it. What a person
    ruled stands; a conflict is no result. A further slot, `wanted` beyond those `planned`, is there to decide a tie, which stays
    one until then; and where people agree, the rule of the third needs none, though somebody may hold one already."""
    tied = decision.how == "unresolved"
    result = decision.label_id is not None or decision.value is not None
    if decision.how == "adjudicated" or not (tied or result) or decision.n_judgements >= wanted:
        return
    further_may_wait = tied or protocol_of(campaign).third
    if not further_may_wait or decision.n_judgements < planned():
        decision.how, decision.label, decision.value = "open", None, None


def _label_ids(campaign: Campaign) -> Mapping[str, int]:
    return {label.key: label.pk for label in campaign.labels.all()}
