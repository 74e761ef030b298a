"""The report as a page: at once without plots, then with them; every table as a file."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.test import Client
from pypdf import PdfReader

from annotation.exchange import drawing
from annotation.exchange.report import report_analysis
from annotation.models import Campaign, Event, User

SignIn = Callable[[User], Client]
Answer = Callable[..., object]


@pytest.fixture
def judged(campaign: Campaign, annotator: User, make_annotator: Callable[..., User], answer: Answer) -> Campaign:
    """Three items, on one of which two people disagree."""
    cache.clear()
    for person, labels in (
        (annotator, ("preserve", "change", "preserve")),
        (make_annotator(campaign, "boris"), ("preserve", "change", "no_sense")),
    ):
        for label in labels:
            answer(campaign, person, label)
    return campaign


def sections(page: str) -> dict[str, str]:
    return dict(re.findall(r'<section[^>]* data-table="(\w+)">(.*?)</section>', page, re.S))


def test_the_page_comes_without_plots_and_fetches_them(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    plots = [table.key for table in report_analysis(judged).tables if table.plot]
    assert plots == ["kept_by_variant", "confidence", "automatic"]
    first = client.get("/campaigns/harbour/report/").text
    assert 'hx-get="/campaigns/harbour/report/?plots" hx-trigger="load"' in first
    assert '<a href="/campaigns/harbour/report/?plots">' in first and '<svg class="plot"' not in first
    drawn = client.get("/campaigns/harbour/report/?plots").text
    assert [key for key, section in sections(drawn).items() if '<svg class="plot" role="img"' in section] == plots
    assert all(section.index("</svg>") < section.index("<table") for section in sections(drawn).values() if "plot" in section)
    assert "hx-get" not in drawn.split('id="report-tables"')[1]
    assert client.get("/campaigns/harbour/report/").text.count('<svg class="plot"') == len(plots)


def test_a_plot_that_cannot_be_drawn_is_told(
    judged: Campaign, organiser: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing.sys, "executable", "/bin/false")
    page = sign_in(organiser).get("/campaigns/harbour/report/?plots").text
    assert page.count("This plot could not be drawn; its numbers follow.") == 3
    assert "hx-get" not in page.split('id="report-tables"')[1]


def test_every_table_is_a_file(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    client = sign_in(organiser)
    for table in report_analysis(judged).tables:
        data, paper = (client.get(f"/campaigns/harbour/report/{table.key}.{kind}") for kind in ("csv", "tex"))
        assert (data["Content-Type"], paper["Content-Type"]) == ("text/csv; charset=utf-8", "application/x-tex; charset=utf-8")
        assert data["Content-Disposition"] == f'attachment; filename="harbour-{table.key}.csv"'
        assert data.text.count("\r\n") == 1 + len(table.rows)
        assert "\\begin{tabular}" in paper.text
    assert Event.objects.filter(verb="exported").count() == 2 * len(report_analysis(judged).tables)


@pytest.mark.parametrize("file", ["nothing.csv", "how.exe", "how", "..csv", ".csv"])
def test_what_is_no_table_is_not_found(file: str, judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    assert sign_in(organiser).get(f"/campaigns/harbour/report/{file}").status_code == 404


def test_the_export_page_has_the_report_as_pdf(judged: Campaign, organiser: User, sign_in: SignIn) -> None:
    response = sign_in(organiser).get("/campaigns/harbour/export/report.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert "About harbour" in PdfReader(io.BytesIO(response.getvalue())).pages[0].extract_text()
