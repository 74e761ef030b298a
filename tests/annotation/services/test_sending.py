"""What becomes of a run's successes in a campaign of each kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.errors import DomainError
from annotation.models import AttackRun, Campaign, User
from annotation.services.campaigns import close_campaign
from annotation.services.runs import record_run
from annotation.services.sending import Sending, planned, send
from tests.annotation.conftest import MakeCampaign
from tests.annotation.services.test_runs import TEXTS, run_folder


@pytest.fixture
def plain(db: None, tmp_path: Path) -> AttackRun:
    return record_run(run_folder(tmp_path / "plain"))


def texts(campaign: Campaign) -> list[tuple[str, str | None]]:
    return list(campaign.items.order_by("number").values_list("first__text", "second__text"))


def test_meaning_gets_pairs(plain: AttackRun, organiser: User) -> None:
    campaign, added = send(run=plain, wanted=Sending(name="m", title="M", protocol="meaning"), by=organiser)
    assert added == 3
    assert texts(campaign) == [TEXTS[number] for number in (0, 2, 3)]


@pytest.mark.parametrize("protocol", ["suspicion", "binary"])
def test_single_texts_come_with_their_originals_or_without(protocol: str, plain: AttackRun, organiser: User) -> None:
    altered = [(TEXTS[number][1], None) for number in (0, 2, 3)]
    for originals, unchanged in ((False, []), (True, [(TEXTS[0][0], None), (TEXTS[3][0], None)])):
        wanted = Sending(name=f"c{originals}", title="C", protocol=protocol, originals=originals)
        campaign, _ = send(run=plain, wanted=wanted, by=organiser)
        assert texts(campaign) == [*unchanged, *altered]


def test_preference_sets_two_runs_side_by_side_the_held_one_first(tmp_path: Path, organiser: User) -> None:
    """Equal texts are no choice, and where only one of the runs succeeded there is none."""
    free = record_run(run_folder(tmp_path / "free", [("a b", "a x"), ("c d", "c x"), ("e f", "e x"), ("g h", None)]))
    held = record_run(run_folder(tmp_path / "held", [("a b", "a y"), ("c d", "c x"), ("e f", None), ("g h", "g y")], tau=2.5))
    for number, (run, beside) in enumerate([(free, held), (held, free)]):
        wanted = Sending(name=f"p{number}", title="P", protocol="preference", beside=beside)
        assert planned(run=run, wanted=wanted).alone == 2
        campaign, added = send(run=run, wanted=wanted, by=organiser)
        assert (added, texts(campaign)) == (1, [("a y", "a x")])


def test_what_was_set_aside_is_sent_on_request_only(plain: AttackRun, organiser: User) -> None:
    plain.summary |= {"set_aside": {"count": 1, "ids": [2], "margin": 0.2}}
    plan = planned(run=plain, wanted=Sending(protocol="meaning"))
    assert (len(plan.items), plan.set_aside) == (2, 1)
    assert len(planned(run=plain, wanted=Sending(protocol="meaning", set_aside=True)).items) == 3


def test_where_nothing_may_be_added_nothing_is(plain: AttackRun, make_campaign: MakeCampaign, organiser: User) -> None:
    closed = make_campaign(name="closed")
    close_campaign(campaign=closed)
    for campaign in (closed, make_campaign(name="simulated", simulated=True)):
        with pytest.raises(DomainError, match="takes no further items"):
            send(run=plain, wanted=Sending(campaign=campaign), by=organiser)
    with pytest.raises(DomainError, match="in a preference campaign only"):
        planned(run=plain, wanted=Sending(protocol="meaning", beside=plain))


def test_the_log_says_where_items_came_from(plain: AttackRun, organiser: User) -> None:
    campaign, _ = send(run=plain, wanted=Sending(name="m", title="M", protocol="meaning"), by=organiser)
    event = campaign.events.get(verb="sent")
    assert (event.actor, event.detail) == (organiser, {"added": 3, "run": "plain"})
