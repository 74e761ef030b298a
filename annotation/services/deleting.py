"""Deleting a campaign for good, which only one can be that nobody has answered in."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from uuid import uuid4

from django.conf import settings
from django.db import transaction

from annotation.errors import DomainError
from annotation.models import Campaign, Consent, Example, Item, Judgement, Upload, User
from scoring.wording import counted

from .forgetting import delete_examples, delete_items
from .holding import hold_whole

logger = logging.getLogger(__name__)

DELETABLE = (Campaign.State.DRAFT, Campaign.State.CLOSED)


@dataclass(frozen=True, slots=True)
class Going:
    """How much goes with a campaign."""

    items: int
    people: int
    files: int


def going_with(campaign: Campaign) -> Going:
    """What deleting the campaign would take along."""
    return Going(Item.every.filter(campaign=campaign).count(), campaign.memberships.count(), campaign.uploads.count())


def why_not_deleted(campaign: Campaign, by: User) -> str:
    """Why this person cannot delete the campaign, and what to do instead; empty where they can."""
    if campaign.created_by is not None and campaign.created_by != by:
        return (
            f"Only {campaign.created_by.username}, whose campaign it is, can delete it. Ask them, or have it handed over to you."
        )
    answers = Judgement.objects.filter(claim__campaign=campaign).count()
    if answers:
        return (
            f"There {'is' if answers == 1 else 'are'} {counted(answers, 'answer')} in it, and answers are never thrown away. "
            "Close the campaign instead: nobody is asked any more. Whoever gave an answer can have it erased by withdrawing."
        )
    if campaign.models.exists():
        return "A model was trained from its answers and refers to it, so the campaign stays. Close it instead."
    if campaign.rounds.exists():
        return "It is judged in a round of retraining. Take the round back first, as long as no version has learned from it."
    if campaign.state not in DELETABLE:
        return "People may be given an item at any moment. Close the campaign first."
    return ""


def delete_campaign(*, campaign: Campaign, by: User) -> None:
    """Delete the campaign with all that belongs to it, and the texts that nothing else shows. Raises DomainError where it may
    not.

    Nobody finds it any more from the first moment on. Its rows go after that, in many short transactions, so that nobody waits.
    """
    with transaction.atomic():
        held = hold_whole(campaign)
        if problem := why_not_deleted(held, by):
            raise DomainError(problem)
        name, held.name, held.state = held.name, f"deleted-{uuid4().hex}", Campaign.State.DELETED
        held.save(update_fields=["name", "state"])
    logger.info("%s deleted the campaign %s.", by.username, name)
    clear_away()


def clear_away() -> None:
    """Delete what belongs to deleted campaigns, also to those of a process that was stopped on the way. Where that fails, it is
    logged and tried again the next time: nobody sees these campaigns any more."""
    for campaign in Campaign.every.filter(state=Campaign.State.DELETED):
        pk = campaign.pk
        try:
            _clear_away(campaign)
        except Exception:
            logger.exception("What belongs to the deleted campaign %s could not be deleted.", pk)


def _clear_away(campaign: Campaign) -> None:
    delete_items(Item.every.filter(campaign=campaign))
    for upload in campaign.uploads.all():
        _hand_over(upload)
    delete_examples(Example.objects.filter(upload__campaign=campaign))
    _delete_rest(campaign)


def _hand_over(upload: Upload) -> None:
    """A file from which another campaign's items come, a copy's or a sample's, belongs to that one from now on."""
    heir = Item.every.filter(example__upload=upload).order_by("campaign").values_list("campaign", flat=True).first()
    if heir is not None:
        Upload.objects.filter(pk=upload.pk).update(campaign=heir)


@transaction.atomic
def _delete_rest(campaign: Campaign) -> None:
    Consent.objects.filter(sheet__campaign=campaign).delete()
    campaign.memberships.all().delete()
    campaign.invitations.all().delete()
    files = set(campaign.uploads.values_list("stored", flat=True))
    campaign.delete()
    files -= set(Upload.objects.filter(stored__in=files).values_list("stored", flat=True))
    transaction.on_commit(partial(_remove, files))


def _remove(files: Iterable[str]) -> None:
    for stored in files:
        (settings.DATA_DIR / stored).unlink(missing_ok=True)
