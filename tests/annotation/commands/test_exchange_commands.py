"""The commands: what they print, and that whatever is wrong is one line."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign, User
from tests.annotation.conftest import Answer, MakeAnnotator, MakeCampaign
from tests.annotation.exchange.files import INCREDIBLAE_COLUMNS, INCREDIBLAE_ROWS, as_bytes, changed, rows_written

pytestmark = pytest.mark.django_db


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
    refused("import_examples", study, "--format", "incrediblae", "--campaign", "bar")


def test_examples_wait_to_be_judged(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(as_bytes(("original", "adversarial"), [("Rain.", "Raim."), ("Hail.", "Hall.")], "\t"))
    assert said("import_examples", path, "--campaign", "pairs").startswith("Imported 2 items as “pairs”.")
    assert Campaign.objects.get().state == "draft"


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
        "  label                items  share",
        "  keeps the meaning        2  0.500",
        "  changes the meaning      2  0.500",
        "  makes no sense           0  0.000",
        "  4 of 4 equal the published decisions.",
    ]
    raw = next(line for line in lines if line.startswith("  Raw agreement"))
    assert raw.split("  ")[1:] == ["Raw agreement", "50.0 %", "2 conflicts in 4 items; n = 4"]


def test_simulated_answers_are_announced(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer) -> None:
    campaign = make_campaign("suspicion", items=1, simulated=True)
    answer(campaign, make_annotator(campaign, "sim 1", User.Kind.SIMULATED), "4")
    assert said("agreement", "harbour").splitlines()[1].startswith("Simulated: ")


@pytest.mark.parametrize("command", [["agreement"], ["export", "--out", "x"], ["report", "--out", "x"]])
def test_an_unknown_campaign_is_answered_with_those_that_there_are(make_campaign: MakeCampaign, command: list[str]) -> None:
    make_campaign(items=1)
    message = refused(command[0], "nope", *command[1:])
    assert message == "There is no campaign named “nope”. Campaigns: harbour."


def test_export_and_report_name_the_files_that_they_wrote(study: Path, tmp_path: Path) -> None:
    said("import_judgements", study, "--format", "incrediblae", "--campaign", "bar")
    out = tmp_path / "out"
    written = said("export", "bar", "--out", out).split() + said("report", "bar", "--out", out).split()
    assert written == [str(out / name) for name in ("judgements.csv", "decisions.csv", "items.jsonl", "codebook.md", "bar.html")]
    assert sorted(path.name for path in out.iterdir()) == sorted(Path(name).name for name in written)
    assert len((out / "items.jsonl").read_text(encoding="utf-8").splitlines()) == 4
