"""How often one may try: each try is counted, also of many at once, and what is over leaves nothing behind."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
import time_machine

from annotation.errors import TooMany
from annotation.models import Tries
from annotation.services.limits import Limit, count, forget, take_back
from tests.annotation.at_once import at_once

FEW = Limit("few", 3, timedelta(minutes=10))
ONE = Limit("one", 1, timedelta(minutes=10))
START = "2026-11-30T12:00:00Z"


def tries(limit: Limit, key: str = "here") -> int:
    [row] = Tries.objects.filter(key__startswith=f"{limit.kind}:", over_at__isnull=False) or [Tries()]
    return len(row.times)


def test_one_too_many_is_told_how_long_to_wait_and_not_counted(db: None) -> None:
    with time_machine.travel(START, tick=False) as clock:
        for _ in range(3):
            count((FEW, "here"))
            clock.shift(60)
        with pytest.raises(TooMany, match="Wait 7 minutes") as refused:
            count((FEW, "here"))
        assert (refused.value.seconds, tries(FEW)) == (7 * 60, 3)
        clock.shift(7 * 60)
        count((FEW, "here"))  # the first is over, the second and third are not
        with pytest.raises(TooMany, match="Wait 1 minute,"):
            count((FEW, "here"))


def test_where_one_of_several_limits_is_used_up_none_counts(db: None) -> None:
    count((FEW, "here"), (ONE, "here"))
    with pytest.raises(TooMany):
        count((FEW, "here"), (ONE, "here"))
    assert tries(FEW) == 1


def test_a_try_can_be_taken_back_and_all_be_forgotten(db: None) -> None:
    for _ in range(3):
        count((FEW, "here"))
    take_back((FEW, "here"))
    assert tries(FEW) == 2
    forget(FEW, "here")
    assert tries(FEW) == 0
    take_back((FEW, "here"), (FEW, "never tried"))
    assert tries(FEW) == 0


def test_what_is_over_goes_when_something_new_comes(db: None) -> None:
    with time_machine.travel(START, tick=False) as clock:
        for key in ("here", "there"):
            count((FEW, key))
        clock.shift(5 * 60)
        count((FEW, "there"))
        clock.shift(6 * 60)
        count((ONE, "elsewhere"))
    assert sorted((row.key.split(":")[0], len(row.times)) for row in Tries.objects.all()) == [("few", 2), ("one", 1)]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("on_postgresql")
def test_of_many_tries_at_once_each_is_counted() -> None:
    outcomes = at_once(*[partial(count, (FEW, "here"), (Limit("most", 30, FEW.within), "here"))] * 12)
    assert sum(isinstance(outcome, TooMany) for outcome in outcomes) == 9
    assert Tries.objects.count() == 2
