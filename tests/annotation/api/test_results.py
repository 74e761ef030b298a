"""/api/campaigns/…/judgements/, decisions/ and agreement/: for the organiser, without anybody's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, User
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of

from .conftest import NO_TOKEN, NOT_FOUND, SECRETS, WRONG_METHOD, Caller, problem

HARBOUR = "/api/campaigns/harbour/"
PATHS = ["judgements/", "decisions/", "agreement/"]


@pytest.fixture
def answered(campaign: Campaign, annotator: User, make_annotator: Callable[..., User], answer: Any) -> Campaign:
    """Two people answered everything; they differ on the first item that each was given."""
    others = make_annotator(campaign, "boris")
    for number in range(3):
        answer(campaign, annotator, "preserve")
        answer(campaign, others, "preserve" if number else "change", confidence=2)
    return campaign


@pytest.fixture
def client_of_olga(answered: Campaign, organiser: User, calling: Caller) -> Client:
    return calling(organiser)


def rows(response: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = response.json()["results"]
    return found


def test_judgements_come_under_pseudonyms(client_of_olga: Client) -> None:
    found = rows(client_of_olga.get(f"{HARBOUR}judgements/"))
    assert [row["annotator"] for row in found] == ["A1", "A2"] * 3
    assert {row["annotator_kind"] for row in found} == {"person"}
    assert [row["label"] for row in found] == ["preserve", "change", *["preserve"] * 4]
    assert [row["confidence"] for row in found] == [4, 2] * 3


@pytest.mark.parametrize("path", PATHS)
def test_nobody_is_named(path: str, client_of_olga: Client) -> None:
    text = client_of_olga.get(HARBOUR + path).text.lower()
    assert [name for name in SECRETS if name in text] == []


def test_decisions(client_of_olga: Client, answered: Campaign) -> None:
    found = rows(client_of_olga.get(f"{HARBOUR}decisions/"))
    assert (
        sorted((row["how"], row["label"], row["n_judgements"]) for row in found if row["label"])
        == [("agreed", "preserve", 2)] * 2
    )
    assert [(row["how"], row["label"], row["stale"]) for row in found if not row["label"]] == [("open", None, False)]


def test_agreement_is_that_of_the_page_with_n_and_method(client_of_olga: Client, answered: Campaign) -> None:
    body = client_of_olga.get(f"{HARBOUR}agreement/").json()
    analysis = protocol_of(answered).analyse(answered, votes_of(answered)).as_dict()
    assert body["method"] == analysis["method"]
    assert list(body["figures"]) == list(analysis["figures"])
    raw = body["figures"]["raw_agreement"]
    assert (raw["n"], raw["value"], raw["reason"]) == (3, pytest.approx(2 / 3), None)
    assert sorted(raw["interval"]) == ["high", "level", "low", "method"]
    assert [table["columns"] for table in body["tables"].values()] == [t["columns"] for t in analysis["tables"].values()]


def test_without_answers_there_are_reasons_instead_of_figures(campaign: Campaign, organiser: User, calling: Caller) -> None:
    figures = calling(organiser).get(f"{HARBOUR}agreement/").json()["figures"]
    assert {figure["value"] for figure in figures.values()} == {None}
    assert all(figure["reason"]["code"] and figure["reason"]["message"] for figure in figures.values())


@pytest.mark.parametrize(
    ("path", "query", "count"),
    [
        ("judgements/", "label=change", 1),
        ("judgements/", "confidence=2", 3),
        ("judgements/", "uncounted=no", 6),
        ("judgements/", "uncounted=closed", 0),
        ("judgements/", "item=1", 2),
        ("decisions/", "how=agreed", 2),
        ("decisions/", "label=preserve", 2),
        ("decisions/", "stale=true", 0),
        ("decisions/", "stale=false&item=1", 1),
    ],
)
def test_lists_can_be_narrowed(path: str, query: str, count: int, client_of_olga: Client) -> None:
    assert len(rows(client_of_olga.get(f"{HARBOUR}{path}?{query}"))) == count


@pytest.mark.parametrize(
    "query",
    [
        "claim__annotator__username=anna",
        "claim__annotator__password__startswith=md5",
        "annotator=A1",
        "confidence=six",
        "confidence=99999999999999999999999999",
        "item=1e400",
        "item=NaN",
        "uncounted=%00",
        "cursor=cD1hYmM%3D",
    ],
)
def test_other_parameters_are_refused(query: str, client_of_olga: Client) -> None:
    refused = client_of_olga.get(f"{HARBOUR}judgements/?{query}")
    assert refused.status_code == 400
    problem(refused)


@pytest.mark.parametrize("path", PATHS)
def test_others_find_nothing_there(path: str, answered: Campaign, strangers: list[Client]) -> None:
    answers = [stranger.get(HARBOUR + path) for stranger in strangers]
    assert [problem(found) for found in answers] == [NOT_FOUND] * 3
    assert not any("preserve" in found.text for found in answers)


@pytest.mark.parametrize("path", PATHS)
def test_other_methods_and_unknown_campaigns(path: str, client_of_olga: Client) -> None:
    assert problem(client_of_olga.post(HARBOUR + path)) == WRONG_METHOD
    assert problem(client_of_olga.get(f"/api/campaigns/nowhere/{path}")) == NOT_FOUND


@pytest.mark.parametrize("path", PATHS)
def test_nobody_comes_in_without_a_token(path: str, answered: Campaign, client: Client) -> None:
    assert problem(client.get(HARBOUR + path)) == NO_TOKEN


def test_queries_do_not_grow_with_the_campaign(
    make_campaign: Callable[..., Campaign], make_annotator: Callable[..., User], answer: Any, organiser: User, calling: Caller
) -> None:
    client = calling(organiser)
    counts: dict[str, list[int]] = {path: [] for path in PATHS}
    for size in (1, 3, 30):
        campaign = make_campaign(items=size, name=f"quay{size}")
        for who in ("a", "b"):
            person = make_annotator(campaign, f"{who}{size}")
            for _ in range(size):
                answer(campaign, person, "change")
        client.get(f"/api/campaigns/quay{size}/judgements/")  # gives out the pseudonyms
        for path, counted in counts.items():
            with CaptureQueriesContext(connection) as captured:
                assert client.get(f"/api/campaigns/quay{size}/{path}").status_code == 200
            counted.append(len(captured))
    assert [path for path, counted in counts.items() if len(set(counted)) != 1] == [], counts
