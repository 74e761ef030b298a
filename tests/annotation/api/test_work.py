"""/api/work/: the annotator's campaigns, claiming, answering, thinking again, skipping. Nothing tells what they may not know."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Campaign, Claim, EarlierAnswer, Flag, Item, Judgement, Membership, User
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.people import consent
from annotation.services.practice import set_gold

from .conftest import NO_TOKEN, NOT_FOUND, WRONG_METHOD, Caller, problem

CLAIMS = "/api/work/harbour/claims/"
SURE = {"option": 1, "confidence": 4}


def claim_of(client: Client, name: str = "harbour") -> dict[str, Any]:
    claimed = client.post(f"/api/work/{name}/claims/")
    assert claimed.status_code == 200, claimed.json()
    body: dict[str, Any] = claimed.json()
    return body


def answer(client: Client, claim: dict[str, Any], given: dict[str, Any] = SURE, method: str = "post") -> Any:
    return getattr(client, method)(f"{CLAIMS}{claim['id']}/answer/", given, content_type="application/json")


@pytest.fixture
def anna(annotator: User, calling: Caller) -> Client:
    return calling(annotator)


def test_the_list_holds_where_the_caller_answers(
    campaign: Campaign, annotator: User, organiser: User, other_organiser: User, calling: Caller
) -> None:
    lists = {who.username: calling(who).get("/api/work/").json()["results"] for who in (annotator, organiser, other_organiser)}
    assert {who: [work["name"] for work in found] for who, found in lists.items()} == {
        "anna": ["harbour"],
        "olga": [],
        "otto": [],
    }
    assert sorted(lists["anna"][0]) == ["given", "guidelines", "name", "protocol", "question", "standing", "state", "title"]


def test_an_item_comes_with_what_it_shows_and_asks(anna: Client) -> None:
    claim = claim_of(anna)
    assert [text["heading"] for text in claim["texts"]] == ["Original", "Modified"]
    assert "".join(span["text"] for span in claim["texts"][1]["spans"]).startswith("The brdige number")
    assert [option["number"] for option in claim["options"]] == [1, 2, 3]
    assert (claim["part"], claim["state"], claim["confidence"], claim["words_wanted"]) == ("work", "live", True, None)


def test_asking_twice_gives_the_same_item(anna: Client) -> None:
    assert claim_of(anna)["id"] == claim_of(anna)["id"]
    assert Claim.objects.count() == 1


def test_the_first_answer_is_stored_and_stands(anna: Client) -> None:
    claim = claim_of(anna)
    first, again = answer(anna, claim), answer(anna, claim, {"option": 2, "confidence": 1})
    assert [(sent.status_code, sent.json()["stored"], sent.json()["counts"]) for sent in (first, again)] == [
        (201, True, True),
        (200, False, True),
    ]
    stored = Judgement.objects.select_related("label").get()
    assert stored.label is not None
    assert (stored.label.key, stored.confidence, stored.claim_id) == ("preserve", 4, claim["id"])


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        ({"option": 4, "confidence": 4}, 422, "invalid_answer"),
        ({"confidence": 4}, 422, "invalid_answer"),
        ({"option": 1}, 422, "invalid_answer"),
        ({"option": 0, "confidence": 4}, 400, "invalid"),
        ({"option": "preserve", "confidence": 4}, 400, "invalid"),
        ({"option": 1, "confidence": 6}, 400, "invalid"),
        ({"option": 1, "confidence": 10**30}, 400, "invalid"),
        ({"option": 1, "confidence": 4, "comment": "\0"}, 400, "invalid"),
        ({"option": 1, "confidence": 4, "comment": "\ud83d"}, 400, "invalid"),
        ([1], 400, "invalid"),
    ],
    ids=str,
)
def test_what_is_no_answer_is_refused_and_nothing_is_stored(given: Any, status: int, code: str, anna: Client) -> None:
    claim = claim_of(anna)
    assert problem(answer(anna, claim, given)) == (status, code)
    assert Judgement.objects.count() == 0


def test_an_answer_after_closing_is_kept_and_says_that_it_does_not_count(anna: Client, campaign: Campaign) -> None:
    claim = claim_of(anna)
    close_campaign(campaign=campaign)
    late = answer(anna, claim)
    assert (late.status_code, late.json()["counts"]) == (201, False)
    assert late.json()["uncounted"] == "it came after the campaign had closed"
    assert Judgement.objects.get().uncounted == "closed"


def test_somebody_paused_meanwhile_loses_no_answer_and_gets_no_item(anna: Client, annotator: User) -> None:
    claim = claim_of(anna)
    Membership.objects.filter(user=annotator).update(state="paused")
    assert answer(anna, claim).status_code == 201
    assert problem(anna.post(CLAIMS)) == (409, "nothing_to_claim")
    assert problem(anna.get(CLAIMS)) == (409, "not_active")


def test_thinking_again_keeps_the_earlier_answer(anna: Client) -> None:
    claim = claim_of(anna)
    answer(anna, claim)
    changed = answer(anna, claim, {"option": 2, "confidence": 5, "replaces": 1}, "put")
    repeated = answer(anna, claim, {"option": 3, "confidence": 5, "replaces": 1}, "put")
    assert [(sent.status_code, sent.json()["stored"]) for sent in (changed, repeated)] == [(200, True), (200, False)]
    assert (Judgement.objects.get().label.key, EarlierAnswer.objects.get().label.key) == ("change", "preserve")  # type: ignore[union-attr]


def test_a_draft_comes_back_with_its_item(anna: Client) -> None:
    claim = claim_of(anna)
    kept = anna.put(f"{CLAIMS}{claim['id']}/draft/", {"option": 2, "confidence": 3}, content_type="application/json")
    assert kept.status_code == 204
    assert claim_of(anna)["draft"] == {"option": 2, "confidence": "3"}


@pytest.mark.parametrize("given", [{"reason": "unclear"}, {"reason": ""}, {}])
def test_a_skipped_item_is_not_offered_again(anna: Client, given: dict[str, str]) -> None:
    claim = claim_of(anna)
    for _ in range(2):
        skipped = anna.post(f"{CLAIMS}{claim['id']}/skip/", given, content_type="application/json")
        assert (skipped.status_code, skipped.json()["state"]) == (200, "skipped")
    assert claim_of(anna)["id"] != claim["id"]
    wrong = anna.post(f"{CLAIMS}{claim_of(anna)['id']}/skip/", {"reason": "bored"}, content_type="application/json")
    assert problem(wrong) == (400, "invalid")


def test_a_flag_reaches_the_organisers_once(anna: Client) -> None:
    claim = claim_of(anna)
    for _ in range(2):
        sent = anna.post(f"{CLAIMS}{claim['id']}/flag/", {"text": "Half is missing."}, content_type="application/json")
        assert sent.status_code == 204
    assert [flag.text for flag in Flag.objects.all()] == ["Half is missing."]


def test_an_item_can_be_kept_longer_until_it_went_back(anna: Client, campaign: Campaign) -> None:
    claim = claim_of(anna)
    with time_machine.travel(timezone.now() + timedelta(minutes=30)):
        longer = anna.post(f"{CLAIMS}{claim['id']}/keep/").json()
    assert longer["expires_at"] > claim["expires_at"]
    answer(anna, claim)
    assert problem(anna.post(f"{CLAIMS}{claim['id']}/keep/")) == (409, "refused")


def test_progress(anna: Client) -> None:
    answer(anna, claim_of(anna))
    assert anna.get("/api/work/harbour/progress/").json() == {"done": 1, "total": 3, "more": False, "minutes_left": None}


def test_there_are_different_ends(
    make_campaign: Callable[..., Campaign], annotator: User, anna: Client, campaign: Campaign
) -> None:
    for _ in range(3):
        answer(anna, claim_of(anna))
    done = anna.post(CLAIMS)
    assert (problem(done), done.json()["finished"]) == ((409, "nothing_to_claim"), True)
    pause_campaign(campaign=campaign)
    paused = anna.post(CLAIMS)
    assert (problem(paused), paused.json()["finished"]) == ((409, "nothing_to_claim"), False)


def test_a_share_that_is_done_says_so(anna: Client) -> None:
    Membership.objects.filter(user__username="anna").update(quota=1)
    answer(anna, claim_of(anna))
    done = anna.post(CLAIMS)
    assert (problem(done), done.json()["finished"]) == ((409, "share_done"), True)


def test_nobody_works_before_they_agreed(campaign: Campaign, make_annotator: Callable[..., User], calling: Caller) -> None:
    newcomer = make_annotator(campaign, "boris")
    client = calling(newcomer)
    refused = client.post(CLAIMS)
    assert problem(refused) == (403, "consent_needed")
    assert refused.json()["sheet"] == "http://testserver/campaigns/harbour/sheet/"
    assert Claim.objects.count() == 0
    consent(sheet=campaign.sheets.get(), user=newcomer)
    claim_of(client)


def test_training_explains_and_a_test_says_how_it_went(campaign: Campaign, organiser: User, anna: Client) -> None:
    label = campaign.labels.get(key="change")
    for item, use in zip(campaign.items.order_by("number"), ("training", "test"), strict=False):
        set_gold(item=item, by=organiser, label=label, use=use, explanation="Look at the name.")
    training = claim_of(anna)
    assert training["part"] == "training"
    assert "Look at the name." not in str(training)
    assert answer(anna, training).json()["explained"] == {"right": False, "option": 2, "explanation": "Look at the name."}
    tested = answer(anna, claim_of(anna), {"option": 2, "confidence": 5}).json()
    assert tested["explained"] is None
    assert tested["test"] == {"right": 1, "items": 1, "needed": 1, "passed": True, "tries_left": 1}


def test_an_attention_check_cannot_be_told_from_work(
    make_campaign: Callable[..., Campaign], organiser: User, make_annotator: Callable[..., User], calling: Caller
) -> None:
    campaign = make_campaign(name="quay", settings={"attention_every": 1})
    item = campaign.items.get(number=1)
    set_gold(item=item, by=organiser, label=campaign.labels.get(key="change"), use="attention", explanation="Secret.")
    person = make_annotator(campaign, "boris")
    consent(sheet=campaign.sheets.get(), user=person)
    client = calling(person)
    work = claim_of(client, "quay")
    client.post(f"/api/work/quay/claims/{work['id']}/answer/", SURE, content_type="application/json")
    check = claim_of(client, "quay")
    assert Claim.objects.get(pk=check["id"]).use == Item.Use.ATTENTION
    assert {key: type(value) for key, value in check.items()} == {key: type(value) for key, value in work.items()}
    assert (check["part"], "Secret" in str(check)) == ("work", False)
    stored = client.post(f"/api/work/quay/claims/{check['id']}/answer/", SURE, content_type="application/json").json()
    assert (stored["counts"], stored["explained"], stored["test"]) == (True, None, None)


def test_a_pair_does_not_tell_which_text_is_the_original(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], calling: Caller
) -> None:
    campaign = make_campaign("preference", name="quay", items=12, slots=1)
    person = make_annotator(campaign, "boris")
    consent(sheet=campaign.sheets.get(), user=person)
    client, sides = calling(person), set()
    for _ in range(12):
        claim = claim_of(client, "quay")
        slot = Claim.objects.select_related("slot").get(pk=claim["id"]).slot
        sides.add(slot.swapped)
        assert [(option["number"], option["name"]) for option in claim["options"]] == [(1, "the left one"), (2, "the right one")]
        shown = str(claim)
        assert [word for word in ("deepwordbug", "'first'", "'second'", "swapped", "original") if word in shown] == []
        client.post(f"/api/work/quay/claims/{claim['id']}/answer/", {"option": 1}, content_type="application/json")
        left = "second" if slot.swapped else "first"
        assert Judgement.objects.latest("pk").label.key == left  # type: ignore[union-attr]
    assert sides == {True, False}


def test_claims_of_others_do_not_exist(
    campaign: Campaign, anna: Client, organiser: User, make_annotator: Callable[..., User], calling: Caller
) -> None:
    claim = claim_of(anna)
    thief = make_annotator(campaign, "boris")
    consent(sheet=campaign.sheets.get(), user=thief)
    json = "application/json"
    for client in (calling(thief), calling(organiser)):
        one = f"{CLAIMS}{claim['id']}/"
        knocks = [
            client.get(one),
            client.post(f"{one}answer/", SURE, content_type=json),
            client.put(f"{one}answer/", SURE, content_type=json),
            client.put(f"{one}draft/", SURE, content_type=json),
            client.post(f"{one}skip/", {"reason": "other"}, content_type=json),
            client.post(f"{one}flag/", {"text": "mine"}, content_type=json),
            client.post(f"{one}keep/"),
        ]
        assert [problem(knock) for knock in knocks] == [NOT_FOUND] * 7
    stored = Claim.objects.get(pk=claim["id"])
    assert (stored.state, stored.draft, Judgement.objects.count(), Flag.objects.count()) == ("live", {}, 0, 0)


def test_a_claim_under_another_campaigns_address_does_not_exist(
    anna: Client, annotator: User, make_campaign: Callable[..., Campaign]
) -> None:
    claim = claim_of(anna)
    quay = make_campaign(name="quay")
    Membership.objects.create(campaign=quay, user=annotator, role="annotator")
    sent = anna.post(f"/api/work/quay/claims/{claim['id']}/answer/", SURE, content_type="application/json")
    assert problem(sent) == NOT_FOUND


@pytest.mark.parametrize("path", ["claims/", "progress/"])
def test_whoever_does_not_answer_there_finds_nothing(
    path: str, campaign: Campaign, organiser: User, other_organiser: User, calling: Caller
) -> None:
    for client in (calling(organiser), calling(other_organiser)):
        assert problem(client.get(f"/api/work/harbour/{path}")) == NOT_FOUND
        assert problem(client.post("/api/work/harbour/claims/")) == NOT_FOUND
        assert problem(client.get(f"/api/work/nowhere/{path}")) == NOT_FOUND


@pytest.mark.parametrize("claim_id", ["0", "99999999999999999999999", "-1", "x"])
def test_an_id_that_is_none_is_not_found(claim_id: str, anna: Client) -> None:
    assert problem(anna.get(f"{CLAIMS}{claim_id}/")) == NOT_FOUND


def test_other_methods_are_refused(anna: Client) -> None:
    one = f"{CLAIMS}{claim_of(anna)['id']}/"
    knocks = [anna.put(CLAIMS), anna.delete(one), anna.get(f"{one}answer/"), anna.post(f"{one}draft/"), anna.get(f"{one}skip/")]
    assert [problem(knock) for knock in [*knocks, anna.post("/api/work/")]] == [WRONG_METHOD] * 6


def test_nobody_comes_in_without_a_token(client: Client, campaign: Campaign) -> None:
    for path in ("", "harbour/claims/", "harbour/claims/1/", "harbour/claims/1/answer/", "harbour/progress/"):
        assert [problem(client.get(f"/api/work/{path}")), problem(client.post(f"/api/work/{path}"))] == [NO_TOKEN] * 2


def test_queries_do_not_grow_with_the_list(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], calling: Caller
) -> None:
    person = make_annotator(make_campaign(name="quay", items=30), "boris")
    consent(sheet=Campaign.objects.get(name="quay").sheets.get(), user=person)
    client, counts = calling(person), []
    for wanted in (1, 3, 30):
        while Claim.objects.filter(annotator=person).count() < wanted:
            claim = claim_of(client, "quay")
            client.post(f"/api/work/quay/claims/{claim['id']}/answer/", SURE, content_type="application/json")
        with CaptureQueriesContext(connection) as captured:
            assert len(client.get("/api/work/quay/claims/").json()["results"]) == wanted
        counts.append(len(captured))
    assert len(set(counts)) == 1, counts
