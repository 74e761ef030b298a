"""How often one may try: counted in the cache, which all processes of the server share (CACHE_URL)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from django.core.cache import cache
from django.utils import timezone

from annotation.errors import TooMany
from scoring.wording import counted


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


def check(limit: Limit, key: str) -> None:
    """Raise TooMany when the limit is used up."""
    times = _recent(limit, key)
    if len(times) >= limit.most:
        wait = min(times[-limit.most :]) + limit.within.total_seconds() - _now()
        minutes = max(1, round(wait / 60))
        raise TooMany(f"Too many tries. Wait {counted(minutes, 'minute')}, then try again.")


def count(limit: Limit, key: str) -> None:
    """Note one try."""
    times = [*_recent(limit, key), _now()][-limit.most :]
    cache.set(_key(limit, key), times, timeout=limit.within.total_seconds())


def forget(limit: Limit, key: str) -> None:
    """Start anew, after a success."""
    cache.delete(_key(limit, key))


def _recent(limit: Limit, key: str) -> list[float]:
    since = _now() - limit.within.total_seconds()
    return [moment for moment in cache.get(_key(limit, key), []) if moment > since]


def _key(limit: Limit, key: str) -> str:
    """A digest, so that no name and no address lies in the cache."""
    return f"limit:{limit.kind}:{hashlib.sha256(key.encode()).hexdigest()}"


def _now() -> float:
    return timezone.now().timestamp()
