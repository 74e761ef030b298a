"""Every format becomes the same kind of example; whatever cannot be read is told by line and column."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.errors import DomainError
from annotation.exchange.columns import Reading
from annotation.exchange.export import items_jsonl
from annotation.exchange.formats import FORMATS, guess
from annotation.exchange.imports import Checked, check, import_upload
from annotation.exchange.sheets import SourceFile, beginning_of, table_of
from annotation.models import Campaign, Example, Item, Original, Slot, Upload, Variant
from annotation.services import examples
from annotation.services.campaigns import NewItem, add_items, create_campaign
from annotation.services.uploads import store_upload
from scoring.table import TableError
from tests.annotation.conftest import MakeCampaign
from tests.annotation.exchange.files import INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, MTURK_COLUMNS, MTURK_ROWS, WIND, WRAM, as_bytes

pytestmark = pytest.mark.django_db

OLD_COLUMNS = ("original_text", "perturbed_text", "original_score", "perturbed_score", "original_output", "perturbed_output")
NEW_COLUMNS = (*OLD_COLUMNS, "ground_truth_output", "num_queries", "result_type")
PREMISE = "[[Premise]]: A [[man]] walks.\n[[Hypothesis]]: He is [[outside]]."
CHANGED = "[[Premise]]: A [[guy]] walks.\n[[Hypothesis]]: He is [[out]]."
RAW = "0.81\tthe bridge <closes> < today >\tthe bridge <shuts> < today >\n0.5\ta <b> c\ta  c <d>\n"
SUBMISSION = (
    "succeeded\tnum_queries\toriginal_text\tmodified_text\t\n"
    "True\t12.0\tRain\\ntoday.\tRaim\\ntoday.\t\n"
    "False\t80\tHail.\tATTACK_UNSUCCESSFUL\t\n"
    "1\t3\tC:\\\\new \"quoted\t=C:\\\\old\t\n"
)  # fmt: skip


@pytest.fixture
def pairs_campaign() -> Campaign:
    return create_campaign(name="pairs", title="Pairs", protocol="meaning")


@pytest.fixture
def texts_campaign() -> Campaign:
    return create_campaign(name="texts", title="Texts", protocol="suspicion")


def checked(campaign: Campaign, name: str, data: bytes | str, format: str = "", encoding: str = "", **columns: str) -> Checked:
    """The file, read in the likeliest way or as told."""
    source = SourceFile(name, data.encode() if isinstance(data, str) else data, encoding)
    likely = guess(source)
    reading = Reading(columns or likely.reading.columns, likely.reading.values)
    return check(source, campaign, format=format or likely.format, reading=reading)


def texts(found: Checked) -> list[tuple[str | None, str]]:
    assert found.problems == []
    return [(example.original, example.adversarial) for example in found.examples]


def test_bodegas_raw_file(pairs_campaign: Campaign) -> None:
    found = checked(pairs_campaign, "raw_PR2_False_BERTattack_BiLSTM.tsv", RAW.replace("a  c <d>", "a <d> c"))
    assert texts(found) == [("the bridge closes < today >", "the bridge shuts < today >"), ("a b c", "a d c")]
    first = found.examples[0]
    assert (first.task, first.scenario, first.attacker, first.victim) == ("PR2", "untargeted", "BERTattack", "BiLSTM")
    assert (first.bodega_score, first.line) == (0.81, 1)


def test_marks_that_cannot_be_told_from_the_text_are_refused(pairs_campaign: Campaign) -> None:
    found = checked(pairs_campaign, "raw_PR2_False_BERTattack_BiLSTM.tsv", RAW)
    assert found.problems == [
        "raw_PR2_False_BERTattack_BiLSTM.tsv: line 2, column new: the texts differ outside of what < > mark as changed"
    ]


def test_bodegas_submission(pairs_campaign: Campaign) -> None:
    found = checked(pairs_campaign, "submission_FC_False_team_seven_BERT.tsv", SUBMISSION)
    assert texts(found) == [("Rain\ntoday.", "Raim\ntoday."), ('C:\\new "quoted', "=C:\\old")]
    assert (found.failed, found.rows) == (1, 3)
    first = found.examples[0]
    assert (first.attacker, first.victim, first.queries) == ("team_seven", "BERT", 12)


def test_textattacks_older_log(pairs_campaign: Campaign) -> None:
    rows = [
        ("A [[good]] film", "A [[fine]] film", "0.1", "0.7", "1", "0"),
        ("bad [[[x]]] film", "bad [[[x]]] flim", "0.1", "0.2", "0", "0"),
    ]
    found = checked(pairs_campaign, "log.csv", as_bytes(OLD_COLUMNS, rows))
    assert texts(found) == [("A good film", "A fine film")]
    example = found.examples[0]
    assert (example.label_before, example.label_after, example.score_before, example.score_after) == (1, 0, 0.1, 0.7)
    assert found.failed == 1


@pytest.mark.parametrize("joined", ["\n", "<SPLIT>"])
def test_textattacks_newer_log_with_several_fields(joined: str, pairs_campaign: Campaign) -> None:
    rows = [
        (PREMISE.replace("\n", joined), CHANGED.replace("\n", joined), "0.0", "0.9", "2", "1", "2", "37", "Successful"),
        ("x", "x", "0", "0", "1", "1", "2", "1", "Skipped"),
        ("x", "[[y]]", "0", "0", "1", "1", "1", "9", "Failed"),
    ]
    found = checked(pairs_campaign, "log.csv", as_bytes(NEW_COLUMNS, rows))
    assert texts(found) == [
        ("Premise: A man walks.\nHypothesis: He is outside.", "Premise: A guy walks.\nHypothesis: He is out.")
    ]
    assert (found.examples[0].label, found.examples[0].queries, found.failed) == (2, 37, 2)


def test_double_brackets_of_the_text_itself_stay(pairs_campaign: Campaign) -> None:
    rows = [("see [[link]] and [[good]]", "see [[link]] and [[fine]]", "0", "1", "1", "0")]
    assert texts(checked(pairs_campaign, "log.csv", as_bytes(OLD_COLUMNS, rows))) == [
        ("see [[link]] and good", "see [[link]] and fine")
    ]


def test_incrediblaes_pairs(pairs_campaign: Campaign) -> None:
    found = checked(pairs_campaign, "m.csv", as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS))
    assert texts(found) == [(row[1], row[0]) for row in INCREDIBLAE_ROWS]


def test_single_texts_are_grouped_by_likeness_when_they_are_imported(texts_campaign: Campaign, settings_folder: Path) -> None:
    data = as_bytes(MTURK_COLUMNS, MTURK_ROWS)
    assert [text for _, text in texts(checked(texts_campaign, "m.csv", data))][-1] == WRAM
    done = import_upload(stored(texts_campaign, "m.csv", data), by=None)
    assert (done.added, done.twice) == (4, 2)
    assert Original.objects.count() == 2
    assert Item.objects.get(first__text=WIND).original.key != Item.objects.filter(first__text=WRAM)[0].original.key


def test_a_campaign_of_pairs_takes_no_single_texts(pairs_campaign: Campaign) -> None:
    found = checked(pairs_campaign, "m.csv", as_bytes(MTURK_COLUMNS, MTURK_ROWS))
    assert (found.wrong, len(found.examples)) == (6, 0)
    assert "this campaign shows pairs" in found.problems[0]


def test_our_own_export_as_examples(make_campaign: MakeCampaign, texts_campaign: Campaign) -> None:
    data = "".join(items_jsonl(make_campaign(items=2)))
    found = checked(texts_campaign, "items.jsonl", data)
    assert [example.attacker for example in found.examples] == ["deepwordbug"] * 2
    assert [example.origin for example in found.examples] == [("headlines", "harbour-1"), ("headlines", "harbour-2")]


@pytest.mark.parametrize("protocol", ["meaning", "suspicion"])
def test_originals_stand_beside_the_altered_texts_only_where_asked(protocol: str, settings_folder: Path) -> None:
    campaign = create_campaign(name="c", title="C", protocol=protocol)
    upload = stored(
        campaign, "p.csv", as_bytes(("original", "adversarial"), [("Rain.", "Raim."), ("Rain.", "Ra1n.")]), originals=True
    )
    done = import_upload(upload, by=None)
    assert (done.added, done.twice) == ((2, 0) if protocol == "meaning" else (3, 0))


def test_one_upload_imported_by_two_at_once_counts_once(pairs_campaign: Campaign, settings_folder: Path) -> None:
    """Both have read the row before either has imported it."""
    upload = stored(pairs_campaign, "p.csv", as_bytes(("original", "adversarial"), [("Rain.", "Raim.")]))
    other = Upload.objects.get(pk=upload.pk)
    import_upload(upload, by=None)
    with pytest.raises(DomainError, match="imported already"):
        import_upload(other, by=None)
    assert (Item.objects.count(), Example.objects.count(), pairs_campaign.events.filter(verb="imported").count()) == (1, 1, 1)


THREE = [("Rain.", "Raim."), ("Wind.", "Wimd."), ("Snow.", "Sn0w.")]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("at", [1, 2])
def test_an_attempt_that_another_has_displaced_takes_nothing_from_it(
    pairs_campaign: Campaign, settings_folder: Path, monkeypatch: pytest.MonkeyPatch, at: int, kept: bool
) -> None:
    """The second attempt begins and ends while the first is writing texts."""
    monkeypatch.setattr("annotation.services.examples.AT_ONCE", 1)
    upload = stored(pairs_campaign, "p.csv", as_bytes(("original", "adversarial"), THREE))
    Upload.objects.filter(pk=upload.pk).update(kept=kept)
    paused = examples.pause
    done: list[int] = []

    def meanwhile() -> None:
        paused()
        done.append(1)
        if len(done) == at:
            done.append(import_upload(Upload.objects.get(pk=upload.pk), by=None).added)

    monkeypatch.setattr(examples, "pause", meanwhile)
    with pytest.raises(DomainError, match="Another attempt to import this file began meanwhile"):
        import_upload(Upload.objects.get(pk=upload.pk), by=None)
    assert (Example.objects.count(), Item.every.count(), Variant.objects.count()) == (3, 0 if kept else 3, 6)


@pytest.mark.parametrize("at", [(1, 1), (1, 2), (3, 1), (4, 1)])
def test_a_failure_leaves_nothing_and_harms_nothing(
    pairs_campaign: Campaign, settings_folder: Path, monkeypatch: pytest.MonkeyPatch, at: tuple[int, int]
) -> None:
    """It fails while texts are written, before the first or after some, or before or after the items were."""
    monkeypatch.setattr("annotation.services.examples.AT_ONCE", 1)
    import_upload(stored(pairs_campaign, "a.csv", as_bytes(("original", "adversarial"), THREE[:1])), by=None)
    before = [list(model.objects.order_by("pk").values()) for model in (Original, Variant, Example, Item, Slot)]
    said: list[int] = []

    def breaks(done: int, total: int, message: str) -> None:
        said.append(done)
        if (done, said.count(done)) == at:
            raise DomainError("broke")

    upload = stored(pairs_campaign, "p.csv", as_bytes(("original", "adversarial"), THREE))
    with pytest.raises(DomainError, match="broke"):
        import_upload(upload, by=None, progress=breaks)
    upload.refresh_from_db()
    assert [list(model.objects.order_by("pk").values()) for model in (Original, Variant, Example, Item, Slot)] == before
    assert upload.imported_at is None


def test_what_a_killed_import_has_left_is_not_seen_and_goes(pairs_campaign: Campaign, settings_folder: Path) -> None:
    upload = stored(pairs_campaign, "p.csv", as_bytes(("original", "adversarial"), THREE))
    original = Original.objects.create(task="imported", key="left")
    text = Variant.objects.create(original=original, kind="unknown", text="x", sha256="x")
    left = Example.objects.create(upload=upload, before=text, after=text, status="success")
    import_upload(upload, by=None)
    assert not Example.objects.filter(pk=left.pk).exists()
    assert [item.second and item.second.text for item in pairs_campaign.items.order_by("number")] == ["Raim.", "Wimd.", "Sn0w."]
    assert Example.objects.count() == 3


def test_items_that_others_add_during_an_import_are_not_added_twice(pairs_campaign: Campaign, settings_folder: Path) -> None:
    upload, other = (stored(pairs_campaign, name, as_bytes(("original", "adversarial"), THREE[:end])) for name, end in NAMED)

    def others(done: int, total: int, message: str) -> None:
        if done == 3 and Upload.objects.get(pk=other.pk).imported_at is None:
            import_upload(other, by=None)

    done = import_upload(upload, by=None, progress=others)
    assert (done.added, done.already_there) == (1, 2)
    assert [item.number for item in pairs_campaign.items.order_by("number")] == [1, 2, 3]
    assert (Example.objects.filter(upload=upload).count(), Example.objects.filter(upload=other).count()) == (1, 2)


NAMED = (("p.csv", 3), ("q.csv", 2))


def test_a_large_import_gives_the_rows_that_adding_items_gives(pairs_campaign: Campaign, settings_folder: Path) -> None:
    """The two ways of inserting are one to whoever reads."""
    import_upload(stored(pairs_campaign, "p.csv", as_bytes(("original", "adversarial"), THREE)), by=None)
    numbers = {item.pk: item.number for item in pairs_campaign.items.all()}
    rows = [_plain(item) for item in pairs_campaign.items.order_by("number")]
    places = [(numbers[slot.item_id], _plain(slot)) for slot in Slot.objects.order_by("item__number", "position")]
    news = [NewItem(item.original, item.first, item.second, item.example) for item in pairs_campaign.items.order_by("number")]
    Item.objects.all().delete()
    again = add_items(campaign=pairs_campaign, items=news)
    numbers = {item.pk: item.number for item in again}
    assert [_plain(item) for item in Item.objects.order_by("number")] == rows
    assert [(numbers[slot.item_id], _plain(slot)) for slot in Slot.objects.order_by("item__number", "position")] == places != []


def _plain(row: Item | Slot) -> dict[str, object]:
    return {key: value for key, value in vars(row).items() if key not in ("_state", "id", "item_id", "batch_id")}


@pytest.fixture
def settings_folder(tmp_path: Path, settings: object) -> Path:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    return tmp_path


def stored(campaign: Campaign, name: str, data: bytes, *, originals: bool = False) -> Upload:
    likely = guess(SourceFile(name, data))
    mapping = likely.reading.as_dict | {"originals": originals}
    return store_upload(campaign=campaign, name=name, chunks=[data], most=10**6, by=None, format=likely.format, mapping=mapping)


WRONG_TABLES = {
    "a workbook that is none": ("x.xlsx", b"PK\x03\x04rubbish", "no XLSX workbook"),
    "Latin-1 read as UTF-8": (
        "x.csv",
        "original,adversarial\nCafé,Cafe\n".encode("latin-1"),
        "line 2: byte 4 of this line (0xe9) is not UTF-8",
    ),
    "half of UTF-16": ("x.csv", "original,adversarial\na,b\n".encode("utf-16")[:-1], "UTF-16"),
    "NUL": ("x.csv", b"original,adversarial\na,\0\n", "line 2: a NUL"),
    "a lone surrogate": (
        "x.jsonl",
        b'{"original": "\\ud800", "adversarial": "x"}\n',
        "line 1, column original: half of a surrogate",
    ),
    "Arabic digits": ("x.csv", "adversarial,original,queries\na,b,٣\n".encode(), "line 2, column queries"),
    "a number beyond all": ("x.csv", b"adversarial,original,bodega_score\na,b,1e999\n", "line 2, column bodega_score"),
    "an odd scenario": ("x.csv", b"adversarial,original,scenario\na,b,both\n", "line 2, column scenario"),
    "a long name": ("x.csv", b"adversarial,original,victim\na,b," + b"v" * 81, "line 2, column victim"),
    "too many columns": ("x.jsonl", ("{" + ",".join(f'"c{n}":1' for n in range(300)) + "}").encode(), "more than 200"),
    "an empty file": ("x.csv", b" \n", "empty"),
}


@pytest.mark.parametrize(("name", "data", "what"), WRONG_TABLES.values(), ids=WRONG_TABLES)
def test_what_cannot_be_read_is_told_by_line_and_column(name: str, data: bytes, what: str, pairs_campaign: Campaign) -> None:
    found = checked(pairs_campaign, name, data, "table", original="original", adversarial="adversarial", **extra(data))
    assert found.wrong >= 1
    assert what in found.problems[0]
    assert found.problems[0].isprintable()


def extra(data: bytes) -> dict[str, str]:
    return {name: name for name in ("queries", "bodega_score", "scenario", "victim") if name.encode() in data}


def test_a_workbook_that_unpacks_to_too_much_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b"0" * 300_000_000)
    assert len(packed.getvalue()) < 1_000_000
    with pytest.raises(TableError, match="unpacks to 300 MB"):
        table_of(SourceFile("bomb.xlsx", packed.getvalue()))


def test_a_name_that_a_terminal_would_obey_is_written_out() -> None:
    with pytest.raises(TableError) as wrong:
        table_of(SourceFile("\x1b[31mred.csv", b"a\x1b]0;x,b\n1\n"), required=["text"])
    assert "\x1b" not in str(wrong.value)


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40).filter(str.strip)
ROWS = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=5)
COLUMNS = ("original", "adversarial")
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUIET
@given(rows=ROWS, encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), delimiter=st.sampled_from(",\t;"))
def test_any_text_survives_a_quoted_table(rows: list[tuple[str, str]], encoding: str, delimiter: str) -> None:
    data = as_bytes(COLUMNS, rows, delimiter).decode().encode(encoding)
    table = table_of(SourceFile("x.csv", data))
    assert [(row["original"], row["adversarial"]) for row in table.rows] == rows
    assert beginning_of(SourceFile("x.csv", data)).columns == COLUMNS


EXCEL = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1, max_size=40)


@QUIET
@given(rows=st.lists(st.tuples(EXCEL, EXCEL), min_size=1, max_size=4))
def test_any_text_survives_a_workbook(rows: list[tuple[str, str]]) -> None:
    book = openpyxl.Workbook()
    for number, row in enumerate([COLUMNS, *rows], start=1):
        for column, cell in enumerate(row, start=1):
            book.active.cell(number, column, cell).data_type = "s"  # type: ignore[union-attr]
    packed = io.BytesIO()
    book.save(packed)
    table = table_of(SourceFile("x.xlsx", packed.getvalue()))
    assert [(row["original"], row["adversarial"]) for row in table.rows] == rows


def test_every_format_says_what_it_is() -> None:
    assert all(known.title and known.about for known in FORMATS.values())
