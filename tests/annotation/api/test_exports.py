"""/api/campaigns/…/exports/: the files of the export page, byte for byte."""

from __future__ import annotations

import io
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from annotation.exchange.downloads import DOWNLOADS
from annotation.models import Campaign, User

from .conftest import NO_TOKEN, NOT_FOUND, WRONG_METHOD, Caller, problem

EXPORTS = "/api/campaigns/harbour/exports/"
TEXTS = [file for file in DOWNLOADS if not file.endswith((".xlsx", ".zip"))]


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_the_list_names_every_file_with_its_address(campaign: Campaign, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    listed = client.get(EXPORTS).json()
    assert [entry["file"] for entry in listed] == list(DOWNLOADS)
    assert listed[0]["url"] == f"http://testserver{EXPORTS}{DOWNLOADS[0]}"
    assert {entry["url"]: client.get(entry["url"]).headers["Content-Type"] for entry in listed} == {
        entry["url"]: entry["media_type"] for entry in listed
    }


@pytest.mark.parametrize("file", TEXTS)
def test_a_file_is_that_of_the_page_and_names_nobody(
    file: str, campaign: Campaign, organiser: User, annotator: User, answer: Any, calling: Caller
) -> None:
    answer(campaign, annotator, "change")
    page = Client()
    page.force_login(organiser)
    with time_machine.travel(timezone.now(), tick=False):  # the report says when it was made
        got = calling(organiser).get(EXPORTS + file)
        text, shown = body(got), body(page.get(f"/campaigns/harbour/export/{file}"))
    assert got.headers["Content-Disposition"] == f'attachment; filename="harbour-{file}"'
    assert text == shown
    assert [name for name in ("anna", "olga", "a-long-password-1") if name in read(text).lower()] == []


def read(file: bytes) -> str:
    """What somebody reads in a file: a PDF's text is packed."""
    if not file.startswith(b"%PDF"):
        return file.decode()
    return "".join(page.extract_text() for page in PdfReader(io.BytesIO(file)).pages)


def test_the_workbook_opens(campaign: Campaign, organiser: User, calling: Caller, tmp_path: Any) -> None:
    import openpyxl

    path = tmp_path / "tables.xlsx"
    path.write_bytes(body(calling(organiser).get(f"{EXPORTS}tables.xlsx")))
    assert "judgements" in openpyxl.load_workbook(path).sheetnames


def test_answers_that_were_less_sure_can_be_left_out(
    campaign: Campaign, organiser: User, annotator: User, answer: Any, calling: Caller
) -> None:
    answer(campaign, annotator, "change", confidence=2)
    client = calling(organiser)
    lines = [body(client.get(f"{EXPORTS}judgements.jsonl?confidence={least}")).count(b"\n") for least in (2, 3)]
    assert lines == [1, 0]
    assert problem(client.get(f"{EXPORTS}judgements.jsonl?confidence=6")) == (400, "invalid")


@pytest.mark.parametrize("file", ["settings.py", "..%2Fsecret_key", "judgements.csv%00", "nothing"])
def test_what_is_no_file_is_not_found(file: str, campaign: Campaign, organiser: User, calling: Caller) -> None:
    assert problem(calling(organiser).get(EXPORTS + file)) == NOT_FOUND


def test_others_find_nothing_there(campaign: Campaign, strangers: list[Client]) -> None:
    for stranger in strangers:
        assert [problem(stranger.get(EXPORTS)), problem(stranger.get(f"{EXPORTS}judgements.csv"))] == [NOT_FOUND] * 2


def test_other_methods_are_refused(campaign: Campaign, organiser: User, calling: Caller) -> None:
    client = calling(organiser)
    assert [problem(client.post(EXPORTS)), problem(client.delete(f"{EXPORTS}judgements.csv"))] == [WRONG_METHOD] * 2


def test_nobody_comes_in_without_a_token(campaign: Campaign, client: Client) -> None:
    assert [problem(client.get(EXPORTS)), problem(client.get(f"{EXPORTS}judgements.csv"))] == [NO_TOKEN] * 2
