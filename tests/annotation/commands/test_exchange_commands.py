"""The commands: what they print, and that whatever is wrong is one line."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.management.commands import import_examples
from annotation.models import Campaign, User
from annotation.services.batches import Displaced
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign
from tests.annotation.exchange.files import INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, as_bytes, changed, rows_written

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "study.csv"
    path.write_bytes(as_bytes(INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS))
    return path


def said(*command: object) -> str:
    out = io.StringIO()
    call_command(*map(str, command), stdout=out)
    return out.getvalue()


def refused(*command: object) -> str:
    with pytest.raises(CommandError) as error:
        said(*command)
    message = str(error.value)
    assert "\n" not in message
    return message


def test_importing_says_how_much_came_in(study: Path) -> None:
    out = said("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    assert out == "Imported 11 judgements of 4 items as “bar”.\n"


def test_a_bad_file_is_one_line_and_nothing_is_written(study: Path) -> None:
    study.write_bytes(as_bytes(INCREDIBLAE_COLUMNS, changed(INCREDIBLAE_ROWS, 2, 2, "7\n8")))
    message = refused("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    assert "study.csv: line 4, column annotator1_stance: " in message
    assert rows_written() == dict.fromkeys(rows_written(), 0)


def test_a_file_cut_at_commas_is_told_by_its_columns(study: Path) -> None:
    cut = "\n".join(",".join(line.split(",")[:2]) for line in study.read_text().replace("closes", "closes, now").split("\n"))
    study.write_text(cut)
    message = refused("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    assert "line 1, column annotator1_stance" in message


def test_pairs_are_no_judgements(study: Path) -> None:
    refused("import_judgements", study, "--format", "pairs", "--campaign", "bar")


def test_items_with_a_known_answer_are_told_apart(tmp_path: Path) -> None:
    rows = "Rain.,Raim.,bug,training,preserve\nHail.,Snow.,bug,attention,change\nFog.,Fgo.,bug,,\n"
    path = tmp_path / "checks.csv"
    path.write_text(f"original,adversarial,attacker,use,known\n{rows}")
    assert said("import_examples", path, "--campaign", "checked", "--dry-run").splitlines() == [
        "3 rows: 3 new.", "For training: 1 (line 2)", "For attention check: 1 (line 3)", "Nothing was written."
    ]  # fmt: skip
    done = said("import_examples", path, "--campaign", "checked")
    assert done == "Imported 1 item and 2 with a known answer into “checked”.\n"


def test_examples_wait_to_be_judged(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(as_bytes(("original", "adversarial"), [("Rain.", "Raim."), ("Hail.", "Hall.")], "\t"))
    assert said("import_examples", path, "--campaign", "pairs") == "Imported 2 items into “pairs”.\n"
    assert Campaign.objects.get().state == "draft"
    assert said("import_examples", path, "--campaign", "pairs") == "Imported 0 items into “pairs”; 2 were there already.\n"


def test_columns_are_mapped_and_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(as_bytes(("a", "b", "sys"), [("Rain.", "Raim.", "bug"), ("Rain.", "Raim.", "bug"), ("Hail.", "H𝐀il.", "x")]))
    mapping = ("--map", "original=a", "--map", "adversarial=b", "--map", "attacker=sys", "--set", "task=FC")
    before = rows_written()
    assert said("import_examples", path, "--campaign", "bar", *mapping, "--dry-run").splitlines() == [
        "3 rows: 2 new, 1 stand twice in the file.",
        "Shown in another font: 𝐀 U+1D400 mathematical bold capital a (1).",
        "Nothing was written.",
    ]
    assert rows_written() == before
    assert said("import_examples", path, "--campaign", "bar", *mapping).startswith("Imported 2 items into “bar”; 1 ")
    items = Campaign.objects.get().items.order_by("number")
    assert list(items.values_list("made_by", "original__task")) == [("bug", "FC"), ("x", "FC")]


def test_a_file_of_examples_with_mistakes_is_refused_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_bytes(as_bytes(("original", "adversarial"), [("Rain.", "Raim."), ("Hail.", ""), ("", "x")]))
    assert "line 3, column adversarial" in refused("import_examples", path, "--campaign", "pairs")
    assert refused("import_examples", path, "--campaign", "pairs", "--dry-run").startswith("2 of 3 rows cannot be imported.")
    assert refused("import_examples", path, "--campaign", "pairs", "--map", "text=a").startswith("--map text=a: write FIELD=…")
    assert rows_written() == dict.fromkeys(rows_written(), 0)


def test_agreement_as_json_has_every_digit_and_no_nan(study: Path) -> None:
    said("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")

    def strict(constant: str) -> Any:
        raise AssertionError(constant)

    found = json.loads(said("agreement", "bar", "--json"), parse_constant=strict)
    assert math.isclose(found["figures"]["kappa"]["value"], 1 / 9)
    assert found["source"]["file"] == "study.csv"
    assert (found["protocol"], found["simulated"]) == ("meaning", False)


def test_agreement_of_nothing_is_a_reason(make_campaign: MakeCampaign) -> None:
    make_campaign(items=1)
    kappa = json.loads(said("agreement", "harbour", "--json"))["figures"]["kappa"]
    assert kappa["value"] is None
    assert kappa["reason"]["message"]


def test_agreement_as_text_aligns_its_columns(study: Path) -> None:
    said("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    lines = said("agreement", "bar").splitlines()
    assert lines[0] == "bar (Meaning)"
    start = lines.index("Decisions")
    assert lines[start + 1 : start + 6] == [
        "  label                items   share",
        "  keeps the meaning        2  50.0 %",
        "  changes the meaning      2  50.0 %",
        "  makes no sense           0   0.0 %",
        "  4 of 4 equal the published decisions.",
    ]
    raw = next(line for line in lines if line.startswith("  Raw agreement"))
    assert re.split(r"\s{2,}", raw)[1:] == [
        "Raw agreement",
        "50.0 %",
        "2 conflicts in 4 items; No interval: every bootstrap draw gives the same value; n = 4",
    ]


def test_simulated_answers_are_announced(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign("suspicion", items=1, simulated=True)
    answer(campaign, make_annotator(campaign, "sim 1", User.Kind.SIMULATED), "4")
    assert said("agreement", "harbour").splitlines()[1].startswith("Simulated: ")


@pytest.mark.parametrize("command", [["agreement"], ["export", "--out", "x"], ["report", "--out", "x"]])
def test_an_unknown_campaign_is_answered_with_those_that_there_are(make_campaign: MakeCampaign, command: list[str]) -> None:
    make_campaign(items=1)
    message = refused(command[0], "nope", *command[1:])
    assert message == "There is no campaign named “nope”. Campaigns: harbour."


NO_FOLDER = "Give --out a folder with room that you may write to, or a new one."


@pytest.mark.parametrize(
    ("command", "out", "named", "why"),
    [
        ("export", "file", "file", "File exists"),
        ("export", "file/below", "file/below", "Not a directory"),
        ("export", "x" * 300, "x" * 300, "File name too long"),
        ("export", "/proc/x", "/proc/x", "No such file or directory"),
        ("export", "taken", "taken/judgements.csv", "Is a directory"),
        ("report", "file", "file/harbour-tables", "Not a directory"),
        ("report", "/proc/x", "/proc/x", "No such file or directory"),
    ],
)
def test_a_folder_that_cannot_be_written_to_is_named(
    command: str, out: str, named: str, why: str, make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    make_campaign(items=1)
    (tmp_path / "file").write_text("kept")
    (tmp_path / "taken" / "judgements.csv").mkdir(parents=True)
    message = refused(command, "harbour", "--out", tmp_path / out)
    assert message == f"{tmp_path / named} cannot be written: {why}. {NO_FOLDER}"
    assert (tmp_path / "file").read_text() == "kept"


def test_a_full_disk_is_told(make_campaign: MakeCampaign, tmp_path: Path) -> None:
    make_campaign(items=1)
    (tmp_path / "judgements.csv").symlink_to("/dev/full")
    assert (
        refused("export", "harbour", "--out", tmp_path) == f"{tmp_path} cannot be written: No space left on device. {NO_FOLDER}"
    )


@pytest.mark.parametrize("raised", [FileNotFoundError(2, "gone", "/elsewhere/font.ttf"), BrokenPipeError(32, "Broken pipe")])
def test_what_is_not_about_the_folder_stays_a_fault(
    raised: OSError, make_campaign: MakeCampaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise raised

    make_campaign(items=1)
    monkeypatch.setattr("annotation.management.commands.export.write_export", broken)
    with pytest.raises(type(raised)):
        said("export", "harbour", "--out", tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        ["agreement", "%"],
        ["export", "%", "--out", "x"],
        ["report", "harbour", "--out", "%"],
        ["demo", "--out", "%"],
        ["import_judgements", "%", "--format", "incrediblae", "--campaign", "bar"],
        ["import_judgements", "x", "--format", "incrediblae", "--campaign", "%"],
        ["import_examples", "%", "--campaign", "bar"],
        ["import_examples", "x", "--campaign", "bar", "--set", "attacker=b", "--set", "%"],
        ["train_regressor", "--campaign", "%"],
        ["train_meaning", "--campaign", "harbour", "--preserved", "%"],
    ],
)
def test_an_argument_that_is_no_text_is_told(command: list[str], make_campaign: MakeCampaign) -> None:
    make_campaign(items=1)
    message = refused(*(part.replace("%", "caf\udce9") for part in command))
    assert message == r"“caf\xe9” is not in UTF-8. Type it in a terminal that uses UTF-8, or rename the file."


def test_export_and_report_name_the_files_that_they_wrote(study: Path, tmp_path: Path) -> None:
    said("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    out = tmp_path / "out"
    written = said("export", "bar", "--out", out).split() + said("report", "bar", "--out", out).split()
    tables = [f"{name}.csv" for name in ("judgements", "pivot", "decisions", "annotators")]
    shown = ("confusion", "decisions", "how", "thirds", "kept_by_variant", "confidence", "pairs", "bias", "automatic", "edits")
    of_the_report = [f"bar-tables/{name}.{kind}" for name in shown for kind in ("csv", "tex")]
    assert written == [str(out / name) for name in (*tables, "items.jsonl", "codebook.md", "bar.html", "bar.pdf", *of_the_report)]
    assert sorted(str(path) for path in out.rglob("*") if path.is_file()) == sorted(written)
    assert len((out / "items.jsonl").read_text(encoding="utf-8").splitlines()) == 1 + 4


@pytest.mark.parametrize(("format", "files"), [("jsonl", 4 + 2), ("xlsx", 1 + 2)])
def test_an_export_in_another_format_imports_again(format: str, files: int, study: Path, tmp_path: Path) -> None:
    said("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    assert len(said("export", "bar", "--out", tmp_path / "out", "--format", format).split()) == files
    said("import_judgements", tmp_path / "out" / "items.jsonl", "--format", "passable", "--campaign", "again")
    kappas = [json.loads(said("agreement", name, "--json"))["figures"]["kappa"]["value"] for name in ("bar", "again")]
    assert kappas == [kappas[0]] * 2


def test_guesses_can_be_left_out(study: Path, tmp_path: Path) -> None:
    said("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    said("export", "bar", "--out", tmp_path / "out", "--confidence-at-least", "4")
    with (tmp_path / "out" / "judgements.csv").open(encoding="utf-8-sig", newline="") as file:
        sure = [int(row["confidence"]) for row in csv.DictReader(file)]
    assert sorted(sure) == [4, 4, 4, 5, 5, 5]


def test_a_dry_run_says_where_nobody_knows_who_made_the_texts(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_text("original,adversarial\nRain.,Raim.\nHail.,Hall.\n")
    asked = "Nothing says who made 2 texts. Name the attacker or team: --set attacker=NAME"
    assert asked in said("import_examples", path, "--campaign", "bar", "--dry-run")
    assert "Nothing says" not in said("import_examples", path, "--campaign", "bar", "--set", "attacker=us", "--dry-run")


def test_an_import_that_another_one_displaces_leaves_the_file_and_the_campaign_to_it(
    tmp_path: Path, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("original,adversarial\nRain.,Raim.\n")
    fail = Displaced("Another attempt began.")

    def displaced(*args: Any, **options: Any) -> None:
        raise fail

    with monkeypatch.context() as patched:
        patched.setattr(import_examples, "import_upload", displaced)
        assert refused("import_examples", path, "--campaign", "again") == "Another attempt began."
    assert Campaign.objects.get().uploads.count() == 1
    assert said("import_examples", path, "--campaign", "again") == "Imported 1 item into “again”.\n"
    assert Campaign.objects.get().uploads.count() == 1
