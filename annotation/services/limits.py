"""How often one may try: counted in the database, for all processes of the server together."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation.errors import TooMany
from annotation.models import Tries


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries of one kind by one key within `within`."""

    kind: str
    most: int
    within: timedelta


WINDOW = timedelta(minutes=15)
WRONG_BY_NAME_AND_ADDRESS = Limit("sign-in", 8, WINDOW)
WRONG_BY_NAME = Limit("sign-in-name", 40, WINDOW)
WRONG_BY_ADDRESS = Limit("sign-in-address", 60, WINDOW)
NEW_ACCOUNTS = Limit("account", 30, timedelta(hours=1))
"""By address: a class in one room shares one, a program that makes accounts does too."""
CROWD_VISITS = Limit("crowd", 60, timedelta(hours=1))
"""By address: whoever tries out participants' ids is stopped, a household is not."""


def sign_in_limits(name: str, address: str) -> list[tuple[Limit, str]]:
    """What a wrong password counts against: this name from here, this name from anywhere, anybody from here."""
    name = name.strip().casefold()
    return [(WRONG_BY_NAME_AND_ADDRESS, f"{name}\n{address}"), (WRONG_BY_NAME, name), (WRONG_BY_ADDRESS, address)]


def count(*tries: tuple[Limit, str]) -> None:
    """Note one try against each limit, or none and raise TooMany where one is used up.

    To be called before what is tried, not after it: of many at the same moment each would find itself allowed.
    """
    with transaction.atomic():
        fresh = [_note(limit, key) for limit, key in tries]
    if any(fresh):
        _clear_away()


def take_back(*tries: tuple[Limit, str]) -> None:
    """The last try does not count after all."""
    with transaction.atomic():
        for limit, key in tries:
            row = Tries.objects.select_for_update().filter(key=_key(limit, key)).first()
            if row is not None:
                row.times = row.times[:-1]
                row.save(update_fields=["times"])


def forget(limit: Limit, key: str) -> None:
    """Start anew, after a success."""
    Tries.objects.filter(key=_key(limit, key)).update(times=[])


def _note(limit: Limit, key: str) -> bool:
    """Whether the row is a new one."""
    now = timezone.now()
    over_at = now + limit.within
    row, fresh = Tries.objects.select_for_update().get_or_create(key=_key(limit, key), defaults={"over_at": over_at})
    recent = [moment for moment in row.times if moment > (now - limit.within).timestamp()]
    if len(recent) >= limit.most:
        raise TooMany(recent[-limit.most] + limit.within.total_seconds() - now.timestamp())
    row.times, row.over_at = [*recent, now.timestamp()], over_at
    row.save(update_fields=["times", "over_at"])
    return fresh


def _clear_away() -> None:
    """Rows that say nothing any more go when a new one comes. Those that somebody is using are passed over."""
    with transaction.atomic():
        over = Tries.objects.select_for_update(skip_locked=True).filter(over_at__lt=timezone.now())
        Tries.objects.filter(pk__in=[row.pk for row in over]).delete()


def _key(limit: Limit, key: str) -> str:
    return f"{limit.kind}:{hashlib.sha256(key.encode()).hexdigest()}"
