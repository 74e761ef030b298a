"""Importing in a browser without script: what pages say, and what the database then holds."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.exchange import downloads
from annotation.models import Campaign, Event, Example, Item, Job, Slot, Upload, User
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign
from tests.annotation.exchange.files import MTURK_COLUMNS, MTURK_ROWS, as_bytes

from .conftest import COLUMNS, PAIRS, SignIn, counts, describe, send, work


def test_a_table_is_mapped_shown_and_imported(client: Client, draft: Campaign) -> None:
    upload = send(client, "pairs.csv", PAIRS)
    page = client.get(f"/campaigns/harbour/import/{upload.pk}/").text
    assert re.findall(r'<th scope="col" class="words">(\w+)</th>', page) == ["before", "after", "who"]
    preview = describe(client, upload, **COLUMNS, value_task="FC", value_victim="BERT")
    assert counts(preview) == ["2", "0", "0", "0"]
    assert re.findall(r'<th scope="row">(\w+)</th><td>(\d)</td>', preview) == [("bug", "1"), ("fooler", "1")]
    assert "<ins>Raim</ins>" in preview and "<del>Rain</del>" in preview
    assert Item.objects.count() == 0
    after = client.post(f"/campaigns/harbour/import/{upload.pk}/preview/", follow=True).text
    assert "Imported 2 items from “pairs.csv”." in after
    items = Item.objects.order_by("number").values_list(
        "first__text", "second__text", "made_by", "original__task", "example__victim"
    )
    assert list(items) == [
        ("Rain today.", "Raim today.", "bug", "FC", "BERT"),
        ("Hail today.", "Hall today.", "fooler", "FC", "BERT"),
    ]
    assert Slot.objects.count() == 4
    assert [event.verb for event in Event.objects.filter(verb="imported")] == ["imported"]


def test_importing_again_adds_nothing(client: Client) -> None:
    for expected in (["2", "0", "0", "0"], ["0", "2", "0", "0"]):
        upload = send(client, "pairs.csv", PAIRS)
        assert counts(describe(client, upload, **COLUMNS)) == expected
        client.post(f"/campaigns/harbour/import/{upload.pk}/preview/")
    assert (Item.objects.count(), Upload.objects.filter(imported_at=None).count()) == (2, 0)


def test_the_same_file_posted_twice_is_imported_once(client: Client) -> None:
    upload = send(client, "pairs.csv", PAIRS)
    describe(client, upload, **COLUMNS)
    for _ in range(2):
        client.post(f"/campaigns/harbour/import/{upload.pk}/preview/")
    assert (Item.objects.count(), Example.objects.count()) == (2, 2)


def test_every_problem_is_listed_and_nothing_can_be_imported(client: Client) -> None:
    upload = send(client, "pairs.csv", "before,after,who\nRain.,,bug\nHail.,Hall.,bug\nSnow.,Snwo.,original\n")
    page = describe(client, upload, **COLUMNS)
    assert re.findall(r"<li>(pairs\.csv: line \d, column \w+)", page) == [
        "pairs.csv: line 2, column after",
        "pairs.csv: line 4, column who",
    ]
    assert "2 of 3 rows" in page and "Import 1 item" not in page
    refused = client.post(f"/campaigns/harbour/import/{upload.pk}/preview/", follow=True).text
    assert "There are 1 further problems. Nothing was written." in refused
    assert Item.objects.count() == 0


def test_characters_that_the_reading_face_lacks_are_listed(client: Client) -> None:
    page = describe(client, send(client, "p.csv", "before,after,who\nRain.,𝐑ain ẞ.,bug\n"), **COLUMNS)
    assert re.findall(r"U\+[0-9A-F]+ [a-z ]+", page) == ["U+1D411 mathematical bold capital r"]


def test_a_file_in_latin_1_says_so_and_is_read_when_told(client: Client) -> None:
    upload = send(client, "pairs.csv", "before,after\nCafé.,Cafè.\n".encode("latin-1"))
    assert upload.mapping["found"]["columns"] == []
    at = f"/campaigns/harbour/import/{upload.pk}/"
    # Its columns are not known before it is read in the right encoding; then the form comes once more, with the columns guessed.
    page = client.post(at, {"format": "bodega-raw", "encoding": "latin-1"}, follow=True).text
    assert "Read in the other encoding." in page and "Café." in page
    preview = describe(client, upload, encoding="latin-1", column_original="before", column_adversarial="after")
    assert counts(preview) == ["1", "0", "0", "0"]


UNREADABLE: dict[str, tuple[str, bytes, str]] = {
    "Latin-1": ("a.csv", "before,after\nx,Caf\xe9\n".encode("latin-1"), "a.csv: line 2: byte 6 of this line (0xe9) is not"),
    "NUL": ("a.csv", b"before,after\na\0b,c\n", "a.csv: line 2: a NUL character, which no text holds."),
    "half a surrogate pair": (
        "a.csv", b"before,after\n\xed\xa0\x80,b\n", "a.csv: line 2: byte 1 of this line (0xed) is not UTF-8",
    ),
    "half a surrogate pair, escaped": (
        "a.jsonl", b'{"before":"a \\ud800","after":"x"}\n', "a.jsonl: line 1, column before: half of a surrogate pair (U+D800)",
    ),
    "a field whose name is none": (
        "a.jsonl", b'{"before":"a","k\\ud800":"x"}\n', "a.jsonl: line 1, column k\\ud800: half of a surrogate pair (U+D800)",
    ),
    "a field whose name has a NUL": ("a.jsonl", b'{"a":{"k\\u0000":"x"}}\n', "a.jsonl: line 1, column a: a NUL character"),
    "nothing": ("a.csv", b"", "a.csv: the file is empty."),
    "half a line": ("a.jsonl", b'{"before":"a","after":"b"}\n{"before":"a","af', "a.jsonl: line 2: this is no JSON: "),
    "half a workbook": ("a.xlsx", b"PK\x03\x04junk", "a.xlsx: this is no XLSX workbook that can be read (BadZipFile). Open it"),
    "a cell too long": (
        "a.csv", b"before,after\nx," + b"y" * 140_000 + b"\n", "a.csv: line 2: a field of the row starting here is longer",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "data", "says"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_read_says_why_at_once(name: str, data: bytes, says: str, client: Client) -> None:
    upload = send(client, name, data)
    page = html.unescape(client.get(f"/campaigns/harbour/import/{upload.pk}/").text)
    assert f"<b>The file cannot be read.</b> {says}" in page
    assert "Remove the file" in page and "value_attacker" not in page
    assert f"It cannot be read: {says}" in html.unescape(client.get("/campaigns/harbour/import/").text)


def test_a_workbook_beyond_the_limit_says_so_at_once(client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].append(["before", "after"])
    book.save(tmp_path / "book.xlsx")
    monkeypatch.setattr("annotation.exchange.sheets.MOST_UNPACKED", 10)
    upload = send(client, "book.xlsx", (tmp_path / "book.xlsx").read_bytes())
    assert "book.xlsx: the workbook unpacks to" in client.get(f"/campaigns/harbour/import/{upload.pk}/").text


def test_nothing_chosen_is_told(client: Client) -> None:
    response = client.post("/campaigns/harbour/import/", {})
    assert (response.status_code, "Choose a file first." in response.text) == (422, True)


def test_a_dropped_file_leaves_the_data_folder(client: Client, data_folder: Path) -> None:
    upload = send(client, "pairs.csv", PAIRS)
    assert [path.name for path in (data_folder / "uploads").iterdir()] == [upload.sha256]
    with_commit = client.post(f"/campaigns/harbour/import/{upload.pk}/drop/")
    assert (with_commit.status_code, Upload.objects.count()) == (302, 0)


def test_a_results_file_is_kept_with_the_campaign(client: Client, draft: Campaign) -> None:
    names = (
        "Subset size", "Success score", "Semantic score", "Character score", "BODEGA score", "Queries per example",
        "Total attack time", "Time per example", "Total evaluation time",
    )  # fmt: skip
    text = "".join(f"{name}: {number / 10}\n" for number, name in enumerate(names))
    upload = send(client, "results_FC_False_PWWS_BERT.txt", text)
    at = f"/campaigns/harbour/import/{upload.pk}/"
    values = {"value_task": "FC", "value_attacker": "PWWS", "value_victim": "BERT", "value_scenario": "untargeted"}
    assert "BODEGA score" in client.post(at, {"format": "bodega-results", "encoding": ""} | values, follow=True).text
    client.post(f"{at}preview/")
    draft.refresh_from_db()
    kept = draft.source["results"]["FC untargeted PWWS BERT"]
    assert (kept["file"], kept["BODEGA score"]) == ("results_FC_False_PWWS_BERT.txt", 0.4)


def test_a_large_file_is_read_and_imported_by_a_worker(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.exchange.imports.INLINE_BYTES", 10)
    upload = send(client, "pairs.csv", PAIRS)
    page = describe(client, upload, **COLUMNS)
    assert "The file is being read" in page and counts(page) == []
    work()
    at = f"/campaigns/harbour/import/{upload.pk}/preview/"
    assert counts(client.get(at).text) == ["2", "0", "0", "0"]
    assert "The file is being imported" in client.post(at, follow=True).text
    assert Item.objects.count() == 0
    work()
    assert (Item.objects.count(), Job.objects.latest("pk").result) == (
        2,
        {"added": 2, "already_there": 0, "twice": 0, "known": 0},
    )
    assert client.get(at).headers["Location"] == "/campaigns/harbour/import/"


@pytest.mark.parametrize(("rows", "length", "waits"), [(400, 10, False), (600, 10, True), (2, 60_000, True), (2, 4_100, False)])
def test_what_takes_longer_than_a_request_may_is_read_by_a_worker(rows: int, length: int, waits: bool, client: Client) -> None:
    text = "before,after,who\n" + "".join(f"{row} {'x' * length},{row} y,bug\n" for row in range(rows))
    page = describe(client, send(client, "pairs.csv", text), **COLUMNS)
    assert ("The file is being read" in page) == waits
    if not waits:
        assert (f"{'x' * 3_998} …" in html.unescape(re.sub("<[^>]+>", "", page))) == (length > 4_000)


def test_a_text_longer_than_can_be_judged_is_refused(client: Client) -> None:
    lines = "".join(json.dumps({"before": "x" * size, "after": "y", "who": "bug"}) + "\n" for size in (100_000, 100_001))
    upload = send(client, "pairs.jsonl", lines)
    describe(client, upload, **COLUMNS)
    work()
    page = html.unescape(client.get(f"/campaigns/harbour/import/{upload.pk}/preview/").text)
    assert "pairs.jsonl: line 2, column before: the text has 100,001 characters; at most 100,000 can be judged." in page


def test_an_upload_of_another_campaign_is_not_found_by_its_number(client: Client, other_organiser: User, sign_in: SignIn) -> None:
    upload = send(client, "pairs.csv", PAIRS)
    stranger = sign_in(other_organiser)
    for path in ("", "preview/"):
        assert stranger.get(f"/campaigns/elsewhere/import/{upload.pk}/{path}").status_code == 404
        assert stranger.post(f"/campaigns/elsewhere/import/{upload.pk}/{path}").status_code == 404
    assert stranger.post(f"/campaigns/elsewhere/import/{upload.pk}/drop/").status_code == 404
    asked = {"uploads": upload.pk, "count": 1, "per": "all", "seed": 0}
    assert stranger.get("/campaigns/elsewhere/sample/", asked).status_code == 422
    assert Upload.objects.count() == 1


def test_a_file_whose_texts_have_to_be_compared_becomes_a_campaign_by_a_worker(client: Client) -> None:
    file = SimpleUploadedFile("mturk.csv", as_bytes(MTURK_COLUMNS, MTURK_ROWS))
    response = client.post("/campaigns/new/file/", {"name": "mturk", "title": "Films", "format": "mturk-suspicion", "file": file})
    assert not Campaign.objects.filter(name="mturk").exists()
    page = response.headers["Location"]
    assert "The file is being read" in client.get(page).text
    work()
    assert "/campaigns/mturk/" in client.get(page).text
    made = Campaign.objects.get(name="mturk")
    assert (made.title, made.created_by) == ("Films", User.objects.get(username="olga"))


def test_why_a_worker_could_not_make_the_campaign_is_shown_to_nobody_else(
    client: Client, other_organiser: User, sign_in: SignIn
) -> None:
    file = SimpleUploadedFile("mturk.csv", as_bytes(MTURK_COLUMNS, [("7", "x", "nope", "1", "orig", "FALSE")]))
    given = {"name": "m", "title": "M", "format": "mturk-suspicion", "file": file}
    page = client.post("/campaigns/new/file/", given).headers["Location"]
    work()
    assert "line 2, column Answer.judgement.label" in client.get(page).text
    assert "line 2" not in sign_in(other_organiser).get(page).text


def test_a_workbook_that_would_take_too_long_is_not_begun(
    client: Client, make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_campaign(name="long")
    answer(campaign, make_annotator(campaign, "ann"), "preserve")
    address = f"/campaigns/{campaign.name}/export/tables.xlsx"
    assert client.get(address).status_code == 200
    monkeypatch.setattr(downloads, "WORKBOOK_AT_MOST", 0)
    page = client.get(address, follow=True)
    assert page.redirect_chain == [(f"/campaigns/{campaign.name}/export/", 302)]
    assert "takes too long to wait for" in page.content.decode()


SUBMISSION = "succeeded\tnum_queries\toriginal_text\tmodified_text\t\nTrue\t12\tRain today.\tRaim today.\t\n"


@pytest.mark.parametrize("name", ["submission_PR2_False_BiLSTM.tsv", "ours.tsv"])
def test_who_made_the_texts_of_a_submission_is_asked_for_where_its_name_does_not_say(name: str, client: Client) -> None:
    upload = send(client, name, SUBMISSION)
    assert upload.format == "bodega-submission"
    assert 'id="lacks-maker"' in client.get(f"/campaigns/harbour/import/{upload.pk}/").text
    assert "Nothing says who made these texts." in describe(client, upload, format="bodega-submission")
    named = describe(client, upload, format="bodega-submission", value_attacker="Team Rain")
    assert "data-unnamed" not in named and '<th scope="row">Team Rain</th>' in named
    assert 'id="lacks-maker"' not in client.get(f"/campaigns/harbour/import/{upload.pk}/").text
    client.post(f"/campaigns/harbour/import/{upload.pk}/preview/")
    assert Item.objects.get().made_by == "Team Rain"


def test_a_file_that_names_its_makers_is_imported_without_a_warning(client: Client) -> None:
    upload = send(client, "submission_PR2_False_ours_BiLSTM.tsv", SUBMISSION)
    assert "lacks-maker" not in client.get(f"/campaigns/harbour/import/{upload.pk}/").text
    assert "data-unnamed" not in client.get(f"/campaigns/harbour/import/{upload.pk}/preview/").text


def test_the_preview_shows_what_annotators_see_and_no_maker(client: Client) -> None:
    page = describe(client, send(client, "pairs.csv", PAIRS), **COLUMNS)
    items = page[page.index("as people will see them") :]
    assert re.findall(r"<h3>([^<]+)</h3>", items) == ["Original", "Modified"] * 2
    assert "fooler" not in items


def test_pairs_of_equal_texts_are_remarked_on(client: Client) -> None:
    rows = "before,after,who\nRain today.,Raim today.,bug\nHail today.,Hail today.,bug\nFog.,Fog.,bug\n"
    page = describe(client, send(client, "pairs.csv", rows), **COLUMNS)
    (remark,) = re.findall(r"data-equal>(.*?)</p>", page)
    assert re.sub("<[^>]+>", "", remark) == "2 pairs have two equal texts: nothing was changed in them. Lines 3, 4"
    assert "data-equal" not in describe(client, send(client, "other.csv", PAIRS), **COLUMNS)
