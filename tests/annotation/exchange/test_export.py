"""Exports: nothing lost, nobody named, nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.errors import DomainError
from annotation.exchange.export import FILES, FORMATS, _csv_cell, items_jsonl, write_export
from annotation.exchange.tables import DECISION_COLUMNS, JUDGEMENT_COLUMNS, TABLES
from annotation.models import Campaign, Claim, CrowdVisit, Item, Judgement, Membership, Team, User
from annotation.services.answering import submit
from annotation.services.campaigns import close_campaign, create_campaign
from annotation.services.claiming import claim_next, release_expired
from annotation.services.recording import RecordedAnswer, RecordedItem, RecordedText, record_items, record_judgements
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign

pytestmark = pytest.mark.django_db

GUARDED = ["=1+1", "+44 rain", "-rain", "@rain", "\train", "\rrain", "%rain"]
WIDE = [f"{sign}1+1" for sign in "\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\n\t\r"]
HOSTILE = [*GUARDED, "🌧️ rain", "\u202erain", "שלום", "two\nlines", 'a "b", c', "'=1", "a|b"]
judgements_csv, decisions_csv = FILES["judgements.csv"], FILES["decisions.csv"]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def table(parts: Callable[[Campaign], Any], campaign: Campaign) -> list[dict[str, str]]:
    text = "".join(parts(campaign))
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def lines(campaign: Campaign) -> list[dict[str, Any]]:
    about, *items = [json.loads(line) for line in "".join(items_jsonl(campaign)).split("\n")[:-1]]
    assert (about["record"], {item["record"] for item in items}) == ("campaign", {"item"} if items else set())
    return items


@pytest.fixture
def judged(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> Campaign:
    """Two items; ada and ben disagree on one of them, and one of ben's answers came after the end."""
    campaign = make_campaign(items=2, settings={"comment": True})
    ada, ben = make_annotator(campaign, "ada.lovelace@example.org"), make_annotator(campaign, "benjamin")
    User.objects.filter(username="benjamin").update(email="ben@example.org", first_name="Benny", last_name="Britten")
    for label in ("preserve", "change"):
        answer(campaign, ada, label, 5)
    answer(campaign, ben, "no_sense", 2)
    late = claim_next(campaign=campaign, annotator=ben)
    close_campaign(campaign=campaign)
    submit(claim_id=late.pk, annotator=ben, data={"label": "change", "confidence": 1, "comment": "=late"})
    return campaign


def test_every_answer_is_there_and_says_whether_it_counts(judged: Campaign) -> None:
    rows = table(judgements_csv, judged)
    assert tuple(rows[0]) == JUDGEMENT_COLUMNS
    shown = ("annotator", "label", "value", "confidence", "counted", "uncounted")
    found = sorted(tuple(row[column] for column in shown) for row in rows)
    assert found == [
        ("A1", "change", "1", "5", "yes", ""),
        ("A1", "preserve", "0", "5", "yes", ""),
        ("A2", "change", "1", "1", "no", "closed"),
        ("A2", "no_sense", "2", "2", "yes", ""),
    ]
    assert [row["comment"] for row in rows if row["comment"]] == ["'=late"]
    assert [row["item"] for row in rows] == sorted(row["item"] for row in rows)
    assert {bool(TIME.fullmatch(row["submitted_at"])) for row in rows} == {True}
    assert {(row["simulated"], row["annotator_kind"]) for row in rows} == {("no", "person")}


def test_the_exact_file_holds_the_same(judged: Campaign) -> None:
    items = lines(judged)
    assert [item["number"] for item in items] == [1, 2]
    answers = [given for item in items for given in item["judgements"]]
    assert sorted((given["annotator"], given["label"], given["uncounted"]) for given in answers) == [
        ("A1", "change", ""),
        ("A1", "preserve", ""),
        ("A2", "change", "closed"),
        ("A2", "no_sense", ""),
    ]
    assert [given["comment"] for given in answers if given["comment"]] == ["=late"]
    assert [item["decision"]["how"] for item in items] == ["open", "open"]
    assert sorted(item["decision"]["n_judgements"] for item in items) == [1, 2]


def test_decisions_count_what_counts(judged: Campaign) -> None:
    rows = table(decisions_csv, judged)
    assert tuple(rows[0]) == DECISION_COLUMNS
    found = sorted((row["judgements"], row["uncounted"], row["decided_how"]) for row in rows)
    assert found == [("1", "1", "open"), ("2", "0", "open")]


def test_surplus_answers_stay_beside_the_one_that_counts(make_campaign: MakeCampaign, make_annotator: MakeAnnotator) -> None:
    campaign = make_campaign(items=1, slots=1)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    slow = claim_next(campaign=campaign, annotator=ada)
    Claim.objects.filter(pk=slow.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    release_expired(campaign=campaign)
    submit(claim_id=claim_next(campaign=campaign, annotator=ben).pk, annotator=ben, data={"label": "change", "confidence": 3})
    submit(claim_id=slow.pk, annotator=ada, data={"label": "preserve", "confidence": 3})
    [item] = lines(campaign)
    assert [(given["annotator"], given["label"], given["uncounted"]) for given in item["judgements"]] == [
        ("A1", "change", ""),
        ("A2", "preserve", "surplus"),
    ]


def test_nobody_is_named_in_any_file(judged: Campaign, tmp_path: Path) -> None:
    everything = "".join(path.read_text(encoding="utf-8") for path in write_export(judged, tmp_path)).lower()
    assert "a2" in everything
    for name in ("lovelace", "benjamin", "benny", "britten", "example.org", "olga"):
        assert name not in everything


def test_imported_columns_are_numbered_too(tmp_path: Path) -> None:
    campaign = recorded("bar", ["Rain."])
    everything = "".join(path.read_text(encoding="utf-8") for path in write_export(campaign, tmp_path))
    assert "sheffield" not in everything
    assert {row["annotator_kind"] for row in table(judgements_csv, campaign)} == {"imported"}


def test_a_number_once_given_stays(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign(items=2)
    ada, ben = make_annotator(campaign, "ada"), make_annotator(campaign, "ben")
    early = claim_next(campaign=campaign, annotator=ben)
    answer(campaign, ada, "preserve")
    assert [given["annotator"] for item in lines(campaign) for given in item["judgements"]] == ["A1"]
    submit(claim_id=early.pk, annotator=ben, data={"label": "change", "confidence": 3})
    names = {given["label"]: given["annotator"] for item in lines(campaign) for given in item["judgements"]}
    assert names == {"preserve": "A1", "change": "A2"}


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_are_exact_in_jsonl_and_harmless_in_csv(text: str) -> None:
    campaign = recorded("bar", [text])
    [item] = lines(campaign)
    assert item["second_text"] == text
    for parts in (judgements_csv, decisions_csv):
        cells = {row["second_text"] for row in table(parts, campaign)}
        assert cells == {f"'{text}" if text in GUARDED else text}


def test_a_simulated_campaign_says_so_in_every_file(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign("suspicion", items=1, simulated=True)
    answer(campaign, make_annotator(campaign, "sim 1", User.Kind.SIMULATED), "4")
    assert {row["simulated"] for parts in (judgements_csv, decisions_csv) for row in table(parts, campaign)} == {"yes"}
    assert [item["simulated"] for item in lines(campaign)] == [True]
    assert "no evidence about people" in "".join(FILES["codebook.md"](campaign))


def test_a_single_text_and_its_median(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign("suspicion", items=1, slots=1)
    answer(campaign, make_annotator(campaign, "ada"), "4")
    [item] = lines(campaign)
    assert (item["first_kind"], item["second_kind"], item["second_text"]) == ("deepwordbug", None, None)
    assert (item["decision"]["label"], item["decision"]["value"], item["decision"]["how"]) == (None, 4.0, "median")
    [row] = table(decisions_csv, campaign)
    assert (row["variant"], row["decision"], row["decision_value"]) == ("deepwordbug", "", "4.0")


def test_items_without_answers_are_in_the_exact_file_and_among_the_decisions(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2)
    assert [(item["judgements"], item["decision"]) for item in lines(campaign)] == [([], None)] * 2
    assert [(row["judgements"], row["decided_how"]) for row in table(decisions_csv, campaign)] == [("0", "open")] * 2
    assert table(judgements_csv, campaign) == []


def test_exports_hold_only_their_own_campaign(judged: Campaign) -> None:
    other = recorded("other", ["Hail."])
    assert {row["campaign"] for row in table(judgements_csv, judged)} == {"harbour"}
    assert {row["campaign"] for row in table(judgements_csv, other)} == {"other"}


@pytest.mark.parametrize("name", FILES)
def test_the_number_of_queries_does_not_grow_with_the_items(name: str) -> None:
    counts = []
    for number in (1, 3, 30):
        campaign = recorded(f"bar{number}", [f"Raim {i}." for i in range(number)])
        with CaptureQueriesContext(connection) as queries:
            "".join(FILES[name](campaign))
        counts.append(len(queries))
    assert counts == [counts[0]] * 3


def test_columns_are_the_ones_that_the_codebook_explains(judged: Campaign) -> None:
    codebook = "".join(FILES["codebook.md"](judged))
    explained = {name for cell in re.findall(r"^\| `([^`|]+)` \|", codebook, re.MULTILINE) for name in cell.split(", ")}
    assert {*JUDGEMENT_COLUMNS, *DECISION_COLUMNS} <= explained
    for label in judged.labels.all():
        assert f"| {label.value} | `{label.key}` | {label.name} | {label.definition} |" in codebook


def recorded(name: str, texts: list[str]) -> Campaign:
    """An imported campaign with one item per text, judged twice."""
    campaign = create_campaign(name=name, title=name, protocol="meaning", preset="incrediblae", imported=True)
    answers = (RecordedAnswer(1, "preserve", 5), RecordedAnswer(2, "change", 4))
    items = [
        RecordedItem(f"{name}-{number}", RecordedText("original", "Rain."), RecordedText("unknown", text), answers)
        for number, text in enumerate(texts)
    ]
    record_judgements(campaign=campaign, task="test", items=items, annotators=["sheffield 1", "sheffield 2"])
    return campaign


def test_recording_needs_an_imported_campaign(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, opened=False)
    with pytest.raises(DomainError, match="made by an import"):
        record_judgements(campaign=campaign, task="test", items=[], annotators=[])
    made = record_items(campaign=campaign, task="test", items=[RecordedItem("k", RecordedText("original", "Rain."))], slots=1)
    assert [slot.state for slot in made[0].slots.all()] == ["open"]


def test_no_file_of_any_format_names_anybody_or_a_crowd_id(judged: Campaign, tmp_path: Path) -> None:
    """Every file in every format, with everything that is known about everybody, removed people included."""
    ada, ben = User.objects.get(username="ada.lovelace@example.org"), User.objects.get(username="benjamin")
    CrowdVisit.objects.create(campaign=judged, user=ada, participant="PROLIFIC5f3a", study="STUDY77", session="SESSION88")
    Membership.objects.filter(user=ben).update(state="deactivated")
    gone = User.objects.create_user(username="gone.person", email="gone@elsewhere.net")
    Membership.objects.create(campaign=judged, user=gone, role="annotator", state="withdrawn", erased_judgements=7)
    for format in FORMATS:
        write_export(judged, tmp_path / format, format=format)
    everything = "".join(readable(path) for path in tmp_path.rglob("*") if path.is_file()).lower()
    known = {
        value.lower()
        for user in User.objects.all()
        for value in (user.username, user.email, user.first_name, user.last_name)
        if value
    }
    assert len(known) >= 6
    for secret in (*known, "prolific5f3a", "study77", "session88"):
        assert secret not in everything
    assert "erased, and in no file: 7 answers of 1 person who withdrew." in everything
    assert {row["annotator"] for row in table(judgements_csv, judged)} == {"A1", "A2"}


def readable(path: Path) -> str:
    """A file's text; of a workbook, that of every part."""
    if path.suffix != ".xlsx":
        return path.read_text(encoding="utf-8")
    with zipfile.ZipFile(path) as book:
        return "".join(book.read(part).decode() for part in book.namelist())


def test_a_number_outlives_the_answers_of_its_person(judged: Campaign) -> None:
    assert {row["annotator"] for row in table(judgements_csv, judged)} == {"A1", "A2"}
    ada = User.objects.get(username="ada.lovelace@example.org")
    Judgement.objects.filter(claim__annotator=ada).delete()
    assert {row["annotator"] for row in table(judgements_csv, judged)} == {"A2"}


def test_texts_of_a_team_that_withdrew_are_marked(judged: Campaign) -> None:
    Team.objects.create(campaign=judged, name="deepwordbug", withdrawn_at=timezone.now())
    assert {row["left_out"] for row in table(decisions_csv, judged)} == {"team withdrew"}
    assert {item["left_out"] for item in lines(judged)} == {"team withdrew"}


def test_the_pivot_has_every_counted_answer_beside_its_item(judged: Campaign) -> None:
    rows = table(FILES["pivot.csv"], judged)
    found = sorted((row["judgements"], row["answer_1"], row["answer_2"], row["confidence_2"]) for row in rows)
    assert [row[0] for row in found] == ["1", "2"]
    assert (found[0][2:], found[1][2:]) == (("", ""), ("no_sense", "2"))


def test_annotators_are_counted_by_their_work_and_practice_apart(
    make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer
) -> None:
    campaign = make_campaign(items=6)
    for item, use in zip(campaign.items.order_by("number"), ("training", "test", "attention"), strict=False):
        Item.objects.filter(pk=item.pk).update(use=use, gold=campaign.labels.get(key="preserve"))
        item.slots.all().delete()
    ada = make_annotator(campaign, "ada")
    for seconds in (100, 100, 1, 2, 7.54):
        given = answer(campaign, ada, "preserve").judgement
        work = given.claim.item.use == Item.Use.WORK
        Judgement.objects.filter(pk=given.pk).update(seconds=seconds if work else 500, active_seconds=seconds / 3 if work else 9)
    table = TABLES["annotators"](campaign, 0)
    row = dict(zip(table.columns, next(table.rows), strict=True))
    kept = ("answers", "uncounted", "practised", "skipped", "mean_seconds", "mean_active_seconds")
    given = Judgement.objects.filter(claim__use="work").values_list("seconds", flat=True)
    mean = sum(given) / 3
    assert [row[name] for name in kept] == [3, 0, 2, 0, round(mean, 1), round(mean / 3, 1)]


@pytest.mark.parametrize("text", WIDE)
def test_signs_of_other_widths_and_line_ends_begin_no_formula(text: str) -> None:
    assert _csv_cell(text) == f"'{text}"
