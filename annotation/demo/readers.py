"""Simulated readers at work: they claim and submit through the services that people's pages use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Q

from annotation.errors import NothingToClaim
from annotation.models import Campaign, Claim, Membership, Slot, User
from annotation.protocols import exclusion_of
from annotation.queries.progress import progress_of
from annotation.services.answering import submit
from annotation.services.claiming import claim_next

THIRD_PERSON = 1
"""How many readers more than slots: on a conflict somebody is asked who was neither of the first two."""

Answer = Callable[[Slot, User], dict[str, Any]]
"""What a reader says about the slot's item: the data that a page would post. It must depend on the two alone."""

Progress = Callable[[int, int, str], None]

SHOWN = Slot.objects.select_related(
    "item__original", "item__first", "item__second", "item__example__before", "item__example__after"
)
"""Slots with all that a reader may look at."""


def readers_needed(campaign: Campaign) -> int:
    """The fewest readers who can fill every slot: where variants exclude each other, all slots of one original need different
    people, else all slots of one item do."""
    per = "item__original" if exclusion_of(campaign) else "item"
    most = Slot.objects.filter(item__campaign=campaign).values(per).annotate(slots=Count("pk")).order_by("-slots").first()
    return THIRD_PERSON + (most["slots"] if most else 0)


@transaction.atomic
def enlist(*, campaign: Campaign) -> list[User]:
    """As many simulated readers as the campaign needs, as its annotators. They have no password and cannot sign in."""
    names = [f"{campaign.name}-reader-{number:02}" for number in range(1, readers_needed(campaign) + 1)]
    readers = [_reader(name) for name in names]
    for reader in readers:
        Membership.objects.get_or_create(campaign=campaign, user=reader, defaults={"role": Membership.Role.ANNOTATOR})
    return readers


def _reader(username: str) -> User:
    reader, made = User.objects.get_or_create(username=username, defaults={"kind": User.Kind.SIMULATED, "is_active": False})
    if made:
        reader.set_unusable_password()
        reader.save(update_fields=["password"])
    return reader


def answer_everything(*, campaign: Campaign, readers: Sequence[User], answer: Answer, progress: Progress) -> None:
    """Let the readers answer in turn until nothing is left, third judgements on conflicts included.

    Whose turn it is follows from the answers that are stored, so an interrupted campaign goes on as if it had not been.
    """
    while (claim := _next_claim(campaign, readers)) is not None:
        slot = SHOWN.get(pk=claim.slot_id)
        submit(claim_id=claim.pk, annotator=claim.annotator, data=answer(slot, claim.annotator))
        now = progress_of(campaign)
        progress(now.answered, now.wanted, f"{campaign.title}: {now.answered} of {now.wanted} simulated answers")


def _next_claim(campaign: Campaign, readers: Sequence[User]) -> Claim | None:
    """The claim of the reader who has answered least and can answer more; None when all is answered."""
    given = dict(
        Membership.objects.filter(campaign=campaign, user__in=readers)
        .annotate(n=Count("user__claims", filter=Q(user__claims__item__campaign=campaign, user__claims__judgement__isnull=False)))
        .values_list("user_id", "n")
    )
    for reader in sorted(readers, key=lambda reader: (given[reader.pk], reader.username)):
        try:
            return claim_next(campaign=campaign, annotator=reader)
        except NothingToClaim:
            continue
    return None
