"""Undo, last answers, skipping and flagging: as pages that need no script, and as parts of the page with one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from annotation.models import Campaign, Claim, EarlierAnswer, Flag, Judgement, Membership, User
from annotation.services.answering import submit
from annotation.services.campaigns import pause_campaign
from annotation.services.claiming import claim_next
from annotation.services.people import consent
from annotation.services.practice import set_gold
from annotation.services.revising import skip

SignIn = Callable[[User], Client]
WORK = "/campaigns/harbour/work/"
ANSWER = {"label": "preserve", "confidence": "4"}


def held(user: User) -> Claim:
    return Claim.objects.get(annotator=user, state=Claim.State.LIVE)


@pytest.fixture
def client(annotator: User, sign_in: SignIn) -> Client:
    """The annotator in front of the second item."""
    client = sign_in(annotator)
    client.get(WORK)
    client.post(f"{WORK}{held(annotator).pk}/", ANSWER)
    client.get(WORK)
    return client


@pytest.fixture
def stranger(make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn) -> Client:
    """An annotator of another campaign, with a claim there."""
    elsewhere = make_campaign(name="elsewhere")
    user = make_annotator(elsewhere, "eve")
    claim_next(campaign=elsewhere, annotator=user)
    return sign_in(user)


def test_undo_shows_the_last_answer_as_it_was_given_and_changes_it(client: Client, annotator: User) -> None:
    page = client.get(f"{WORK}last/", follow=True)
    claim = Judgement.objects.get().claim
    assert page.redirect_chain == [(f"{WORK}{claim.pk}/given/", 302)]
    assert re.findall(r'value="(\w+)" data-key="\d"[^>]* checked', page.text) == ["preserve", "4"]
    form = {"label": "change", "confidence": "1", "replaces": "1"}
    response = client.post(f"{WORK}{claim.pk}/change/", form, follow=True)
    assert "Your answer was changed." in response.text and f'action="{WORK}{held(annotator).pk}/"' in response.text
    again = client.post(f"{WORK}{claim.pk}/change/", {**form, "label": "no_sense"}, follow=True)
    assert "Your answer stands as it was." in again.text
    assert (Judgement.objects.get().label.key, EarlierAnswer.objects.count()) == ("change", 1)


@pytest.mark.parametrize("replaces", ["9" * 5_000, "9" * 19, "x", "-1", "\u00b2"])
def test_a_change_replaces_an_answer_that_has_a_number(replaces: str, client: Client) -> None:
    form = {"label": "change", "confidence": "1", "replaces": replaces}
    assert client.post(f"{WORK}{Judgement.objects.get().claim.pk}/change/", form).status_code == 404
    assert Judgement.objects.get().label.key == "preserve"


def test_a_change_that_is_incomplete_says_so_and_keeps_what_was_chosen(client: Client) -> None:
    claim = Judgement.objects.get().claim
    response = client.post(f"{WORK}{claim.pk}/change/", {"label": "change", "replaces": "1"})
    assert (response.status_code, "Say how sure you are" in response.text) == (422, True)
    assert re.findall(r'value="(\w+)" data-key="\d"[^>]* checked', response.text) == ["change"]
    assert Judgement.objects.get().label.key == "preserve"


def test_undo_before_the_first_answer_says_so(campaign: Campaign, annotator: User, sign_in: SignIn) -> None:
    page = sign_in(annotator).get(f"{WORK}last/", follow=True)
    assert "There is no answer to undo yet." in page.text


def test_the_last_answers_are_listed_with_a_way_to_each(client: Client, annotator: User) -> None:
    page = client.get(f"{WORK}history/").text
    claim = Judgement.objects.get().claim
    assert re.findall(r'href="([^"]*/given/)"', page) == [f"{WORK}{claim.pk}/given/"]
    assert "Look at it or change it" in page


def test_the_last_answers_say_what_was_answered(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn
) -> None:
    campaign = make_campaign(items=1, settings={"comment": True})
    user = make_annotator(campaign, "anna")
    claim = claim_next(campaign=campaign, annotator=user)
    said = {"label": "change", "confidence": "4", "comment": "Another number, " + "and more " * 20}
    submit(claim_id=claim.pk, annotator=user, data=said)
    page = sign_in(user).get(f"{WORK}history/").text
    line = re.search(r'<p class="said">(.*?)</p>', page)
    assert line is not None
    words = re.sub("<[^>]+>", "", line[1])
    assert words.startswith("changes the meaning sure 4 of 5 “Another number, and more") and words.endswith("…”")
    assert len(words) < 130


@pytest.mark.parametrize("over", [{"state": "paused"}, {"quota": 1}])
def test_where_nothing_is_handed_out_any_more_nobody_is_offered_what_they_skipped(
    over: dict[str, object], client: Client, annotator: User
) -> None:
    skip(claim_id=held(annotator).pk, annotator=annotator)
    assert "You skipped 1 item." in client.get(f"{WORK}history/").text
    Membership.objects.filter(user=annotator).update(**over)
    for page in (f"{WORK}history/", WORK):
        assert "You skipped" not in client.get(page).text


@pytest.mark.parametrize("answers", [1, 3, 30])
def test_the_history_takes_the_same_number_of_queries(
    answers: int,
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    answer: Callable[..., object],
    sign_in: SignIn,
    django_assert_num_queries: Callable[..., object],
) -> None:
    campaign = make_campaign(items=answers)
    user = make_annotator(campaign, "anna")
    for _ in range(answers):
        answer(campaign, user, "preserve")
    client = sign_in(user)
    with django_assert_num_queries(5):  # type: ignore[attr-defined]
        page = client.get(f"{WORK}history/")
    assert page.text.count("/given/") == min(answers, 10)


def test_skipping_without_a_script(client: Client, annotator: User) -> None:
    claim = held(annotator)
    page = client.get(f"{WORK}{claim.pk}/skip/").text
    reasons = re.findall(r'name="reason" value="(\w+)"', page)
    assert reasons == list(Claim.SkipReason.values)
    refused = client.post(f"{WORK}{claim.pk}/skip/", {"reason": "bored", "note": "hm"})
    assert (refused.status_code, "none of the reasons" in refused.text, ">hm</textarea>" in refused.text) == (422, True, True)
    done = client.post(f"{WORK}{claim.pk}/skip/", {"reason": "distressing"}, follow=True)
    assert "Skipped." in done.text
    claim.refresh_from_db()
    assert (claim.state, claim.skip_reason, held(annotator) != claim) == ("skipped", "distressing", True)


def test_skipping_needs_no_reason_and_none_is_chosen_beforehand(client: Client, annotator: User) -> None:
    claim = held(annotator)
    page = client.get(f"{WORK}{claim.pk}/skip/").text
    assert re.findall(r'name="reason" value="(\w*)" checked', page) == [""]
    assert re.findall(r'name="reason"[^>]*required', page) == []
    assert "Skipped." in client.post(f"{WORK}{claim.pk}/skip/", {"reason": "", "note": ""}, follow=True).text
    claim.refresh_from_db()
    assert (claim.state, claim.skip_reason) == ("skipped", "")


def test_what_was_skipped_comes_back_when_asked_for(client: Client, annotator: User) -> None:
    skipped = held(annotator)
    client.post(f"{WORK}{skipped.pk}/skip/", {"reason": "other"})
    client.get(WORK)
    client.post(f"{WORK}{held(annotator).pk}/", ANSWER)
    assert "You skipped 1 item." in client.get(WORK).text
    assert client.post(f"{WORK}skipped/", follow=True).status_code == 200
    assert held(annotator).item == skipped.item


def test_flagging_without_a_script_keeps_the_item(client: Client, annotator: User) -> None:
    claim = held(annotator)
    assert 'name="text"' in client.get(f"{WORK}{claim.pk}/flag/").text
    refused = client.post(f"{WORK}{claim.pk}/flag/", {"text": " "})
    assert (refused.status_code, "what is wrong" in refused.text) == (422, True)
    done = client.post(f"{WORK}{claim.pk}/flag/", {"text": "half is missing"}, follow=True)
    assert "Thank you." in done.text and held(annotator) == claim
    assert list(Flag.objects.values_list("text", "user")) == [("half is missing", annotator.pk)]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_skipping_what_was_answered_in_another_tab_leads_back_to_work(
    client: Client, annotator: User, headers: dict[str, str]
) -> None:
    answered = Claim.objects.filter(annotator=annotator, state="answered").first()
    assert answered is not None
    sent = client.post(f"{WORK}{answered.pk}/skip/", {"reason": ""}, headers=headers)
    assert sent.headers.get("HX-Redirect", sent.headers.get("Location")) == WORK
    page = client.get(WORK).text
    assert "You have answered this item already." in page and "<title>Skip this item" not in page


def test_a_flag_in_a_paused_campaign_promises_no_answer(client: Client, annotator: User, campaign: Campaign) -> None:
    claim = held(annotator)
    pause_campaign(campaign=campaign)
    page = client.post(f"{WORK}{claim.pk}/flag/", {"text": "half is missing"}, follow=True).text
    assert "Thank you. The organisers will look at it." in page


def test_keeping_the_item_longer_without_a_script(client: Client, annotator: User) -> None:
    before = held(annotator).expires_at
    page = client.post(f"{WORK}{held(annotator).pk}/extend/", follow=True).text
    assert "kept for you a while longer" in page and held(annotator).expires_at > before


def test_a_beat_says_until_when_the_item_is_kept(client: Client, annotator: User) -> None:
    claim = held(annotator)
    said = client.post(f"{WORK}{claim.pk}/beat/", {"active": "1"}).json()
    assert said == {"kept": True, "expires": held(annotator).expires_at.isoformat()}
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.EXPIRED)
    assert client.post(f"{WORK}{claim.pk}/beat/", {"active": "1"}).json()["kept"] is False


def test_after_training_the_known_answer_and_why(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], sign_in: SignIn, organiser: User
) -> None:
    campaign = make_campaign(items=3)
    for number, use in ((1, "training"), (2, "test")):
        label = campaign.labels.get(key="change")
        set_gold(item=campaign.items.get(number=number), by=organiser, label=label, use=use, explanation="The number differs.")
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    client = sign_in(user)
    page = client.get(WORK).text
    assert "Training, 1 of 1" in page and "The number differs." not in page and "/skip/" not in page
    for headers in ({}, {"HX-Request": "true"}):
        feedback = client.post(f"{WORK}{Claim.objects.get(use='training').pk}/", ANSWER, headers=headers, follow=True).text
        assert "Not right" in feedback and "The number differs." in feedback
        assert re.findall(r"<dd[^>]*>([^<]*)</dd>", feedback)[:2] == ["keeps the meaning", "changes the meaning"]
    test = client.get(WORK).text
    assert "Test, 1 of 1" in test and "The number differs." not in test
    failed = client.post(f"{WORK}{held(user).pk}/", ANSWER, follow=True).text
    assert "0 of 1 right in the test; 1 is needed. Read the guidelines again: the test starts anew." in failed
    passed = client.post(f"{WORK}{held(user).pk}/", {**ANSWER, "label": "change"}, follow=True).text
    assert "1 of 1 right in the test: passed. Now the work begins." in passed and "0 of 1" in passed
    answered = Claim.objects.filter(use="test", state="answered").get()
    assert "The number differs." not in client.get(f"{WORK}{answered.pk}/given/", follow=True).text


@pytest.mark.parametrize(("taken", "tries"), [(0, "You have 2 tries, this one included."), (1, "This is your last try.")])
def test_before_the_first_item_of_the_test_its_terms_are_told(
    make_campaign: Callable[..., Campaign],
    make_annotator: Callable[..., User],
    sign_in: SignIn,
    organiser: User,
    taken: int,
    tries: str,
) -> None:
    campaign = make_campaign(items=7, settings={"pass_mark": 0.7})
    for number, use in enumerate(("training", *["test"] * 5), start=1):
        set_gold(item=campaign.items.get(number=number), by=organiser, label=campaign.labels.get(key="preserve"), use=use)
    user = make_annotator(campaign, "anna")
    consent(sheet=campaign.sheets.get(), user=user)
    Membership.objects.filter(user=user).update(tries=taken)
    client = sign_in(user)
    notes = []
    for _ in range(3):
        notes.append(re.findall(r'<div class="notice" role="note">(.*?)</div>', client.get(WORK).text, re.DOTALL))
        client.post(f"{WORK}{held(user).pk}/", ANSWER)
    [[training], [test], [second]] = [[*note, ""][:1] for note in notes]
    assert "First some training: 1 item." in training and "not counted" in training
    assert "Now a test: 5 items, of which you need 4 right" in test and tries in test
    assert (
        "After the last one you are told how many were right, but not which ones." in test and "training is not counted" in test
    )
    assert second == ""


@pytest.mark.parametrize("address", ["given/", "change/", "skip/", "flag/", "beat/", "extend/", "draft/", ""])
def test_another_persons_claims_are_not_there(client: Client, annotator: User, stranger: Client, address: str) -> None:
    own = Claim.objects.get(annotator__username="eve")
    theirs = Judgement.objects.get().claim
    method = stranger.get if address == "given/" else stranger.post
    assert method(f"{WORK}{theirs.pk}/{address}").status_code == 404
    assert method(f"/campaigns/elsewhere/work/{theirs.pk}/{address}").status_code == 404
    assert method(f"{WORK}{own.pk}/{address}").status_code == 404
    assert (EarlierAnswer.objects.count(), Flag.objects.count(), Judgement.objects.count()) == (0, 0, 1)


@pytest.mark.parametrize("address", ["history/", "last/"])
def test_another_campaigns_history_is_not_there(client: Client, stranger: Client, address: str) -> None:
    assert stranger.get(f"{WORK}{address}").status_code == 404
    assert stranger.post(f"{WORK}skipped/").status_code == 404
