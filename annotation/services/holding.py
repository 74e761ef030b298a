"""Which rows a verb holds, in which order. Verbs that keep to it never wait for each other crosswise.

1. The campaigns, by id.
   - Handing out work and whoever answers share them (FOR KEY SHARE, see `prepared`): any number of people at once.
   - Organisers' verbs `hold` them (FOR NO KEY UPDATE): one at a time, people go on answering meanwhile.
   - What changes the meaning of answers, or who is given what (settings, links, groups, known answers), holds them whole
     (FOR UPDATE): nobody is handed anything or answers meanwhile, so such a verb may take the rows below in any order.
2. The membership: handing out, answering and leaving hold it, so that of one person one thing happens at a time.
3. Claims, by id. 4. Their slots, by id. 5. Their items, by id. All that a verb needs of one kind, before the next kind.
   Whoever cannot say beforehand which rows it needs does not wait for them: it passes over those that others hold (SKIP LOCKED).
6. What hangs on these: judgements, rulings, decisions, flags. Whoever writes them holds the item, the claim or the campaign.

Rows beside the work (invitations, entrances, visits, accounts, teams) are held after the campaign where an organiser changes
them. People who join hold one of them, and after it nothing but what they insert.

Rows are held without their key (`no_key`): new rows refer to them, which PostgreSQL checks at the commit, when it is too late to
wait in order. Only `hold_whole` keeps references away, and what a verb is about to delete without having the campaign whole.
A claim's plain sign of life, a draft or a longer time changes that one row and waits for nothing else.

Texts are shared between campaigns. Whoever refers to some that it has found keeps them (`keep_texts`) until its rows are there;
whoever forgets texts holds them all (`hold_texts`). Both do so before any other row.

SQLite has one writer at a time and needs none of this.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import QuerySet

from annotation.errors import DomainError
from annotation.models import Campaign, Claim, Item, Slot


def hold(campaign: Campaign | int) -> Campaign:
    """The campaign as it is now, kept from other verbs of organisers until the transaction ends; answers come in meanwhile.

    Whoever locks rows below a campaign and writes to its log holds it before those rows: the log refers to it, and a change of
    settings or links, which holds it whole and then wants the rows, would otherwise wait for the one that waits for it.
    """
    return _held(Campaign.objects.select_for_update(no_key=True), campaign)


def hold_whole(campaign: Campaign | int) -> Campaign:
    """The campaign as it is now, kept from answers and from handing out work too: what they mean is about to change."""
    return _held(Campaign.objects.select_for_update(), campaign)


def _held(campaigns: QuerySet[Campaign], campaign: Campaign | int) -> Campaign:
    """Raises DomainError for one that was deleted: somebody may have opened its page before."""
    found = campaigns.filter(pk=campaign if isinstance(campaign, int) else campaign.pk).first()
    if found is None:
        raise DomainError("This campaign was deleted a moment ago.")
    return found


def hold_claims(claims: QuerySet[Claim], *, pass_over: bool = False) -> list[Claim]:
    """The claims as they are now; on request without those that others hold."""
    return list(claims.select_for_update(of=("self",), no_key=True, skip_locked=pass_over).order_by("pk"))


def hold_slots(claims: list[Claim]) -> list[Slot]:
    """The slots of claims that are held, with their items."""
    slots = Slot.objects.filter(pk__in=[claim.slot_id for claim in claims]).select_related("item")
    return list(slots.select_for_update(of=("self",), no_key=True).order_by("pk"))


def hold_slots_of(item: Item) -> list[Slot]:
    """All slots of the item, whoever has them. Its claims are held before, if at all."""
    return list(Slot.objects.filter(item=item).select_for_update(no_key=True).order_by("pk"))


def hold_items(items: QuerySet[Item]) -> list[Item]:
    """The items as they are now, with their campaign. Their claims and slots are held before, if at all."""
    return list(items.select_related("campaign").select_for_update(of=("self",), no_key=True).order_by("pk"))


_TEXTS = 7_247_001
"""Of PostgreSQL's advisory locks, the one for texts: any number that nothing else here uses."""


def keep_texts() -> None:
    """Until the transaction ends, nobody forgets texts. Any number of people at once."""
    _advise("pg_advisory_xact_lock_shared")


def hold_texts() -> None:
    """Until the transaction ends, nobody else keeps or forgets texts."""
    _advise("pg_advisory_xact_lock")


def _advise(lock: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {lock}(%s)", [_TEXTS])
