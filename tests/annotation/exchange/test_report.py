"""The report: one file, every figure with its circumstances, nobody named."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from django.db import connection
from django.template.defaultfilters import capfirst
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from annotation.exchange.export import items_jsonl
from annotation.exchange.importing import import_judgements
from annotation.exchange.origin import SIMULATED
from annotation.exchange.report import report_html, report_of
from annotation.models import Campaign, User
from annotation.protocols import protocol_of
from annotation.protocols.settings import SETTINGS
from annotation.protocols.votes import votes_of
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign
from tests.annotation.exchange.files import INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, as_bytes

pytestmark = pytest.mark.django_db


@pytest.fixture
def imported(tmp_path: Path) -> Campaign:
    path = tmp_path / "study.csv"
    path.write_bytes(as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS))
    return import_judgements(path, format="incrediblae", name="bar")


def test_settings_and_labels_stand_under_their_names_not_their_keys(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign("meaning", settings={"kept": ["preserve"], "claim_minutes": 90})
    page = report_html(report_of(campaign))
    said = dict(re.findall(r'<tr><th scope="row">([^<]*)</th><td>([^<]*)</td></tr>', page))
    names = ("Minutes that an item is kept for somebody", "Answers that keep the meaning", "Tries at the test")
    shown = {name: said[name] for name in names}
    assert shown == {
        "Minutes that an item is kept for somebody": "90",
        "Answers that keep the meaning": "keeps the meaning",
        "Tries at the test": "2",
    }
    assert {name.replace("_", " ") for name in SETTINGS} & said.keys() == set()


def test_every_figure_stands_with_method_n_and_interval_or_its_reason(imported: Campaign) -> None:
    page = report_html(report_of(imported))
    for figure in protocol_of(imported).analyse(imported, votes_of(imported)).figures:
        section = page.split(f"<h2>{escape(figure.title)}</h2>")[1].split("<h2>")[0]
        assert f"n = {figure.estimate.n}" in section
        assert escape(capfirst(figure.method)) in section
        if figure.estimate.reason:
            assert escape(figure.estimate.reason.message) in section
        if figure.estimate.interval:
            assert "95 % interval" in section
            assert "<svg" in section


def test_figures_and_decisions_by_hand(imported: Campaign) -> None:
    page = report_html(report_of(imported))
    assert '<p class="value">0.111</p>' in page  # (8/16 - 7/16) / (9/16)
    assert '<p class="value">50.0 %</p>' in page
    assert "4 of 4 equal the published decisions." in page
    assert '<tr><th scope="row">keeps the meaning</th><td>2</td><td>50.0 %</td></tr>' in page


def test_it_says_where_everything_came_from(imported: Campaign) -> None:
    page = report_html(report_of(imported))
    assert imported.source["sha256"] in page
    assert hashlib.sha256("".join(items_jsonl(imported)).encode()).hexdigest() in page
    assert "Passable 0." in page
    for label in imported.labels.all():
        assert label.name in page
        assert escape(label.definition) in page


def test_it_needs_nothing_else(imported: Campaign) -> None:
    page = report_html(report_of(imported))
    assert re.findall(r"<(?:script|link|img|iframe|object)\b|\b(?:src|href|style)=|url\(|@import|https?:", page) == []


def test_an_empty_campaign_has_reasons_and_no_nan(make_campaign: MakeCampaign) -> None:
    for number, protocol in enumerate(("meaning", "suspicion", "preference")):
        page = report_html(report_of(make_campaign(protocol, items=2, name=f"empty-{number}")))
        assert "not defined" in page
        assert re.findall(r"\b(?:nan|NaN|None)\b", page) == []


def test_only_a_simulated_campaign_is_called_simulated(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, imported: Campaign
) -> None:
    campaign = make_campaign("suspicion", items=1, simulated=True)
    answer(campaign, make_annotator(campaign, "sim 1", User.Kind.SIMULATED), "4")
    assert report_html(report_of(campaign)).count(SIMULATED) == 2
    assert report_html(report_of(imported)).count("imulated") == 0


def test_nobody_is_named(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(items=1)
    answer(campaign, make_annotator(campaign, "lovelace"), "preserve")
    page = report_html(report_of(campaign))
    assert "1 of 2 wanted" in page
    assert "lovelace" not in page
    assert "olga" not in page


def test_markup_in_a_title_stays_text(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1)
    campaign.title = "<script>alert(1)</script>"
    assert "<script" not in report_html(report_of(campaign))


def test_the_number_of_queries_does_not_grow_with_the_items(make_campaign: MakeCampaign) -> None:
    counts = []
    for number in (1, 3, 30):
        campaign = make_campaign(items=number, name=f"h{number}")
        with CaptureQueriesContext(connection) as queries:
            report_html(report_of(campaign))
        counts.append(len(queries))
    assert counts == [counts[0]] * 3
