"""The export page and what can be downloaded there."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from django.test import Client

from annotation.exchange.export import write_workbook
from annotation.models import Campaign, Event, Item, User, Variant
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

SignIn = Callable[[User], Client]


@pytest.fixture
def judged(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> Campaign:
    campaign = make_campaign(items=2, name="judged")
    for name, sure in (("anna", 5), ("boris", 1)):
        person = make_annotator(campaign, name)
        for _ in range(2):
            answer(campaign, person, "preserve", sure)
    return campaign


def test_every_file_of_the_export_page_can_be_downloaded(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    links = re.findall(r'href="(/campaigns/judged/export/[^"?]+)"', client.get("/campaigns/judged/export/").text)
    assert len(links) == 1 + 4 * 2 + 1 + 4  # everything, tables, the workbook, files besides
    for link in links:
        response = client.get(link)
        body = b"".join(response.streaming_content)  # type: ignore[attr-defined]
        assert response.status_code == 200 and body
        assert "anna" not in body.decode(errors="replace") and "boris" not in body.decode(errors="replace")
    assert Event.objects.filter(verb="exported").count() == len(links)


def test_the_least_confidence_filters_answers_but_not_decisions(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)

    def rows(file: str) -> list[dict[str, str]]:
        body = b"".join(client.get(f"/campaigns/judged/export/{file}?confidence=2").streaming_content)  # type: ignore[attr-defined]
        return list(csv.DictReader(io.StringIO(body.decode().removeprefix("\ufeff"), newline="")))

    assert [row["confidence"] for row in rows("judgements.csv")] == ["5", "5"]
    assert [(row["decided_how"], row["judgements"]) for row in rows("decisions.csv")] == [("agreed", "2")] * 2
    assert client.get("/campaigns/judged/export/judgements.csv?confidence=9").status_code == 404


def test_the_workbook_has_every_table_and_no_formula(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    Item.objects.get(campaign=judged, number=1).second.__class__.objects.filter(kind="deepwordbug").update(text="=1+1\x1b#N/A")
    response = sign_in(organiser).get("/campaigns/judged/export/tables.xlsx")
    book = openpyxl.load_workbook(io.BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]
    assert book.sheetnames == ["judgements", "pivot", "decisions", "annotators", "codebook"]
    cells = [cell for row in book["pivot"].iter_rows(min_row=2) for cell in row if cell.value and "1+1" in str(cell.value)]
    assert [(cell.value, cell.data_type) for cell in cells] == [("=1+1_x001B_#N/A", "s")] * 2


@pytest.mark.parametrize("text", ["#N/A", "=SUM(1,2)", "+1", "_x0041_", "plain"])
def test_an_error_code_is_a_text_in_the_workbook_too(text: str, judged: Campaign, tmp_path: Path) -> None:
    Variant.objects.filter(kind="deepwordbug").update(text=text)
    write_workbook(judged, tmp_path / "tables.xlsx")
    header, *rows = openpyxl.load_workbook(tmp_path / "tables.xlsx")["pivot"].iter_rows()
    place = [cell.value for cell in header].index("second_text")
    cells = [row[place] for row in rows]
    # An escape of the format's own is escaped once more, so that spreadsheets show it as it was typed.
    shown = text.replace("_x0041_", "_x005F_x0041_")
    assert [(cell.value, cell.data_type) for cell in cells] == [(shown, "s")] * 2


@pytest.mark.parametrize("path", ["import/", "sample/", "export/", "export/judgements.csv", "export/tables.xlsx"])
def test_strangers_find_nothing(path: str, judged: Campaign, other_organiser: User, sign_in: SignIn) -> None:
    assert sign_in(other_organiser).get(f"/campaigns/judged/{path}").status_code == 404
    assert sign_in(User.objects.get(username="anna")).get(f"/campaigns/judged/{path}").status_code == 404
