"""The path of the product: an organiser asks, people answer by keyboard, figures move as they should, files agree with pages."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from annotation.models import Campaign, Judgement, User

from .conftest import PASSWORD, Visitor

pytestmark = pytest.mark.browser

PAIRS = """original,adversarial,attacker
"The bridge will close for repairs, the city said.","The bridge will close for fixes, the city said.",textfooler
Ferries run twice an hour until the work is done.,Ferries run on\u0441e an hour until the work is done.,textfooler
The council approved a new budget for schools.,The council approved a new bugdet for sch ools.,deepwordbug
"=SUM of all fears, says the minister.","=SUM of all faers, says the minister.",deepwordbug
"""


@pytest.fixture
def organiser(transactional_db: None) -> User:
    return User.objects.create_user(username="olga", password=PASSWORD, is_organiser=True)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def figures(page: Page) -> dict[str, str]:
    """Figure key → what the page says."""
    cards = page.locator("[data-figure]").all()
    return {card.get_attribute("data-figure") or "": card.locator(".figure").inner_text() for card in cards}


def table(page: Page, key: str) -> dict[str, str]:
    """First cell → second cell of one of the page's tables."""
    rows = page.locator(f"[data-table={key}] tbody tr").all()
    return {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows}


def decisions(page: Page) -> dict[int, str]:
    """Item number → the last line of its answers, which is its decision."""
    items = page.locator("[data-item]").all()
    return {int(item.get_attribute("data-item") or 0): item.locator("dd").last.inner_text() for item in items}


def test_from_a_file_to_figures_and_back(organiser: User, pairs: Path, visitor: Callable[..., Visitor], tmp_path: Path) -> None:
    host = visitor()
    host.sign_in_by_hand("olga")
    link = _make_campaign(host, pairs)

    first = visitor()
    first.join(link, "anna")
    for _ in range(4):
        first.answer("1", "4")
    assert first.page.locator("h1").inner_text() == "All done"
    assert _stored("anna") == ["preserve 4"] * 4
    host.open("/campaigns/harbour/agreement/")
    assert figures(host.page)["kappa"] == "not defined"

    second = visitor()
    second.join(link, "boris")
    for keys in ("11", "15", "14"):
        second.answer(*keys)
    host.open("/campaigns/harbour/agreement/")
    before = figures(host.page)
    assert before["raw_agreement"] == "100.0 %"
    second.answer("2", "3")
    assert _stored("boris") == ["preserve 1", "preserve 5", "preserve 4", "change 3"]
    host.open("/campaigns/harbour/agreement/")
    disagreed = figures(host.page)
    assert (disagreed["kappa"], disagreed["raw_agreement"]) == ("0.000", "75.0 %")
    assert disagreed["kappa"] != before["kappa"]
    host.page.get_by_role("link", name="See the conflicts").click()
    (conflict,) = decisions(host.page)
    assert decisions(host.page)[conflict] == "waiting for one more answer"

    third = visitor()
    third.join(link, "clara")
    assert "keeps" not in third.page.locator("[data-texts]").inner_text()
    assert third.page.locator("#standing").inner_text().strip() == "0 of 1"
    third.answer("2", "5")
    assert third.page.locator("h1").inner_text() == "All done"
    host.open("/campaigns/harbour/items/?show=disagreed")
    assert decisions(host.page) == {conflict: "changes the meaning · majority"}
    host.photograph("conflict-decided")
    host.open("/campaigns/harbour/agreement/")
    settled = figures(host.page)
    assert (settled["kappa"], settled["raw_agreement"], settled["kept"]) == ("0.000", "75.0 %", "75.0 %")
    assert table(host.page, "decisions") == {"keeps the meaning": "3", "changes the meaning": "1", "makes no sense": "0"}
    host.photograph("agreement-of-three")

    files = _download(host, tmp_path)
    assert _figures_of_the_report(files["report.html"]) == list(settled.values())
    rows = list(csv.DictReader(files["judgements.csv"].read_text(encoding="utf-8-sig").splitlines()))
    pairs_of_two = {row["item"]: {} for row in rows}
    for row in rows:
        pairs_of_two[row["item"]][row["position"]] = row["label"]
    same = sum(labels["1"] == labels["2"] for labels in pairs_of_two.values()) / len(pairs_of_two)
    assert (len(rows), f"{100 * same:.1f} %") == (9, settled["raw_agreement"])
    # The first line is the campaign itself.
    _, *lines = (json.loads(line) for line in files["items.jsonl"].read_text(encoding="utf-8").splitlines())
    assert [line["decision"]["label"] for line in lines].count("preserve") == 3
    assert {line["number"]: line["decision"]["how"] for line in lines}[conflict] == "majority"
    assert [line["second_text"] for line in lines] == [row["adversarial"] for row in csv.DictReader(PAIRS.splitlines())]
    assert not any(name in file.read_text(encoding="utf-8") for file in files.values() for name in ("anna", "boris", "clara"))


def _make_campaign(host: Visitor, pairs: Path) -> str:
    """Through the pages: upload, open, invite. Returns the invitation link."""
    page = host.page
    page.get_by_role("link", name="New campaign").click()
    page.locator("main").get_by_role("link", name="file").click()
    page.get_by_label("Title").fill("Harbour")
    page.get_by_role("radio", name="Pairs to be judged here").check()
    page.get_by_label("File", exact=True).set_input_files(pairs)
    page.get_by_role("button", name="Check the file and make the campaign").click()
    page.get_by_role("button", name="Open the campaign").click()
    page.get_by_role("link", name="People", exact=True).click()
    page.get_by_label("How many people").fill("3")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("The invitation link.").input_value()
    assert Campaign.objects.get().state == "open"
    return link


def _stored(name: str) -> list[str]:
    rows = Judgement.objects.filter(claim__annotator__username=name).order_by("pk").select_related("label")
    return [f"{row.label.key} {row.confidence}" for row in rows]


def _download(host: Visitor, folder: Path) -> dict[str, Path]:
    host.open("/campaigns/harbour/export/")
    files = {}
    links = {"report.html": "Download report.html", "judgements.csv": "CSV of judgements", "items.jsonl": "Download items.jsonl"}
    for name, link in links.items():
        with host.page.expect_download() as download:
            host.page.get_by_role("link", name=link).click()
        files[name] = folder / name
        download.value.save_as(files[name])
        assert download.value.suggested_filename == f"harbour-{name}"
    return files


def _figures_of_the_report(path: Path) -> list[str]:
    return re.findall(r'<p class="value">([^<]+)</p>', path.read_text(encoding="utf-8"))
