"""A file becomes a campaign as a whole, or not at all."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import DomainError
from annotation.exchange.importing import ImportProblem, import_judgements
from annotation.models import Campaign, Claim, Decision, Item, Judgement, Original, User, Variant
from annotation.protocols import protocol_of
from annotation.protocols.votes import votes_of
from tests.annotation.exchange.files import (
    INCREDIBLAE_COLUMNS,
    INCREDIBLAE_ROWS,
    MTURK_COLUMNS,
    MTURK_ROWS,
    WARM,
    WIND,
    WRAM,
    as_bytes,
    changed,
    rows_written,
    statements,
)

pytestmark = pytest.mark.django_db

PAIR_COLUMNS = ("original", "adversarial", "attacker")
PAIR_ROWS = (("Rain today.", "Raim today.", "deepwordbug"), ("Rain today.", "Hail today.", ""))

GOOD = {
    "incrediblae": as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS),
    "mturk-suspicion": as_bytes(MTURK_COLUMNS, MTURK_ROWS),
    "pairs": as_bytes(PAIR_COLUMNS, PAIR_ROWS),
}


class NamedBytes(io.BytesIO):
    def __init__(self, data: bytes, name: str = "study.csv") -> None:
        super().__init__(data)
        self.name = name


def imported(data: bytes, format: str = "incrediblae", name: str = "bar", file: str = "study.csv", **more: User) -> Campaign:
    return import_judgements(NamedBytes(data, file), format=format, name=name, **more)


def pairs_with(row: int, column: int, cell: str) -> bytes:
    return as_bytes(INCREDIBLAE_COLUMNS, changed(INCREDIBLAE_ROWS, row, column, cell))


def opinions_with(row: int, column: int, cell: str) -> bytes:
    return as_bytes(MTURK_COLUMNS, changed(MTURK_ROWS, row, column, cell))


TWO_LINES = changed(changed(INCREDIBLAE_ROWS, 0, 0, "two\nlines"), 1, 2, "x")

BAD = {
    "no such format": ("spss", b"a,b\n1,2\n", "", ""),
    "empty file": ("incrediblae", b"", "", "empty"),
    "header alone": ("incrediblae", as_bytes(INCREDIBLAE_COLUMNS, ()), "line 1", ""),
    "another file": ("incrediblae", b"name,age\nAda,36\n", "line 1", "annotator1_stance"),
    "a missing column": ("incrediblae", as_bytes(INCREDIBLAE_COLUMNS[:2], [("a", "b")]), "line 1", "annotator1_stance"),
    "stance outside the set": ("incrediblae", pairs_with(1, 4, "3.0"), "line 3", "annotator2_stance"),
    "stance in words": ("incrediblae", pairs_with(0, 2, "preserve"), "line 2", "annotator1_stance"),
    "stance between two": ("incrediblae", pairs_with(0, 2, "0.5"), "line 2", "annotator1_stance"),
    "stance missing": ("incrediblae", pairs_with(2, 2, ""), "line 4", "annotator1_stance"),
    "confidence too high": ("incrediblae", pairs_with(0, 3, "6"), "line 2", "annotator1_confidence"),
    "confidence too low": ("incrediblae", pairs_with(0, 5, "0"), "line 2", "annotator2_confidence"),
    "confidence missing": ("incrediblae", pairs_with(0, 3, " "), "line 2", "annotator1_confidence"),
    "third stance without confidence": ("incrediblae", pairs_with(1, 7, ""), "line 3", "annotator3_confidence"),
    "third confidence without stance": ("incrediblae", pairs_with(0, 7, "4"), "line 2", "annotator3_stance"),
    "agreed label outside the set": ("incrediblae", pairs_with(3, 8, "9"), "line 5", "agreed_labels"),
    "empty original": ("incrediblae", pairs_with(3, 1, ""), "line 5", "original_samples"),
    "empty adversarial": ("incrediblae", pairs_with(3, 0, "  "), "line 5", "adversarial_samples"),
    "a cell too few": ("incrediblae", GOOD["incrediblae"] + b"one,two\n", "line 6", "9 columns"),
    "a quote never closed": ("incrediblae", GOOD["incrediblae"] + b'"open,two\n', "line 6", "quote"),
    "Latin-1": ("incrediblae", pairs_with(2, 0, "Café").decode().encode("latin-1"), "line 4", "byte 5"),
    "a lone surrogate": ("incrediblae", GOOD["incrediblae"].replace(b"Raim", b"Ra\xed\xa0\x80m"), "line 5", "byte 4"),
    "NUL": ("incrediblae", pairs_with(1, 0, "The bridge\0 opens."), "line 3", "byte 12"),
    "UTF-16": ("incrediblae", GOOD["incrediblae"].decode().encode("utf-16"), "line 1", "UTF-16"),
    "a row after one of two lines": ("incrediblae", as_bytes(INCREDIBLAE_COLUMNS, TWO_LINES), "line 4", "annotator1_stance"),
    "score outside the scale": ("mturk-suspicion", opinions_with(1, 3, "6"), "line 3", "Answer.judgement.score"),
    "score unlike its label": ("mturk-suspicion", opinions_with(1, 3, "3"), "line 3", "Answer.judgement.label"),
    "unknown label": ("mturk-suspicion", opinions_with(0, 2, "Maybe"), "line 2", "Answer.judgement.label"),
    "unknown group": ("mturk-suspicion", opinions_with(4, 4, "clare"), "line 6", "group"),
    "no text": ("mturk-suspicion", opinions_with(4, 1, ""), "line 6", "Input.text"),
    "suspicion columns": ("mturk-suspicion", GOOD["incrediblae"], "line 1", "Input.text"),
    "pair without original": ("pairs", as_bytes(PAIR_COLUMNS, [("", "x", "y")]), "line 2", "original"),
    "attacker named original": ("pairs", as_bytes(PAIR_COLUMNS, [("x", "y", "original")]), "line 2", "attacker"),
    "attacker's name too long": ("pairs", as_bytes(PAIR_COLUMNS, [("x", "y", "z" * 61)]), "line 2", "attacker"),
}  # fmt: skip


@pytest.mark.parametrize(("format", "data", "line", "what"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_with_line_and_column_and_leaves_nothing(format: str, data: bytes, line: str, what: str) -> None:
    before = rows_written()
    with pytest.raises(ImportProblem) as refused:
        imported(data, format)
    message = str(refused.value)
    assert line in message
    assert what in message
    assert "\n" not in message
    assert rows_written() == before == dict.fromkeys(before, 0)


@pytest.mark.parametrize("name", ["", "two words", "a/b", "é", "x" * 81])
def test_a_name_that_no_address_can_hold_is_refused(name: str) -> None:
    with pytest.raises(ImportProblem, match="cannot name a campaign"):
        imported(GOOD["incrediblae"], name=name)


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportProblem, match=r"missing\.csv cannot be read"):
        import_judgements(tmp_path / "missing.csv", format="pairs", name="bar")
    with pytest.raises(ImportProblem, match="cannot be read"):
        import_judgements(str(tmp_path), format="pairs", name="bar")


def test_a_taken_name_is_refused_and_writes_nothing() -> None:
    imported(GOOD["incrediblae"])
    before = rows_written()
    with pytest.raises(DomainError, match="already a campaign named “bar”"):
        imported(GOOD["mturk-suspicion"], "mturk-suspicion")
    assert rows_written() == before


def test_a_failure_while_writing_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*, campaign: Campaign) -> int:
        raise DomainError("broke")

    monkeypatch.setattr("annotation.services.recording.decide_all", breaks)
    with pytest.raises(DomainError, match="broke"):
        imported(GOOD["incrediblae"])
    assert rows_written() == dict.fromkeys(rows_written(), 0)


def test_published_judgements_of_meaning() -> None:
    campaign = imported(GOOD["incrediblae"])
    assert (campaign.protocol, campaign.imported, campaign.simulated, campaign.state) == ("meaning", True, False, "closed")
    assert campaign.settings["tie"] == "first"
    assert campaign.source == {
        "file": "study.csv",
        "sha256": hashlib.sha256(GOOD["incrediblae"]).hexdigest(),
        "format": "incrediblae",
        "rows": 4,
        "attackers": "not in the file",
        "labels": "numbers in the file; their names here are Passable's",
    }
    votes = [[(vote.position, vote.label, vote.confidence) for vote in item.votes] for item in votes_of(campaign)]
    assert votes == [
        [(1, "preserve", 5), (2, "preserve", 4)],
        [(1, "change", 3), (2, "no_sense", 2), (3, "change", 5)],
        [(1, "preserve", 2), (2, "change", 4), (3, "no_sense", 4)],
        [(1, "preserve", 2), (2, "preserve", 2), (3, "no_sense", 5)],
    ]
    decided = [(item.published_label, item.decided_label, item.decided_how) for item in votes_of(campaign)]
    assert decided == [
        ("preserve", "preserve", "agreed"),
        ("change", "change", "majority"),
        ("change", "change", "first"),
        ("preserve", "preserve", "agreed"),
    ]


def test_equal_texts_share_one_original_across_imports() -> None:
    for name in ("bar", "baz"):
        imported(GOOD["incrediblae"], name=name)
    assert (Original.objects.count(), Variant.objects.count(), Item.objects.count()) == (2, 6, 8)
    assert sorted(Variant.objects.values_list("kind", "text")) == sorted(
        [("original", text) for text in {row[1] for row in INCREDIBLAE_ROWS}] + [("unknown", row[0]) for row in INCREDIBLAE_ROWS]
    )


def test_a_pair_that_stands_twice_is_two_items_of_one_variant() -> None:
    imported(as_bytes(INCREDIBLAE_COLUMNS, [INCREDIBLAE_ROWS[0], INCREDIBLAE_ROWS[0]]))
    assert Variant.objects.count() == 2
    assert Item.objects.values_list("second").distinct().count() == 1
    assert list(Item.objects.values_list("number", flat=True)) == [1, 2]


def test_columns_are_placeholders_who_cannot_sign_in_and_exclude_nobody() -> None:
    imported(GOOD["incrediblae"])
    people = User.objects.order_by("username")
    assert [(user.username, user.kind, user.is_active, user.has_usable_password()) for user in people] == [
        (f"bar: annotator{position}", "imported", False, False) for position in (1, 2, 3)
    ]
    assert list(Claim.objects.values_list("exclusion", "state").distinct()) == [(None, "answered")]
    assert list(Judgement.objects.values_list("uncounted", "seconds").distinct()) == [("", None)]


@pytest.mark.parametrize("name", ["bar: annotator2", "Bar: ANNOTATOR2"])
def test_an_account_of_a_placeholders_name_is_never_used(name: str) -> None:
    User.objects.create_user(username=name, password="a-long-password-1")
    with pytest.raises(DomainError, match=name):
        imported(GOOD["incrediblae"])
    assert Campaign.objects.count() == 0


def test_published_judgements_of_suspicion() -> None:
    campaign = imported(GOOD["mturk-suspicion"], "mturk-suspicion")
    items = Item.objects.order_by("number").select_related("first", "original")
    assert [(item.first.kind, item.first.text) for item in items] == [
        ("original", WARM),
        ("textfooler", WRAM),
        ("pruthi", WRAM),
        ("bae", WIND),
    ]
    assert [[vote.value for vote in entry.votes] for entry in votes_of(campaign)] == [[1], [4, 5, 2], [2], [3]]
    assert [decision.value for decision in Decision.objects.order_by("item__number")] == [1.0, 4.0, 2.0, 3.0]
    keys = [item.original.key for item in items]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert "0.7" in campaign.source["originals"]
    assert User.objects.filter(kind="imported").count() == 3


def test_the_originals_of_variants_do_not_depend_on_the_order_of_rows() -> None:
    imported(GOOD["mturk-suspicion"], "mturk-suspicion", name="one")
    imported(as_bytes(MTURK_COLUMNS, MTURK_ROWS[::-1]), "mturk-suspicion", name="two")
    assert Original.objects.count() == 2


def test_pairs_wait_to_be_judged() -> None:
    maker = User.objects.create_user(username="olga", password="a-long-password-1", is_organiser=True)
    campaign = imported(GOOD["pairs"], "pairs", created_by=maker)
    assert (campaign.protocol, campaign.imported, campaign.state, campaign.created_by) == ("meaning", False, "draft", maker)
    items = Item.objects.order_by("number").select_related("first", "second")
    assert [(item.first.text, item.second and item.second.kind, item.second and item.second.text) for item in items] == [
        ("Rain today.", "deepwordbug", "Raim today."),
        ("Rain today.", "unknown", "Hail today."),
    ]
    for item in items:
        assert list(item.slots.order_by("position").values_list("position", "state")) == [(1, "open"), (2, "open")]
    assert (Judgement.objects.count(), Decision.objects.count()) == (0, 0)


def test_pairs_separated_by_tabs_without_an_attacker() -> None:
    imported(as_bytes(PAIR_COLUMNS[:2], [row[:2] for row in PAIR_ROWS], "\t"), "pairs", file="study.tsv")
    found = sorted(Item.objects.values_list("second__kind", "second__text"))
    assert found == [("unknown", "Hail today."), ("unknown", "Raim today.")]


@pytest.mark.parametrize("text", ["🌧️ rain", "\u202eevil\u202c", "שלום", "а\u0301", "=1+1", "two\nlines", "tab\there", "cr\rhere"])
def test_texts_are_kept_to_the_last_code_point(text: str) -> None:
    imported(b"\xef\xbb\xbf" + as_bytes(PAIR_COLUMNS, [("Rain.", text, "x")]), "pairs")
    assert Item.objects.get().second.text == text  # type: ignore[union-attr]


def test_what_is_asked_of_the_database_does_not_grow_with_the_items() -> None:
    asked = []
    for number in (1, 3, 30, 100):
        rows = [(f"Raim number {i}.", f"Rain number {i}.", "0", "5", "1", "4", "1", "3", "1") for i in range(number)]
        with CaptureQueriesContext(connection) as queries:
            imported(as_bytes(INCREDIBLAE_COLUMNS, rows), name=f"bar{number}")
        asked.append(statements(queries))
    assert asked == [asked[0]] * 4


def test_agreement_of_a_small_file_by_hand() -> None:
    campaign = imported(GOOD["incrediblae"])
    figures = {figure.key: figure.estimate for figure in protocol_of(campaign).analyse(campaign, votes_of(campaign)).figures}
    assert figures["raw_agreement"].value == 0.5
    # Chance: first 3/4 preserve, 1/4 change; second 2/4 preserve, 1/4 change, 1/4 no sense: 6/16 + 1/16.
    assert figures["kappa"].value == pytest.approx((0.5 - 7 / 16) / (1 - 7 / 16))


def test_a_file_name_that_is_no_text_is_stored_as_one(db: None, tmp_path: Path) -> None:
    path = tmp_path / "bad\udcff.csv"
    path.write_text("original,adversarial\nRain.,Raim.\n")
    campaign = import_judgements(path, format="pairs", name="odd")
    assert campaign.source["file"] == "bad?.csv"
