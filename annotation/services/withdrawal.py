"""Withdrawing: at any time, with the outcome that the sheet promised to which the person agreed."""

from __future__ import annotations

import secrets
from functools import partial

from django.db import transaction
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import (
    Campaign,
    Claim,
    Consent,
    CrowdVisit,
    EarlierAnswer,
    Event,
    Flag,
    InformationSheet,
    Item,
    Judgement,
    Membership,
    Pseudonym,
    Role,
    Ruling,
    Slot,
    User,
)
from annotation.models.people import SOMEBODY
from annotation.queries.people import LEARNING

from .activity import Count, log
from .blurring import blur_answers, blur_person
from .deciding import decide_held
from .fingerprints import remember
from .holding import hold, hold_claims, hold_items, hold_slots
from .journal import PATIENCE, empty_journal
from .members import locked_membership

LARGEST_KEY = 2**53
"""Up to here, programs that read numbers as floating point keep keys apart."""
OnWithdrawal = InformationSheet.OnWithdrawal
LOGGED = {
    OnWithdrawal.ERASE: "{answers:answer was,answers were} erased",
    # Not how many: beside the day of the withdrawal, the number would tell which pseudonym it was.
    OnWithdrawal.PSEUDONYMISE: "their answers stay without any link to the person",
}


def promised(*, campaign: Campaign, user: User) -> InformationSheet.OnWithdrawal:
    """What withdrawing does to this person's answers: what the sheet says that they agreed to last; before any consent, what
    the current one says."""
    agreed = Consent.objects.filter(sheet__campaign=campaign, user=user).select_related("sheet").order_by("-sheet__version")
    last = agreed.first()
    sheet = last.sheet if last is not None else campaign.sheets.first()
    return OnWithdrawal(sheet.on_withdrawal) if sheet is not None else OnWithdrawal.ERASE


@transaction.atomic
def withdraw(*, campaign: Campaign, user: User) -> Membership:
    """Take the annotator out for good: their answers are erased or pseudonymised, and whatever else tells of them goes.

    The membership and the claims are locked first. An answer that comes at the same moment holds its claim: it is either stored
    before, and goes with the rest, or finds that its claim is gone. Raises DomainError for whoever is no annotator here.
    """
    hold(campaign)
    member = locked_membership(campaign=campaign, user=user)
    if member is None or member.role != Role.ANNOTATOR:
        raise DomainError("Only annotators withdraw. Ask another organiser to take you out of the campaign.")
    if member.state == Membership.State.WITHDRAWN:
        return member
    outcome = promised(campaign=campaign, user=user)
    claims = hold_claims(Claim.objects.filter(item__campaign=campaign, annotator=user))
    answers = Judgement.objects.filter(claim__in=claims).exclude(claim__use__in=LEARNING).count()
    nobody = _nobody(campaign)
    if outcome == OnWithdrawal.ERASE:
        _erase(campaign, user, claims)
    else:
        _pseudonymise(campaign, user, claims, nobody)
    # The number under which files were published stays taken, but leads to nobody.
    Pseudonym.objects.filter(campaign=campaign, user=user).update(user=nobody)
    _leave(member, erased=answers if outcome == OnWithdrawal.ERASE else 0)
    blur_person(member)
    _forget_in_log(campaign, user)
    log(campaign=campaign, by=None, verb="withdrew", outcome=LOGGED[outcome].format(answers=Count(answers)))
    # Robust: that the journal could not be emptied is logged; it undoes no withdrawal.
    transaction.on_commit(partial(empty_journal, patience=PATIENCE), robust=True)
    return member


def _erase(campaign: Campaign, user: User, claims: list[Claim]) -> None:
    """Answers, earlier answers, drafts, claims and flags go; the slots that they filled are open again; their items are decided
    anew from what others said."""
    Flag.objects.filter(item__campaign=campaign, user=user).delete()
    answered = Judgement.objects.filter(claim__in=claims)
    items = set(answered.filter(uncounted="", claim__item__use=Item.Use.WORK).values_list("claim__item", flat=True))
    _blank_in_rulings(set(answered.values_list("pk", flat=True)), items)
    answered.delete()
    Claim.objects.filter(pk__in=[claim.pk for claim in claims]).delete()
    _open_again(claims)
    for item in hold_items(Item.objects.filter(pk__in=items)):
        decide_held(item=item)


def _blank_in_rulings(judgements: set[int], items: set[int]) -> None:
    """What an adjudicator saw keeps that there was an answer, not which. It no longer matches, so the decision turns stale."""
    for ruling in Ruling.objects.filter(item__in=items):
        ruling.basis = [[pk, "" if pk in judgements else label] for pk, label in ruling.basis]
        ruling.save(update_fields=["basis"])


def _pseudonymise(campaign: Campaign, user: User, claims: list[Claim], nobody: User) -> None:
    """Answers move to a name that stands for nobody. What they did not answer goes, and so does free text: it may tell who wrote
    it. Of times only the days stay, here and with the name, so that the one is not found by the other."""
    answered = Judgement.objects.filter(claim__in=claims)
    kept = set(answered.values_list("claim", flat=True))
    dropped = [claim for claim in claims if claim.pk not in kept]
    Claim.objects.filter(pk__in=[claim.pk for claim in dropped]).delete()
    _open_again(dropped)
    Flag.objects.filter(item__campaign=campaign, user=user).delete()
    answered.update(comment="")
    EarlierAnswer.objects.filter(judgement__in=answered).update(comment="")
    blur_answers(Claim.objects.filter(pk__in=kept))
    Claim.objects.filter(pk__in=kept).update(annotator=nobody, draft={}, skip_note="")


def _nobody(campaign: Campaign) -> User:
    """An account that stands for no person. Neither its name, its date nor its key says whose place it took: keys that are given
    in turn would stand in the order of the withdrawals. Negative ones are drawn, which the next account's key does not follow."""
    return User.objects.create(
        pk=-1 - secrets.randbelow(LARGEST_KEY),
        username=f"pseudonym-{secrets.token_hex(6)}",
        kind=User.Kind.PSEUDONYM,
        password="!",
        is_active=False,
        date_joined=campaign.created_at,
    )


def _open_again(claims: list[Claim]) -> None:
    """Free the slots on which the claims stood. Those for practice, each made for one person, go."""
    locked = hold_slots([claim for claim in claims if claim.state in Claim.STANDING])
    own = [slot.pk for slot in locked if slot.item.use in (Item.Use.TRAINING, Item.Use.TEST, Item.Use.ATTENTION)]
    Slot.objects.filter(pk__in=own).delete()
    Slot.objects.filter(pk__in=[slot.pk for slot in locked if slot.pk not in own]).update(state=Slot.State.OPEN)


def _leave(member: Membership, *, erased: int) -> None:
    """The membership says that somebody withdrew, and how many answers went; consents say it too; the platform's ids go."""
    now = timezone.now()
    member.state = Membership.State.WITHDRAWN
    member.withdrawn_at = now
    member.erased_judgements = erased
    member.team = member.group = member.qualified_at = member.quota = None
    member.tries = 0
    member.save()
    given = Consent.objects.filter(sheet__campaign=member.campaign_id, user=member.user_id, withdrawn_at__isnull=True)
    given.update(withdrawn_at=now)
    visit = CrowdVisit.objects.filter(campaign=member.campaign_id, user=member.user_id).first()
    if visit is not None:
        remember(campaign=member.campaign, participant=visit.participant)
        visit.delete()
        # An account that a platform's visit made has no password and is for this campaign only.
        User.objects.filter(pk=member.user_id).update(is_active=False)


def _forget_in_log(campaign: Campaign, user: User) -> None:
    """The log names the person nowhere, neither as who did something nor as whom something was done to."""
    Event.objects.filter(campaign=campaign, actor=user, verb="joined").delete()
    Event.objects.filter(campaign=campaign, actor=user).update(actor=None)
    for event in Event.objects.select_for_update().filter(campaign=campaign, detail__person=user.username):
        event.detail["person"] = SOMEBODY
        event.save(update_fields=["detail"])
