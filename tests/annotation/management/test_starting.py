"""What `manage.py start` says while somebody waits."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest

from annotation.management.commands import start
from annotation.models import Batch, Campaign, Original, Upload
from tests.annotation.conftest import MakeCampaign


class _Reached(Exception):
    """The step that is looked at has begun."""


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("call_command", ["Preparing the database …"]),
        ("Supervisor", ["Preparing the database …", "Starting the web server and the job worker …"]),
    ],
)
def test_a_step_that_takes_a_while_is_said_before_it_begins(
    db: None, monkeypatch: pytest.MonkeyPatch, step: str, said: list[str]
) -> None:
    def reached(*args: Any, **options: Any) -> None:
        raise _Reached

    monkeypatch.setattr(start, "call_command", lambda *args, **options: None)
    monkeypatch.setattr(start, step, reached)
    out = StringIO()
    with pytest.raises(_Reached):
        start.Command(stdout=out).handle(host="127.0.0.1", port=0, no_study=True)
    assert out.getvalue().splitlines() == said


def test_what_a_stopped_process_left_is_settled_before_anybody_comes_in(
    make_campaign: MakeCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, deleted = make_campaign(name="kept"), make_campaign(name="gone")
    Campaign.objects.filter(pk=deleted.pk).update(state=Campaign.State.DELETED)
    upload = Upload.objects.create(campaign=kept, name="p.csv", stored="uploads/x", sha256="x")
    Batch.objects.create(upload=upload)

    def reached(*args: Any, **options: Any) -> None:
        raise _Reached

    monkeypatch.setattr(start, "call_command", lambda *args, **options: None)
    monkeypatch.setattr(start, "Supervisor", reached)
    with pytest.raises(_Reached):
        start.Command(stdout=StringIO()).handle(host="127.0.0.1", port=0, no_study=True)
    assert (list(Campaign.every.all()), Batch.objects.count()) == ([kept], 0)


@pytest.fixture
def duty(db: None, monkeypatch: pytest.MonkeyPatch) -> start.RegularDuty:
    """Without the journal, which cannot be emptied within a test's transaction."""
    monkeypatch.setattr(start, "empty_journal", lambda: None)
    return start.RegularDuty()


def test_texts_that_nothing_shows_and_leftovers_are_looked_for_at_the_first_turn_and_once_an_hour(
    duty: start.RegularDuty, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, lefts, looked = [100.0], [], []
    monkeypatch.setattr(start, "drop_leftovers", lambda: looked.append(now[0] - 100))
    monkeypatch.setattr(start.time, "monotonic", lambda: now[0])
    for seconds in (0, 10, 3_590, 3_600, 3_610):
        now[0] = 100.0 + seconds
        Original.objects.create(task="t", key=f"{seconds}")
        duty()
        lefts.append(Original.objects.count())
    assert (lefts, looked) == ([0, 1, 2, 0, 1], [0, 3_600])


def test_what_an_import_has_shown_whose_process_is_gone_is_opened(duty: start.RegularDuty, make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1, opened=False)
    upload = Upload.objects.create(campaign=campaign, name="p.csv", stored="uploads/x", sha256="x")
    batch = Batch.objects.create(upload=upload, state=Batch.State.SEEN)
    campaign.items.update(batch=batch)
    campaign.slots.update(state="closed")
    duty()
    assert set(campaign.slots.values_list("state", flat=True)) == {"open"}
