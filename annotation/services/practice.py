"""Items with a known answer: training with explanations, a test with a pass mark, attention checks between work.

They never count: not in figures, nor in quotas, nor as progress.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from annotation.errors import DomainError, NothingToClaim
from annotation.models import Campaign, Claim, Item, Label, Membership, Slot, User
from annotation.queries.own import Standing
from annotation.queries.practice import check_for, is_right, not_met

from .activity import log
from .campaigns import DEFAULT_SEED, open_slots
from .holding import hold_whole

Use = Item.Use


@dataclass(frozen=True, slots=True)
class PracticeTest:
    """How a test that was taken to its end went."""

    right: int
    items: int
    needed: int
    passed: bool
    tries_left: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What somebody who is about to take the test has to know."""

    items: int
    needed: int
    tries_left: int
    """This one included."""


def terms_of(member: Membership, items: int) -> Terms:
    """The terms on which the person takes a test of so many items."""
    return Terms(items, _needed(member.campaign, items), member.campaign.settings["tries"] - member.tries)


def practice_item(member: Standing) -> Item | None:
    """The next item for practice; None for whoever is through with it, or where there is none.

    Raises NothingToClaim for somebody who failed the test as often as it may be taken.
    """
    if member.qualified_at is not None or not member.has_practice:
        return None
    training = not_met(member, Use.TRAINING).first()
    if training is not None:
        return training
    test = not_met(member, Use.TEST).first()
    if test is None:
        # There is no test, or its last items were taken out: who has come this far may work.
        Membership.objects.filter(pk=member.pk).update(qualified_at=timezone.now())
    elif member.tries >= member.campaign.settings["tries"]:
        raise NothingToClaim("You did not reach the pass mark of the test, so there is no work for you here.", finished=True)
    return test


def check_due(member: Standing) -> Item | None:
    """The attention check that comes next; None while it is not time for one."""
    every = member.campaign.settings["attention_every"]
    if not every or not member.checks or member.given // every <= member.checks_met:
        return None
    return check_for(member)


def finish_test(*, campaign: Campaign, annotator: User) -> PracticeTest | None:
    """Work out the test when its last item is answered: passed, or to be taken again. None while items are left.

    Part of the transaction that stores the answer, which holds the membership.
    """
    members = Membership.objects.filter(campaign=campaign, user=annotator, role=Membership.Role.ANNOTATOR)
    member = members.first()
    if member is None or member.qualified_at is not None or not_met(member, Use.TEST).exists():
        return None
    member.campaign = campaign
    taken = Claim.objects.filter(campaign=campaign, annotator=annotator, use=Use.TEST, state__in=Claim.GIVEN)
    answers = list(taken.select_related("judgement__label", "item__gold"))
    for claim in answers:
        claim.item.campaign = campaign
    right = sum(is_right(claim.judgement.label, claim.item) for claim in answers)
    needed = _needed(campaign, len(answers))
    member.tries += 1
    if right >= needed:
        member.qualified_at = timezone.now()
    else:
        taken.update(state=Claim.State.RELEASED)
    member.save(update_fields=["tries", "qualified_at"])
    return PracticeTest(right, len(answers), needed, right >= needed, max(campaign.settings["tries"] - member.tries, 0))


def _needed(campaign: Campaign, items: int) -> int:
    """The fewest right answers that reach the pass mark; a mark of 0.8 of 10 items is 8, not 9."""
    mark = campaign.settings["pass_mark"]
    return next(right for right in range(items + 1) if right >= mark * items - 1e-9)


@transaction.atomic
def set_gold(*, item: Item, by: User, label: Label | None, use: str, explanation: str = "") -> Item:
    """Make the item one for practice, with its known answer, or (use: work) one for work again.

    An item that somebody has been given stays what it is: answers would change what they are for. Raises DomainError.
    """
    hold_whole(item.campaign_id)  # nobody is given the item meanwhile
    item = Item.objects.select_related("campaign").get(pk=item.pk)
    if use not in Use.values:
        raise DomainError(f"There is no use “{use}”. Choose one of {', '.join(Use.values)}.")
    if use != Use.WORK and label is None:
        raise DomainError("Say which answer is right; without it nobody can be told whether theirs was.")
    if label is not None and label.campaign_id != item.campaign_id:
        raise DomainError(f"“{label.name}” is not an answer of this campaign.")
    if use != item.use:
        if item.claims.exists():
            raise DomainError("Somebody has been given this item already, so it stays what it is.")
        _change_slots(item, use)
    item.use, item.gold, item.explanation = use, label, explanation.strip()
    item.wanted = item.slots.count()
    item.save(update_fields=["use", "gold", "explanation", "wanted"])
    log(campaign=item.campaign, by=by, verb="gold", item=item.number)
    return item


def _change_slots(item: Item, use: str) -> None:
    """Work is wanted so many times and waits in slots; an item for practice gets one whenever somebody meets it."""
    if use == Use.WORK:
        Slot.objects.bulk_create(open_slots(item, range(1, item.campaign.settings["slots"] + 1), DEFAULT_SEED))
    elif item.use == Use.WORK:
        item.slots.all().delete()
