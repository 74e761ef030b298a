"""People whom a crowd platform sends: one account each, out by a code once their share is done."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import DomainError
from annotation.models import Campaign, CrowdFingerprint, CrowdVisit, Entrance, Role, User
from annotation.services.crowd import (
    Ids,
    completion_for,
    enter,
    gives_no_way_back,
    ids_from,
    let_in_again,
    pasted_at_platform,
    set_entrance,
)
from annotation.services.members import set_quota
from annotation.services.withdrawal import withdraw
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

PROLIFIC: dict[str, Any] = {
    "kind": "crowd",
    "platform": "prolific",
    "participant_parameter": "PROLIFIC_PID",
    "study_parameter": "STUDY_ID",
    "session_parameter": "SESSION_ID",
    "completion_code": "C0FFEE",
}
MTURK = PROLIFIC | {
    "platform": "mturk",
    "participant_parameter": "workerId",
    "study_parameter": "hitId",
    "session_parameter": "assignmentId",
}


@pytest.fixture
def campaign(make_campaign: MakeCampaign, organiser: User) -> Campaign:
    campaign = make_campaign(items=2, slots=1)
    set_entrance(campaign=campaign, by=organiser, **PROLIFIC)
    return campaign


def test_ids_are_read_by_the_names_that_the_entrance_gives(campaign: Campaign) -> None:
    parameters = {"PROLIFIC_PID": " p1 ", "STUDY_ID": "st", "SESSION_ID": "s1", "workerId": "other"}
    assert ids_from(campaign.entrance, parameters) == Ids("p1", "st", "s1")
    for broken, says in (({}, "“PROLIFIC_PID” is missing"), ({"PROLIFIC_PID": "x" * 121, "SESSION_ID": "s"}, "too long")):
        with pytest.raises(DomainError, match=says):
            ids_from(campaign.entrance, broken)


@pytest.mark.parametrize(
    "unfilled", ["{{%PROLIFIC_PID%}}", "${workerId}", "{participant}", "{{ID}}", "[ID]", "<id>", "%PID%", "…", "#{id}", " {x} "]
)
@pytest.mark.parametrize("parameter", ["PROLIFIC_PID", "SESSION_ID"])
def test_a_placeholder_that_was_not_replaced_is_no_id(campaign: Campaign, parameter: str, unfilled: str) -> None:
    given = {"PROLIFIC_PID": "p1", "STUDY_ID": "st", "SESSION_ID": "s1"}
    with pytest.raises(DomainError, match=f"“{parameter}” is missing, or the platform did not fill it in"):
        ids_from(campaign.entrance, given | {parameter: unfilled})
    assert ids_from(campaign.entrance, given | {"STUDY_ID": unfilled}) == Ids("p1", "", "s1")


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        (PROLIFIC, False),
        (PROLIFIC | {"completion_code": ""}, True),
        (PROLIFIC | {"completion_code": "", "completion_url": "https://example.org/done"}, False),
        (MTURK | {"completion_code": ""}, True),
        ({"kind": "open"}, False),
    ],
)
def test_a_crowd_without_a_way_back_is_known(campaign: Campaign, organiser: User, fields: dict[str, Any], missing: bool) -> None:
    set_entrance(campaign=campaign, by=organiser, **fields)
    assert gives_no_way_back(Entrance.objects.get(campaign=campaign)) is missing


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        (PROLIFIC, "/in/?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"),
        (
            PROLIFIC | {"participant_parameter": "who", "study_parameter": ""},
            "/in/?who={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}",
        ),
        (
            MTURK,
            '<a id="study" target="_blank" href="/in/">Open the study</a>\n'
            '<script>document.getElementById("study").href += location.search</script>',
        ),
        (PROLIFIC | {"platform": "other", "session_parameter": ""}, "/in/?PROLIFIC_PID=…&STUDY_ID=…"),
    ],
)
def test_the_address_has_the_platforms_own_placeholders(
    campaign: Campaign, organiser: User, fields: dict[str, Any], address: str
) -> None:
    set_entrance(campaign=campaign, by=organiser, **fields)
    assert pasted_at_platform(Entrance.objects.get(campaign=campaign), "/in/") == address


def test_mturk_previews_make_no_account(campaign: Campaign, organiser: User) -> None:
    set_entrance(campaign=campaign, by=organiser, **MTURK)
    campaign.refresh_from_db()
    ids = ids_from(campaign.entrance, {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "h"})
    assert ids.only_looks
    with pytest.raises(DomainError, match="Accept the task"):
        enter(campaign=campaign, ids=ids, user=None)
    assert (CrowdVisit.objects.count(), User.objects.count()) == (0, 1)


def test_a_participant_gets_one_account_that_says_nothing_of_the_id(campaign: Campaign) -> None:
    first = enter(campaign=campaign, ids=Ids("5f-secret", "st", "s1"), user=None)
    assert enter(campaign=campaign, ids=Ids("5f-secret", "st", "s1"), user=None) == first
    assert (CrowdVisit.objects.count(), first.has_usable_password(), "5f-secret" in first.username) == (1, False, False)
    assert [m.role for m in campaign.memberships.filter(user=first)] == [Role.ANNOTATOR]
    assert enter(campaign=campaign, ids=Ids("other", "st", "s1"), user=None) != first


@pytest.mark.parametrize("guessed", [Ids("p1", "st", "s2"), Ids("p1", "st"), Ids("p1")])
def test_a_guessed_id_opens_nobodys_account(campaign: Campaign, guessed: Ids, make_annotator: MakeAnnotator) -> None:
    mine = enter(campaign=campaign, ids=Ids("p1", "st", "s1"), user=None)
    for signed_in in (None, make_annotator(campaign, "eve")):
        with pytest.raises(DomainError, match="used in another session"):
            enter(campaign=campaign, ids=guessed, user=signed_in)
    assert enter(campaign=campaign, ids=guessed, user=mine) == mine


def test_a_new_session_in_the_same_browser_counts_from_then_on(campaign: Campaign) -> None:
    mine = enter(campaign=campaign, ids=Ids("p1", "st", "s1"), user=None)
    enter(campaign=campaign, ids=Ids("p1", "st", "s2"), user=mine)
    assert enter(campaign=campaign, ids=Ids("p1", "st", "s2"), user=None) == mine
    with pytest.raises(DomainError):
        enter(campaign=campaign, ids=Ids("p1", "st", "s1"), user=None)


@pytest.mark.parametrize("session", [{}, {"SESSION_ID": " "}])
def test_where_the_platform_gives_sessions_an_address_without_one_is_refused(campaign: Campaign, session: dict[str, str]) -> None:
    with pytest.raises(DomainError, match="“SESSION_ID” is missing"):
        ids_from(campaign.entrance, {"PROLIFIC_PID": "p1", **session})


def test_where_the_platform_gives_none_the_browser_that_began_is_the_only_way_back(campaign: Campaign, organiser: User) -> None:
    set_entrance(campaign=campaign, by=organiser, **PROLIFIC | {"session_parameter": ""})
    campaign.refresh_from_db()
    ids = ids_from(campaign.entrance, {"PROLIFIC_PID": "p1", "SESSION_ID": "made-up"})
    assert ids == Ids("p1")
    mine = enter(campaign=campaign, ids=ids, user=None)
    assert enter(campaign=campaign, ids=ids, user=mine) == mine
    for guessed in (ids, Ids("p1", "", "s1")):
        with pytest.raises(DomainError, match="used in another session"):
            enter(campaign=campaign, ids=guessed, user=None)


@pytest.mark.parametrize("next_session", ["s9", ""])
def test_an_organiser_lets_somebody_in_from_another_browser_once(campaign: Campaign, organiser: User, next_session: str) -> None:
    mine = enter(campaign=campaign, ids=Ids("p1", "st"), user=None)
    let_in_again(member=campaign.memberships.get(user=mine), by=organiser)
    assert enter(campaign=campaign, ids=Ids("p1", "st", next_session), user=None) == mine
    for other in ("s1", ""):
        with pytest.raises(DomainError):
            enter(campaign=campaign, ids=Ids("p1", "st", other), user=None)


def test_whom_an_organiser_lets_in_comes_soon_or_not_at_all(campaign: Campaign, organiser: User) -> None:
    mine = enter(campaign=campaign, ids=Ids("p1", "st", "s1"), user=None)
    let_in_again(member=campaign.memberships.get(user=mine), by=organiser)
    with time_machine.travel(timezone.now() + timedelta(minutes=31)), pytest.raises(DomainError):
        enter(campaign=campaign, ids=Ids("p1", "st", "s9"), user=None)
    assert enter(campaign=campaign, ids=Ids("p1", "st", "s1"), user=None) == mine


@pytest.mark.parametrize(("state", "says"), [("draft", "not open"), ("paused", "not open"), ("closed", "is closed")])
def test_nobody_comes_in_while_it_is_not_open(campaign: Campaign, state: str, says: str) -> None:
    campaign.state = state
    with pytest.raises(DomainError, match=says):
        enter(campaign=campaign, ids=Ids("p1"), user=None)
    assert CrowdVisit.objects.count() == 0


def test_the_code_is_shown_only_when_the_share_is_done(campaign: Campaign, organiser: User, answer: Answer) -> None:
    user = enter(campaign=campaign, ids=Ids("p1"), user=None)
    set_quota(member=campaign.memberships.get(user=user), quota=1, by=organiser)
    assert completion_for(campaign=campaign, user=user) is None
    answer(campaign, user, "preserve")
    done = completion_for(campaign=campaign, user=user)
    assert done is not None
    assert (done.code, done.address) == ("C0FFEE", "https://app.prolific.com/submissions/complete?cc=C0FFEE")
    first = CrowdVisit.objects.get().completed_at
    completion_for(campaign=campaign, user=user)
    assert first is not None and CrowdVisit.objects.get().completed_at == first


def test_the_share_is_done_when_there_is_nothing_more_for_them(campaign: Campaign, answer: Answer) -> None:
    user, late = (enter(campaign=campaign, ids=Ids(name), user=None) for name in ("p1", "p2"))
    answer(campaign, user, "preserve")
    assert completion_for(campaign=campaign, user=user) is None
    answer(campaign, user, "preserve")
    assert completion_for(campaign=campaign, user=user) is not None
    assert completion_for(campaign=campaign, user=late) is None


def test_the_address_to_go_back_to_can_be_set(campaign: Campaign, organiser: User, answer: Answer) -> None:
    set_entrance(campaign=campaign, by=organiser, **PROLIFIC | {"completion_url": "https://example.org/back"})
    user = enter(campaign=campaign, ids=Ids("p1"), user=None)
    for _ in range(2):
        answer(campaign, user, "preserve")
    done = completion_for(campaign=campaign, user=user)
    assert done is not None and done.address == "https://example.org/back"


def test_others_see_no_code(campaign: Campaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    ada = make_annotator(campaign, "ada")
    for _ in range(2):
        answer(campaign, ada, "preserve")
    assert completion_for(campaign=campaign, user=ada) is None


def test_what_is_paid_and_who_is_asked_stand_on_the_sheet(campaign: Campaign, organiser: User) -> None:
    before = campaign.sheets.first()
    assert before is not None and "pay" not in {part["key"] for part in before.sections}
    wanted = PROLIFIC | {"criteria": "Adults who read English.", "pay_per_item": "0.1250", "currency": "EUR"}
    sheet = set_entrance(campaign=campaign, by=organiser, **wanted)
    assert sheet is not None and sheet.version == before.version + 1
    texts = {part["key"]: part["text"] for part in sheet.sections}
    assert texts["recruitment"] == "Adults who read English."
    assert texts["pay"] == "You are paid 0.125 EUR for each text that you answer."
    assert set_entrance(campaign=campaign, by=organiser, **wanted) is None
    set_entrance(campaign=campaign, kind=None, by=organiser)
    assert not Entrance.objects.exists()
    assert "pay" not in {part["key"] for part in campaign.sheets.first().sections}  # type: ignore[union-attr]


def test_whoever_withdrew_is_told_so_and_gets_nothing_again(
    campaign: Campaign, make_campaign: MakeCampaign, organiser: User
) -> None:
    user = enter(campaign=campaign, ids=Ids("p1", "st", "s1"), user=None)
    withdraw(campaign=campaign, user=user)
    people = User.objects.count()
    for session in ("s1", "s2"):
        with pytest.raises(DomainError, match="You withdrew from this study"):
            enter(campaign=campaign, ids=Ids("p1", "st", session), user=None)
    assert (CrowdVisit.objects.count(), User.objects.count()) == (0, people)
    assert enter(campaign=campaign, ids=Ids("p2", "st", "s1"), user=None) != user
    other = make_campaign(name="other", items=1)
    set_entrance(campaign=other, by=organiser, **PROLIFIC)
    assert enter(campaign=other, ids=Ids("p1", "st", "s1"), user=None) != user


def test_what_is_kept_of_whoever_withdrew_is_a_hash_under_the_servers_key(campaign: Campaign, settings: Any) -> None:
    digests = []
    for key in ("one" * 20, "two" * 20):
        settings.SECRET_KEY = key
        withdraw(campaign=campaign, user=enter(campaign=campaign, ids=Ids("p1", "st", "s1"), user=None))
        kept = CrowdFingerprint.objects.values().latest("pk")
        assert set(kept) == {"id", "campaign_id", "digest"}
        digests.append(kept["digest"])
    assert len(set(digests)) == 2


def test_the_sheet_says_that_a_fingerprint_is_kept_where_a_crowd_comes(campaign: Campaign, organiser: User) -> None:
    says = []
    for kind in ("crowd", "open", None):
        set_entrance(campaign=campaign, by=organiser, **PROLIFIC | {"kind": kind})
        sheet = campaign.sheets.first()
        assert sheet is not None
        (withdrawal,) = [part["text"] for part in sheet.sections if part["key"] == "withdrawal"]
        says.append("a fingerprint is kept" in withdrawal)
    assert says == [True, False, False]
